// How long it is until something happens, second by second.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { duration } from '../format.ts';
import { say } from '../words.ts';

interface CountdownProps {
  until: number;
  // When it has come to zero.
  onOver: () => void;
}

export function Countdown({ until, onOver }: CountdownProps) {
  const now = useSignal(Date.now());
  useEffect(() => {
    const timer = setInterval(() => {
      now.value = Date.now();
      if (now.value < until) return;
      clearInterval(timer);
      onOver();
    }, 1000);
    return () => clearInterval(timer);
  }, [until]);
  const seconds = Math.max(0, (until - now.value) / 1000);
  return (
    <span class="countdown" role="timer">
      {say('update.in', { time: duration(seconds) })}
    </span>
  );
}
