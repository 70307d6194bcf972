// The keys of the page around the text; the editor has its own for the text.
//
// Invariant: a key that the editor has used is left alone, and so is one that the administrator has
// switched off.

import { focusNextRegion } from '../a11y/regions.ts';
import { KEYS, type KeyName } from '../editor/keyTable.ts';
import type { ShortcutName } from '../editor/shortcutNames.ts';
import { type CommandName, commandOf } from './commands.ts';
import type { Frame } from './frame.ts';

type Act = (frame: Frame, event: KeyboardEvent) => void;

// Commands whose keys work everywhere in the page.
const EVERYWHERE: readonly CommandName[] = [
  'chat',
  'savedrevision',
  'whowrote',
  'clearauthorship',
  'shortcuts',
  'palette',
];

const MOVES: Partial<Record<KeyName, Act>> = {
  altF9: () => document.querySelector<HTMLElement>('.toolbar [tabindex="0"]')?.focus(),
  regions: (_, event) => focusNextRegion(event.shiftKey),
};

const ALL = new Map(Object.entries(MOVES) as [KeyName, Act][]);
for (const name of EVERYWHERE) {
  const { key, run } = commandOf(name);
  if (key) ALL.set(key, run);
}

// By the place of the key as well, because Shift, Alt and some layouts give other characters.
export function isKey(keys: string, event: KeyboardEvent): boolean {
  const parts = keys.split('+');
  const key = parts.pop() ?? '';
  const has = (part: string) => parts.includes(part);
  if (has('Ctrl') !== (event.ctrlKey || event.metaKey) || has('Alt') !== event.altKey) return false;
  if (key === '/' || key === 'F6') return event.key === key;
  const place = key.replace(/^[A-Z]$/, 'Key$&').replace(/^\d$/, 'Digit$&');
  const known = event.key.toUpperCase() === key.toUpperCase();
  const foreign = !/^[a-z]$/i.test(event.key) && event.code === place;
  return has('Shift') === event.shiftKey && (known || foreign);
}

export function listenToKeys(frame: Frame): void {
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing || frame.dialog.peek()) return;
    const allowed = frame.live.info.peek()?.shortcuts ?? {};
    const isMeant = (name: KeyName) =>
      allowed[name as ShortcutName] !== false && isKey(KEYS[name], event);
    const [, act] = [...ALL].find(([name]) => isMeant(name)) ?? [];
    if (!act) return;
    event.preventDefault();
    act(frame, event);
  });
}
