// Plays revisions one after the other.

import { effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { Archive } from './archive.ts';

export const SPEEDS = ['original', 'realTime', '200', '500', '1000'] as const;
export type Speed = (typeof SPEEDS)[number];

// As it was written, but nobody waits longer than this for somebody who was thinking.
const LONGEST_PAUSE_MS = 2_000;
// As often as a screen shows something new.
const SHORTEST_PAUSE_MS = 16;

export class Player {
  readonly speed: Signal<Speed> = signal('original');
  readonly playing: ReadonlySignal<boolean>;
  readonly #playing = signal(false);
  readonly #archive: Archive;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(archive: Archive) {
    this.#archive = archive;
    this.playing = this.#playing;
    // Each revision that has come to be shown sets the clock for the next.
    effect(() => {
      const shown = archive.shown.value;
      if (this.#playing.value && shown?.revision === archive.goal.peek()) this.#wait();
    });
  }

  toggle(): void {
    if (this.#playing.peek()) this.pause();
    else {
      if (this.#archive.goal.peek() >= this.#archive.head.peek()) this.#archive.go(0);
      this.#playing.value = true;
    }
  }

  pause(): void {
    clearTimeout(this.#timer);
    this.#playing.value = false;
  }

  #wait(): void {
    clearTimeout(this.#timer);
    const next = this.#archive.goal.peek() + 1;
    if (next > this.#archive.head.peek()) {
      this.#playing.value = false;
      return;
    }
    const pause = pauseOf(this.speed.value, this.#archive.deltaOf(next) ?? 0);
    this.#timer = setTimeout(() => this.#archive.go(next), pause);
  }
}

export function pauseOf(speed: Speed, delta: number): number {
  if (speed === 'realTime') return Math.max(delta, SHORTEST_PAUSE_MS);
  if (speed === 'original') return Math.min(Math.max(delta, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS);
  return Number(speed);
}
