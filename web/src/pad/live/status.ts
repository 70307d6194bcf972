// The one state that the header shows, out of everything that is going on.
//
// Invariant: `stateOf` is a function of facts and time alone; the rest only asks it often enough.

import { type ReadonlySignal, signal } from '@preact/signals';
import type { PadState, StopReason } from '../live.ts';

export interface Facts {
  stopped: StopReason | null;
  joined: boolean;
  readOnly: boolean;
  // Since when there is no connection, and when the next try is; null if there is one.
  lostSince: number | null;
  nextTry: number | null;
  // Since when something is not stored, and how long the change in flight waits.
  unsettledSince: number | null;
  inFlightSince: number | null;
  // Words that are only here.
  words: number;
  mergedUntil: number;
  mergedChanges: number;
  restartAt: number | null;
  // Whether the server has said that it cannot store anything.
  storageFails: boolean;
}

// What passes sooner than this is not worth a word.
const SAVING_AFTER_MS = 400;
const SLOW_AFTER_MS = 5_000;
const OFFLINE_AFTER_MS = 3_000;
const TICK_MS = 200;

export const FIRST: Facts = {
  stopped: null,
  joined: false,
  readOnly: false,
  lostSince: null,
  nextTry: null,
  unsettledSince: null,
  inFlightSince: null,
  words: 0,
  mergedUntil: 0,
  mergedChanges: 0,
  restartAt: null,
  storageFails: false,
};

export function stateOf(facts: Facts, now: number, online: boolean): PadState {
  const since = (time: number | null) => (time === null ? -1 : now - time);
  if (facts.stopped) return { kind: 'stopped', reason: facts.stopped };
  const lost = since(facts.lostSince);
  if (lost > OFFLINE_AFTER_MS) {
    const { words } = facts;
    if (!online) return { kind: 'offline', words };
    const left = Math.max((facts.nextTry ?? now) - now, 0);
    return { kind: 'reconnecting', seconds: Math.ceil(left / 1_000), words };
  }
  if (!facts.joined) return { kind: 'connecting' };
  if (facts.restartAt !== null && now < facts.restartAt) {
    return { kind: 'restarting', seconds: Math.ceil((facts.restartAt - now) / 1_000) };
  }
  if (facts.readOnly) return { kind: 'readOnly' };
  if (facts.storageFails) return { kind: 'unstored', words: facts.words };
  const waiting = since(facts.inFlightSince);
  if (waiting > SLOW_AFTER_MS) return { kind: 'slow', seconds: Math.floor(waiting / 1_000) };
  if (since(facts.unsettledSince) > SAVING_AFTER_MS) return { kind: 'saving' };
  if (now < facts.mergedUntil) return { kind: 'merged', changes: facts.mergedChanges };
  return { kind: 'saved' };
}

export class Status {
  readonly #state = signal<PadState>({ kind: 'connecting' });
  readonly #settled = signal(true);
  readonly #storageFails = signal(false);
  readonly #timer: ReturnType<typeof setInterval>;
  #facts: Facts = FIRST;

  constructor() {
    this.#timer = setInterval(() => this.#tell(), TICK_MS);
  }

  get signal(): ReadonlySignal<PadState> {
    return this.#state;
  }

  get settled(): ReadonlySignal<boolean> {
    return this.#settled;
  }

  get storageFails(): ReadonlySignal<boolean> {
    return this.#storageFails;
  }

  get facts(): Facts {
    return this.#facts;
  }

  set(facts: Partial<Facts>): void {
    this.#facts = { ...this.#facts, ...facts };
    this.#tell();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #tell(): void {
    this.#settled.value = this.#facts.unsettledSince === null;
    this.#storageFails.value = this.#facts.storageFails;
    const state = stateOf(this.#facts, Date.now(), navigator.onLine);
    if (JSON.stringify(state) !== JSON.stringify(this.#state.peek())) this.#state.value = state;
  }
}
