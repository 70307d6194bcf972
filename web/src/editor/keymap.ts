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
import { deleteBackward } from './backspace.ts';
import { rich } from './clipboard.ts';
import { indentCode } from './codeIndent.ts';
import { chooseInline, toggleInline } from './formatting.ts';
import { KEYS, type KeyName } from './keyTable.ts';
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
  { key: 'Backspace', run: deleteBackward, shift: deleteBackward },
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

// As CodeMirror writes it.
function editorKey(name: KeyName): string {
  const keys = KEYS[name].replace('Ctrl', 'Mod').split('+');
  return keys.map((key) => (key.length > 1 ? key : key.toLowerCase())).join('-');
}

export function keys(enabled: Shortcuts, indents: boolean, actions: KeyActions): Extension {
  const does = (action: () => void): Command => {
    return () => {
      action();
      return true;
    };
  };
  const named: Readonly<Record<Exclude<EditorShortcut, 'cmdH'>, KeyBinding>> = {
    return: { run: (view) => newLine(view, indents) },
    tab: {
      run: (view) => indentCode(view, 1) || indentWithTab(view, 1),
      shift: (view) => indentCode(view, -1) || indentWithTab(view, -1),
    },
    delete: { run: deleteMarkerBackward },
    cmdZ: { run: does(actions.undo), shift: does(actions.redo) },
    cmdY: { run: does(actions.redo) },
    cmdB: { run: (view) => toggleInline(view, 'bold') },
    cmdI: { run: (view) => toggleInline(view, 'italic') },
    cmdU: { run: (view) => toggleInline(view, 'underline') },
    cmd5: { run: (view) => toggleInline(view, 'strikethrough') },
    cmdShiftL: { run: (view) => toggleList(view, 'bullet') },
    cmdShiftN: { run: (view) => toggleList(view, 'number') },
    cmdShift1: { run: (view) => toggleList(view, 'number') },
    cmdShiftD: { run: duplicateLine },
    cmdShiftK: { run: deleteLine },
    cmdS: { run: does(actions.saveRevision) },
    ctrlHome: { run: cursorDocStart, shift: selectDocStart },
    pageUp: { run: cursorPageUp, shift: selectPageUp },
    pageDown: { run: cursorPageDown, shift: selectPageDown },
  };
  const always: Partial<Record<KeyName, Command>> = {
    find: does(actions.find),
    tasks: toggleTasks,
    code: (view) => toggleInline(view, 'code'),
    sub: (view) => toggleInline(view, 'sub'),
    sup: (view) => toggleInline(view, 'sup'),
    highlight: (view) => chooseInline(view, 'highlight', 'yellow'),
    link: does(actions.editLink),
  };
  const isOff = (name: ShortcutName) => enabled[name] === false;
  const bindings = (Object.entries(named) as [keyof typeof named, KeyBinding][])
    .filter(([name]) => !isOff(name) || NATIVE.test(name))
    .map(([name, binding]) => ({
      ...binding,
      ...(isOff(name) && { run: nothing, shift: nothing }),
      key: editorKey(name),
      preventDefault: name !== 'tab',
    }));
  return [
    keymap.of(bindings),
    keymap.of([
      ...(isOff('cmdH') ? [] : [{ key: 'Ctrl-h', run: deleteBackward, preventDefault: true }]),
      ...(isOff('esc') ? [{ key: 'Escape', run: nothing }] : []),
      // Without a task it is for the link at the caret.
      { key: editorKey('tick'), run: tick },
      ...(Object.entries(always) as [KeyName, Command][]).map(([name, run]) => ({
        key: editorKey(name),
        run,
        preventDefault: true,
      })),
    ]),
    keymap.of([...DELETION, ...MOVEMENT]),
  ];
}
