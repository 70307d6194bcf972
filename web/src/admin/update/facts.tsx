// What is known about how this instance is kept current.

import { absoluteTime } from '../../i18n/time.ts';
import { say } from '../words.ts';
import { reason } from './reasons.ts';
import type { Status } from './status.ts';

export function Facts({ status }: { status: Status }) {
  const { lastCheckAt, policy, tier } = status;
  const facts: [string, string][] = [
    [say('update.running'), status.currentVersion ?? '–'],
    [say('update.latest'), status.latest?.version ?? '–'],
    [say('update.checked'), lastCheckAt ? absoluteTime(Date.parse(lastCheckAt)) : '–'],
    [say('update.tier'), tier === 'off' ? tier : `${tier}: ${say(`update.tier.${tier}`)}`],
    [say('update.method'), status.installMethod],
    [say('update.last'), lastAttempt(status)],
  ];
  if (policy && !['ok', 'up-to-date'].includes(policy.reason)) {
    const { word, detail } = reason(policy.reason);
    facts.push([say('update.policy'), word ? say(word) : detail]);
  }
  return (
    <section class="card" aria-labelledby="facts">
      <h2 id="facts">{say('update.facts')}</h2>
      <dl class="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function lastAttempt({ lastResult, execution }: Status): string {
  if (!lastResult) return '–';
  const { outcome, targetTag } = lastResult;
  const tag = targetTag ?? execution.targetTag ?? '';
  const words =
    outcome === 'cancelled'
      ? say('update.outcome.cancelled', { tag })
      : say(`update.state.${outcome}`, { tag });
  return `${absoluteTime(Date.parse(lastResult.at))}: ${words}`;
}
