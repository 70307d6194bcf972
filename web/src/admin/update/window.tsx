// The maintenance window: when it is, whether it is now, and when it opens.

import { absoluteTime } from '../../i18n/time.ts';
import { say } from '../words.ts';
import type { Status } from './status.ts';

export function Window({ status }: { status: Status }) {
  const { maintenanceWindow: window, windowIsOpen, nextWindowOpensAt, tier } = status;
  const opens = nextWindowOpensAt && absoluteTime(Date.parse(nextWindowOpensAt));
  return (
    <section class="card" aria-labelledby="window">
      <h2 id="window">{say('update.window')}</h2>
      <p>{window ? daily(window) : say('update.windowNone')}</p>
      {window && (
        <p>
          {say(windowIsOpen ? 'update.windowOpen' : 'update.windowClosed')}{' '}
          {opens && say('update.windowOpens', { at: opens })}
        </p>
      )}
      {tier !== 'autonomous' && <p class="hint">{say('update.windowOther')}</p>}
    </section>
  );
}

function daily({ start, end, tz }: NonNullable<Status['maintenanceWindow']>): string {
  return say(tz === 'utc' ? 'update.windowUtc' : 'update.windowDaily', { start, end });
}
