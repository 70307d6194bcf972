// How things stand, as the server tells it again and again.
//
// Invariant: what is shown is never silently old: when the stream breaks, `broken` says so until it
// is back.

import { type Signal, signal } from '@preact/signals';
import type { Status } from '../update/status.ts';

export interface State {
  pads: number | null;
  activePads: number | null;
  members: number | null;
  connections: number;
  livePads: number;
  authors: number | null;
  storeBytes: number | null;
  memoryBytes: number;
  upSeconds: number;
  // Missing in the first answer: rates need two.
  changesPerSecond?: number;
  storedMs?: number | null;
  deliveredMs?: number | null;
  update: Status | null;
  errors: readonly { at: number; error: boolean; text: string }[];
}

export interface Live {
  state: Signal<State | null>;
  broken: Signal<boolean>;
  close: () => void;
}

export function watch(base: string): Live {
  const state = signal<State | null>(null);
  const broken = signal(false);
  const stream = new EventSource(`${base}admin/api/live`);
  stream.onmessage = ({ data }) => {
    state.value = JSON.parse(data);
    broken.value = false;
  };
  // The browser tries again by itself.
  stream.onerror = () => {
    broken.value = true;
  };
  return { state, broken, close: () => stream.close() };
}
