// How a plugin does: what is wrong with it now, and what it did since it was enabled.

import { absoluteTime } from '../../i18n/time.ts';
import { NoticeBox } from '../../ui/notice.tsx';
import { count } from '../format.ts';
import { say } from '../words.ts';
import type { Health } from './installed.ts';

interface TroubleProps {
  health: Health;
  onRetry: () => void;
}

export function Trouble({ health: { state, reason }, onRetry }: TroubleProps) {
  if (state !== 'off' && state !== 'waiting') return null;
  const isOff = state === 'off';
  return (
    <NoticeBox
      tone={isOff ? 'bad' : 'warn'}
      icon="alert"
      actions={isOff ? [{ label: say('plugins.health.retry'), act: onRetry }] : []}
    >
      {say(isOff ? 'plugins.health.off' : 'plugins.health.waiting')}{' '}
      <span lang="en" dir="auto">
        {reason}
      </span>
    </NoticeBox>
  );
}

interface ActivityProps {
  health: Health;
  // It may have done more since the page was loaded.
  onOpen: () => void;
}

export function Activity({ health, onOpen }: ActivityProps) {
  const { hooks, skipped, dropped, peakMemory, log } = health;
  const milliseconds = (micros: number): string => count(Math.ceil(micros / 1000));
  const lines = log.map(({ time, level, text }) => `${absoluteTime(time)} ${level}: ${text}`);
  return (
    <details
      onToggle={(event) => {
        if (event.currentTarget.open) onOpen();
      }}
    >
      <summary>{say('plugins.health.title')}</summary>
      <ul class="rights">
        {Object.entries(hooks).map(([hook, { calls, failures, micros, longestMicros }]) => (
          <li key={hook}>
            <code dir="ltr">{hook}</code>{' '}
            {say('plugins.health.hook', {
              calls,
              failures,
              time: milliseconds(micros),
              longest: milliseconds(longestMicros),
            })}
          </li>
        ))}
        <li>{say('plugins.health.left', { skipped, dropped })}</li>
        <li>{say('plugins.health.memory', { size: count(Math.ceil(peakMemory / 1024)) })}</li>
      </ul>
      {lines.length === 0 && <p class="hint">{say('plugins.health.noLog')}</p>}
      {lines.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard
        <section class="plugin-log" tabIndex={0} dir="auto" aria-label={say('plugins.health.log')}>
          {lines.join('\n')}
        </section>
      )}
    </details>
  );
}
