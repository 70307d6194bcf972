// Comparison with the start of the period that one looks at, until one wants another.
//
// Invariant: it changes nothing while the history plays, and nothing once a visitor has chosen what
// to compare with, or not to.

import { effect, type Signal, signal } from '@preact/signals';
import { read, remove, write } from '../prefs/storage.ts';
import type { Archive } from './archive.ts';
import type { Player } from './player.ts';

const NAME = 'compare';

export class AutoCompare {
  readonly on: Signal<boolean>;

  constructor(archive: Archive, player: Player, isWanted: boolean) {
    this.on = signal(isWanted && read(NAME) !== false);
    effect(() => {
      if (!this.on.value || !archive.joined.value) return;
      const revision = Math.min(archive.goal.value, archive.head.value);
      const period = player.playing.value ? undefined : archive.periods.periodOf(revision);
      const start = period && Math.max(period.first - 1, 0);
      archive.compareWith(start === revision ? null : (start ?? null));
    });
  }

  // As it is from the start, also the next time.
  resume(): void {
    remove(NAME);
    this.on.value = true;
  }

  // With what the visitor has chosen.
  leave(): void {
    this.on.value = false;
  }

  stop(): void {
    write(NAME, false);
    this.on.value = false;
  }
}
