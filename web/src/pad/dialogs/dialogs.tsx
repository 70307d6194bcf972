// The dialogs, each loaded when it is first opened: the page to write in does not wait for them.

import { h } from 'preact';
import { lazy } from '../../ui/lazy.ts';
import { type DialogName, useFrame } from '../frame.ts';

export interface DialogProps {
  onClose: () => void;
}

const DIALOGS: Record<DialogName, ReturnType<typeof lazy<DialogProps>>> = {
  share: lazy(async () => (await import('./share.tsx')).ShareDialog),
  files: lazy(async () => (await import('../files/load.ts')).filesDialog()),
  settings: lazy(async () => (await import('./settings.tsx')).SettingsDialog),
  shortcuts: lazy(async () => (await import('./shortcuts.tsx')).ShortcutsDialog),
  connection: lazy(async () => (await import('./connection.tsx')).ConnectionDialog),
  delete: lazy(async () => (await import('./delete.tsx')).DeleteDialog),
  clear: lazy(async () => (await import('./clear.tsx')).ClearDialog),
  draft: lazy(async () => (await import('./kept.tsx')).DraftDialog),
  rejected: lazy(async () => (await import('./kept.tsx')).RejectedDialog),
};

export function Dialogs() {
  const { dialog } = useFrame();
  const name = dialog.value;
  if (!name) return null;
  const onClose = () => {
    dialog.value = null;
  };
  return h(DIALOGS[name], { key: name, onClose, onMissing: onClose });
}
