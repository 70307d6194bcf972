// This pad in the list of the start page, which is kept in this browser alone.
//
// Invariant: what happens here later refreshes an entry and never brings back one that was removed.

import { effect } from '@preact/signals';
import { forgetPad, type RecentPad, refreshPad, rememberPad } from '../prefs/recent.ts';
import { type Frame, titleOf } from './frame.ts';
import { shortNameOf } from './guests.ts';

export function keepRecent({ live, boot }: Frame): void {
  // Inside another page the address belongs to that page.
  if (!boot.recentPads || window.parent !== window) return;
  let remembered = '';
  let changed = 0;
  const people = new Map<string, { name: string; colour: string }>();
  const entry = (time: number): RecentPad => ({
    id: boot.padId,
    time,
    title: remembered,
    people: [...people.values()].reverse(),
  });

  effect(() => {
    const state = live.state.value;
    const title = live.info.value && titleOf({ live, boot });
    if (state.kind === 'stopped' && state.reason === 'deleted') forgetPad(boot.padId);
    else if (title && title !== remembered) {
      remembered = title;
      changed = Date.now();
      rememberPad(entry(changed));
    }
  });
  effect(() => {
    for (const person of live.people.value) {
      const name = shortNameOf(person);
      if (!person.self && name) people.set(person.id, { name, colour: person.colour });
    }
  });
  effect(() => {
    if (live.revision.value > 0) changed = Date.now();
  });
  // Not with every change: each would be written to the disk.
  const refresh = (): void => {
    if (remembered) refreshPad(entry(changed));
  };
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) refresh();
  });
  addEventListener('pagehide', refresh);
}
