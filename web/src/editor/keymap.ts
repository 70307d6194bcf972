// Keys. Those of the reference can be switched off one by one by the server's settings.

import {
  cursorCharBackward,
  cursorCharForward,
  cursorCharLeft,
  cursorCharRight,
  cursorDocEnd,
  cursorDocStart,
  cursorGroupLeft,
  cursorGroupRight,
  cursorLineBoundaryBackward,
  cursorLineBoundaryForward,
  cursorLineDown,
  cursorLineUp,
  cursorPageDown,
  cursorPageUp,
  deleteCharBackward,
  deleteCharForward,
  deleteGroupBackward,
  deleteGroupForward,
  deleteLine,
  deleteLineBoundaryBackward,
  deleteLineBoundaryForward,
  selectAll,
  selectCharLeft,
  selectCharRight,
  selectDocEnd,
  selectDocStart,
  selectGroupLeft,
  selectGroupRight,
  selectLineBoundaryBackward,
  selectLineBoundaryForward,
  selectLineDown,
  selectLineUp,
  selectPageDown,
  selectPageUp,
} from '@codemirror/commands';
import type { Extension } from '@codemirror/state';
import { type Command, type KeyBinding, keymap } from '@codemirror/view';
import { indentCode } from './blocks.ts';
import { rich } from './clipboard.ts';
import { chooseInline, toggleInline } from './formatting.ts';
import {
  deleteMarkerBackward,
  indentWithTab,
  newLine,
  tick,
  toggleList,
  toggleTasks,
} from './lists.ts';
import type { ShortcutName } from './shortcutNames.ts';

// Which work; all that are not named do.
export type Shortcuts = Readonly<Partial<Record<ShortcutName, boolean>>>;

// The others are keys of the page around the text, and Escape, which is only ever switched off.
type EditorShortcut = Exclude<ShortcutName, 'altC' | 'altF9' | 'cmdShift2' | 'cmdShiftC' | 'esc'>;

// What keys do that is not the editor's own business.
export interface KeyActions {
  undo(): void;
  redo(): void;
  find(): void;
  editLink(): void;
  saveRevision(): void;
}

const MOVEMENT: readonly KeyBinding[] = [
  { key: 'ArrowLeft', run: cursorCharLeft, shift: selectCharLeft, preventDefault: true },
  { key: 'Mod-ArrowLeft', mac: 'Alt-ArrowLeft', run: cursorGroupLeft, shift: selectGroupLeft },
  {
    mac: 'Cmd-ArrowLeft',
    run: cursorLineBoundaryBackward,
    shift: selectLineBoundaryBackward,
    preventDefault: true,
  },
  { key: 'ArrowRight', run: cursorCharRight, shift: selectCharRight, preventDefault: true },
  { key: 'Mod-ArrowRight', mac: 'Alt-ArrowRight', run: cursorGroupRight, shift: selectGroupRight },
  {
    mac: 'Cmd-ArrowRight',
    run: cursorLineBoundaryForward,
    shift: selectLineBoundaryForward,
    preventDefault: true,
  },
  { key: 'ArrowUp', run: cursorLineUp, shift: selectLineUp, preventDefault: true },
  { mac: 'Cmd-ArrowUp', run: cursorDocStart, shift: selectDocStart },
  { key: 'ArrowDown', run: cursorLineDown, shift: selectLineDown, preventDefault: true },
  { mac: 'Cmd-ArrowDown', run: cursorDocEnd, shift: selectDocEnd },
  {
    key: 'Home',
    run: cursorLineBoundaryBackward,
    shift: selectLineBoundaryBackward,
    preventDefault: true,
  },
  {
    key: 'End',
    run: cursorLineBoundaryForward,
    shift: selectLineBoundaryForward,
    preventDefault: true,
  },
  { key: 'Mod-End', run: cursorDocEnd, shift: selectDocEnd },
  { key: 'Mod-a', run: selectAll },
  { mac: 'Ctrl-b', run: cursorCharBackward },
  { mac: 'Ctrl-f', run: cursorCharForward },
];

const DELETION: readonly KeyBinding[] = [
  { key: 'Backspace', run: deleteCharBackward, shift: deleteCharBackward },
  { key: 'Delete', run: deleteCharForward },
  { key: 'Mod-Backspace', mac: 'Alt-Backspace', run: deleteGroupBackward },
  { key: 'Mod-Delete', mac: 'Alt-Delete', run: deleteGroupForward },
  { mac: 'Mod-Backspace', run: deleteLineBoundaryBackward },
  { mac: 'Mod-Delete', run: deleteLineBoundaryForward },
];

// What browsers would do to a text by themselves when these are switched off must not happen.
const NATIVE = /^cmd[ZYBIU]$/;

const nothing: Command = () => true;

const duplicateLine: Command = (view) => {
  void rich.load().then((part) => part.duplicateLine(view));
  return true;
};

export function keys(enabled: Shortcuts, indents: boolean, actions: KeyActions): Extension {
  const does = (action: () => void): Command => {
    return () => {
      action();
      return true;
    };
  };
  const named: Readonly<Record<EditorShortcut, KeyBinding>> = {
    return: { key: 'Enter', run: (view) => newLine(view, indents) },
    tab: {
      key: 'Tab',
      run: (view) => indentCode(view, 1) || indentWithTab(view, 1),
      shift: (view) => indentCode(view, -1) || indentWithTab(view, -1),
    },
    delete: { key: 'Backspace', run: deleteMarkerBackward },
    cmdZ: { key: 'Mod-z', run: does(actions.undo), shift: does(actions.redo) },
    cmdY: { key: 'Mod-y', run: does(actions.redo) },
    cmdB: { key: 'Mod-b', run: (view) => toggleInline(view, 'bold') },
    cmdI: { key: 'Mod-i', run: (view) => toggleInline(view, 'italic') },
    cmdU: { key: 'Mod-u', run: (view) => toggleInline(view, 'underline') },
    cmd5: { key: 'Mod-5', run: (view) => toggleInline(view, 'strikethrough') },
    cmdShiftL: { key: 'Mod-Shift-l', run: (view) => toggleList(view, 'bullet') },
    cmdShiftN: { key: 'Mod-Shift-n', run: (view) => toggleList(view, 'number') },
    cmdShift1: { key: 'Mod-Shift-1', run: (view) => toggleList(view, 'number') },
    cmdShiftD: { key: 'Mod-Shift-d', run: duplicateLine },
    cmdShiftK: { key: 'Mod-Shift-k', run: deleteLine },
    cmdS: { key: 'Mod-s', run: does(actions.saveRevision) },
    cmdH: { key: 'Ctrl-h', run: deleteCharBackward },
    ctrlHome: { key: 'Mod-Home', run: cursorDocStart, shift: selectDocStart },
    pageUp: { key: 'PageUp', run: cursorPageUp, shift: selectPageUp },
    pageDown: { key: 'PageDown', run: cursorPageDown, shift: selectPageDown },
  };
  const isOff = (name: ShortcutName) => enabled[name] === false;
  const bindings = (Object.entries(named) as [EditorShortcut, KeyBinding][])
    .filter(([name]) => !isOff(name) || NATIVE.test(name))
    .map(([name, binding]) => ({
      ...binding,
      ...(isOff(name) && { run: nothing, shift: nothing }),
      preventDefault: binding.key !== 'Tab',
    }));
  return [
    keymap.of(bindings),
    isOff('esc') ? keymap.of([{ key: 'Escape', run: nothing }]) : [],
    keymap.of([
      { key: 'Mod-f', run: does(actions.find), preventDefault: true },
      { key: 'Mod-Enter', run: tick },
      { key: 'Mod-Shift-9', run: toggleTasks, preventDefault: true },
      { key: 'Mod-e', run: (view) => toggleInline(view, 'code'), preventDefault: true },
      { key: 'Mod-,', run: (view) => toggleInline(view, 'sub'), preventDefault: true },
      { key: 'Mod-.', run: (view) => toggleInline(view, 'sup'), preventDefault: true },
      {
        key: 'Mod-Shift-h',
        run: (view) => chooseInline(view, 'highlight', 'yellow'),
        preventDefault: true,
      },
      { key: 'Mod-k', run: does(actions.editLink), preventDefault: true },
    ]),
    keymap.of([...DELETION, ...MOVEMENT]),
  ];
}
