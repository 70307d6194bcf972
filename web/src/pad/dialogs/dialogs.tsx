// The dialogs, each loaded when it is first opened: the page to write in does not wait for them.

import { type ComponentType, h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { type DialogName, useFrame } from '../frame.ts';

export interface DialogProps {
  onClose: () => void;
}

type Loader = () => Promise<ComponentType<DialogProps>>;

const LOADERS: Record<DialogName, Loader> = {
  share: async () => (await import('./share.tsx')).ShareDialog,
  settings: async () => (await import('./settings.tsx')).SettingsDialog,
  shortcuts: async () => (await import('./shortcuts.tsx')).ShortcutsDialog,
  connection: async () => (await import('./connection.tsx')).ConnectionDialog,
  delete: async () => (await import('./delete.tsx')).DeleteDialog,
  clear: async () => (await import('./clear.tsx')).ClearDialog,
  draft: async () => (await import('./kept.tsx')).DraftDialog,
  rejected: async () => (await import('./kept.tsx')).RejectedDialog,
};

const loaded = new Map<DialogName, ComponentType<DialogProps>>();

export function Dialogs() {
  const { dialog } = useFrame();
  const name = dialog.value;
  const [, redraw] = useState(0);

  useEffect(() => {
    if (!name || loaded.has(name)) return;
    LOADERS[name]().then(
      (component) => {
        loaded.set(name, component);
        redraw((count) => count + 1);
      },
      // Without a connection the file may not come; the next try asks again.
      () => {
        dialog.value = null;
      },
    );
  }, [name, dialog]);

  const component = name && loaded.get(name);
  if (!component) return null;
  const onClose = () => {
    dialog.value = null;
  };
  return h(component, { key: name, onClose });
}
