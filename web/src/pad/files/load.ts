// What there is about files, with its sentences.

import { lateSentences } from '../../i18n/late.ts';
import { FilesDialog } from './dialog.tsx';
import { DropTarget } from './drop.tsx';

export async function filesDialog(): Promise<typeof FilesDialog> {
  await lateSentences();
  return FilesDialog;
}

export async function dropTarget(): Promise<typeof DropTarget> {
  await lateSentences();
  return DropTarget;
}
