// The keys of the page around the text; the editor has its own for the text.
//
// Invariant: a key that the editor has used is left alone, and so is one that the administrator has
// switched off.

import { focusNextRegion } from '../a11y/regions.ts';
import type { ShortcutName } from '../editor/shortcutNames.ts';
import { clearAuthorship, showAuthor, toggleChatFocus } from './actions.ts';
import type { Frame } from './frame.ts';

interface PageKey {
  // As the settings name it; none for keys that cannot be switched off.
  name?: ShortcutName;
  matches: (event: KeyboardEvent) => boolean;
  act: (frame: Frame, event: KeyboardEvent) => void;
}

const main = (event: KeyboardEvent) => (event.ctrlKey || event.metaKey) && !event.altKey;
const alt = (event: KeyboardEvent) => event.altKey && !event.ctrlKey && !event.metaKey;

const KEYS: readonly PageKey[] = [
  {
    name: 'altC',
    // By the place of the key, because Alt gives another letter on a Mac.
    matches: (event) => alt(event) && event.code === 'KeyC',
    act: toggleChatFocus,
  },
  {
    name: 'altF9',
    matches: (event) => alt(event) && event.key === 'F9',
    act: () => document.querySelector<HTMLElement>('.toolbar [tabindex="0"]')?.focus(),
  },
  {
    name: 'cmdS',
    matches: (event) => main(event) && !event.shiftKey && event.key.toLowerCase() === 's',
    act: ({ live }) => live.saveRevision(),
  },
  {
    name: 'cmdShift2',
    matches: (event) => main(event) && event.shiftKey && event.code === 'Digit2',
    act: showAuthor,
  },
  {
    name: 'cmdShiftC',
    matches: (event) => main(event) && event.shiftKey && event.code === 'KeyC',
    act: clearAuthorship,
  },
  {
    matches: (event) => main(event) && event.key === '/',
    act: ({ dialog }) => {
      dialog.value = 'shortcuts';
    },
  },
  {
    matches: (event) => event.key === 'F6' && !event.ctrlKey && !event.altKey,
    act: (_, event) => focusNextRegion(event.shiftKey),
  },
];

export function listenToKeys(frame: Frame): void {
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing || frame.dialog.peek()) return;
    const allowed = frame.live.info.peek()?.shortcuts ?? {};
    const key = KEYS.find(
      ({ name, matches }) => (!name || allowed[name] !== false) && matches(event),
    );
    if (!key) return;
    event.preventDefault();
    key.act(frame, event);
  });
}
