// State of a comparison: the differences between two revisions, and the current one.

import { computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import type { Archive } from './archive.ts';
import { type Comparison, compare, type Difference } from './compare.ts';

// Differences that touch each other, such as a word and the one in its place.
export type Change = readonly [Difference, ...Difference[]];

export class CompareState {
  // Of the earlier of the two with the later one, whichever is shown.
  readonly comparison: ReadonlySignal<Comparison | null>;
  readonly changes: ReadonlySignal<readonly Change[]>;
  // The number of a change.
  readonly current: ReadonlySignal<number | null>;
  readonly #current = signal<number | null>(null);

  constructor(archive: Archive) {
    this.current = this.#current;
    const documents = computed(() => {
      const places = [archive.shown.value, archive.other.value].filter((place) => place !== null);
      return places.sort((a, b) => a.revision - b.revision).map(({ document }) => document);
    });
    this.comparison = computed(() => {
      const [before, after] = documents.value;
      return before && after ? compare(before, after) : null;
    });
    this.changes = computed(() => changesOf(this.comparison.value?.differences ?? []));
    effect(() => {
      this.changes.value;
      this.#current.value = null;
    });
  }

  // To the change after this one, or before it; behind the last comes the first.
  step(by: 1 | -1): void {
    const count = this.changes.peek().length;
    if (count === 0) return;
    const current = this.#current.peek() ?? (by === 1 ? -1 : 0);
    this.#current.value = (current + by + count) % count;
  }
}

export function changesOf(differences: readonly Difference[]): Change[] {
  const changes: [Difference, ...Difference[]][] = [];
  for (const difference of differences) {
    const last = changes.at(-1);
    if (last?.at(-1)?.to === difference.from) last.push(difference);
    else changes.push([difference]);
  }
  return changes;
}
