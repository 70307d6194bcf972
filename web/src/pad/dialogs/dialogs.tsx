// The dialogs, each loaded when it is first opened: the page to write in does not wait for them.

import { h } from 'preact';
import { type DialogName, useFrame } from '../frame.ts';
import { latePart } from '../latePart.ts';

export interface DialogProps {
  onClose: () => void;
}

const DIALOGS: Record<DialogName, ReturnType<typeof latePart<DialogProps>>> = {
  share: latePart(async () => (await import('./share.tsx')).ShareDialog),
  files: latePart(async () => (await import('../files/dialog.tsx')).FilesDialog),
  link: latePart(async () => (await import('./link.tsx')).LinkDialog),
  settings: latePart(async () => (await import('./settings.tsx')).SettingsDialog),
  shortcuts: latePart(async () => (await import('./shortcuts.tsx')).ShortcutsDialog),
  palette: latePart(async () => (await import('../palette/palette.tsx')).Palette),
  connection: latePart(async () => (await import('./connection.tsx')).ConnectionDialog),
  delete: latePart(async () => (await import('./delete.tsx')).DeleteDialog),
  key: latePart(async () => (await import('./key.tsx')).KeyDialog),
  template: latePart(async () => (await import('./template.tsx')).TemplateDialog),
  clear: latePart(async () => (await import('./clear.tsx')).ClearDialog),
  draft: latePart(async () => (await import('./drafts.tsx')).DraftDialog),
  rejected: latePart(async () => (await import('./drafts.tsx')).RejectedDialog),
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
