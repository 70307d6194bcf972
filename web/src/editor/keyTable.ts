// The keys of commands, as one writes them on a page: the editor and the page bind what is said here.

import type { ShortcutName } from './shortcutNames.ts';

// Ctrl stands for ⌘ on a Mac. `cmdH` and `esc` are the editor's own, and no commands.
const SWITCHABLE = {
  return: 'Enter',
  tab: 'Tab',
  delete: 'Backspace',
  cmdZ: 'Ctrl+Z',
  cmdY: 'Ctrl+Y',
  cmdB: 'Ctrl+B',
  cmdI: 'Ctrl+I',
  cmdU: 'Ctrl+U',
  cmd5: 'Ctrl+5',
  cmdS: 'Ctrl+S',
  cmdShift1: 'Ctrl+Shift+1',
  cmdShift2: 'Ctrl+Shift+2',
  cmdShiftC: 'Ctrl+Shift+C',
  cmdShiftD: 'Ctrl+Shift+D',
  cmdShiftK: 'Ctrl+Shift+K',
  cmdShiftL: 'Ctrl+Shift+L',
  cmdShiftN: 'Ctrl+Shift+N',
  ctrlHome: 'Ctrl+Home',
  pageUp: 'PageUp',
  pageDown: 'PageDown',
  altC: 'Alt+C',
  altF9: 'Alt+F9',
} satisfies Record<Exclude<ShortcutName, 'cmdH' | 'esc'>, string>;

// By the names of the settings, if an administrator can switch them off.
export const KEYS = {
  ...SWITCHABLE,
  find: 'Ctrl+F',
  link: 'Ctrl+K',
  code: 'Ctrl+E',
  sub: 'Ctrl+,',
  sup: 'Ctrl+.',
  highlight: 'Ctrl+Shift+H',
  tasks: 'Ctrl+Shift+9',
  tick: 'Ctrl+Enter',
  shortcuts: 'Ctrl+/',
  palette: 'Ctrl+Shift+P',
  regions: 'F6',
};

export type KeyName = keyof typeof KEYS;
