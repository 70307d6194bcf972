// What the text gets a moment after it is there: addresses that open, and where the others are.

import type { Extension } from '@codemirror/state';
import type { Authors } from './authors.ts';
import { cursorMarks } from './cursorMarks.ts';
import { linkCard } from './linkCard.ts';
import { links } from './links.ts';

interface LateWords {
  readonly openLink: string;
  readonly unnamed: string;
}

export function lateExtension(authors: Authors, words: LateWords): Extension {
  return [links, linkCard(words.openLink), cursorMarks(authors, words.unnamed)];
}
