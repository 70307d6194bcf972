// A page that the server has sent away loads again by itself, where the settings say so.
//
// Invariant: each time in a row takes longer than the one before, so that a server which refuses
// is not asked for ever at the same pace. What is typed outlives a reload.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { t } from '../../i18n/text.ts';
import { Button } from '../../ui/button.tsx';
import { useFrame } from '../frame.ts';
import type { StopReason } from '../live.ts';

// Where a fresh page helps and nobody has to decide anything before.
const HELPS: readonly StopReason[] = ['rateLimited', 'corrupt', 'rejected'];
const NAME = 'padsvc:again';
// After so long without, the first time is the first again.
const IN_A_ROW_MS = 10 * 60 * 1000;

export function Again({ reason }: { reason: StopReason }) {
  const { reconnectSeconds } = useFrame().boot;
  const left = useSignal<number | null>(null);
  useEffect(() => {
    if (reconnectSeconds === 0 || !HELPS.includes(reason)) return;
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
  if (left.value === null) return null;
  return (
    <p class="again" aria-live="off">
      {t('notice.reloadIn', { seconds: left.value })}{' '}
      <Button
        onClick={() => {
          left.value = null;
        }}
      >
        {t('common.cancel')}
      </Button>
    </p>
  );
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
