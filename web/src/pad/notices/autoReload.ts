// Automatic reload after the server has disconnected the page, where the settings say so.
//
// Invariant: backs off: each reload in a row waits longer than the one before. What is typed outlives
// a reload.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { useFrame } from '../frame.ts';
import type { StopReason } from '../live.ts';

// Where a fresh page helps and nobody has to decide anything before.
const HELPS: readonly StopReason[] = ['rateLimited', 'corrupt', 'rejected'];
const NAME = 'padsvc:again';
// After so long without, the first time is the first again.
const IN_A_ROW_MS = 10 * 60 * 1000;

export interface AutoReload {
  // Until it loads; null if it does not.
  seconds: number | null;
  stop: () => void;
}

export function useAutoReload(reason: StopReason | null): AutoReload {
  const { reconnectSeconds } = useFrame().boot;
  const left = useSignal<number | null>(null);
  useEffect(() => {
    if (reconnectSeconds === 0 || reason === null || !HELPS.includes(reason)) return;
    const times = timesInARow();
    left.value = reconnectSeconds * (times + 1);
    const timer = setInterval(() => {
      if (left.value === null) return;
      left.value -= 1;
      if (left.value > 0) return;
      clearInterval(timer);
      remember(times + 1);
      location.reload();
    }, 1000);
    return () => clearInterval(timer);
  }, [reason]);
  const stop = () => {
    left.value = null;
  };
  return { seconds: left.value, stop };
}

function timesInARow(): number {
  try {
    const [times, at] = JSON.parse(sessionStorage.getItem(NAME) ?? '[0,0]') as [number, number];
    return Date.now() - at < IN_A_ROW_MS ? times : 0;
  } catch {
    return 0;
  }
}

function remember(times: number): void {
  try {
    sessionStorage.setItem(NAME, JSON.stringify([times, Date.now()]));
  } catch {
    // Refused: then each time is the first.
  }
}
