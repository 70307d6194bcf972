// Health: whether anything needs a look, why, and what to do.

import { relativeTime } from '../../i18n/time.ts';
import { NoticeBox } from '../../ui/notice.tsx';
import { useAdmin } from '../context.ts';
import { bytes, milliseconds } from '../format.ts';
import type { Status } from '../update/status.ts';
import { aboutVersions } from '../update/versions.ts';
import { say } from '../words.ts';
import { Alerts } from './alerts.tsx';
import type { Problem } from './series.ts';

interface HealthProps {
  problems: readonly Problem[] | undefined;
  update: Status | null;
}

export function Health({ problems, update }: HealthProps) {
  const { boot } = useAdmin();
  // A newer version is no fault: it is in the line about versions.
  const faults = problems?.filter(({ kind }) => kind !== 'update');
  return (
    <section class="band" aria-labelledby="health">
      <h2 id="health">{say('dash.health')}</h2>
      {faults?.length === 0 && (
        <NoticeBox tone="good" icon="check">
          {say('dash.healthy')}
        </NoticeBox>
      )}
      {faults?.map((problem) => (
        <NoticeBox
          key={problem.kind + ('name' in problem ? problem.name : '')}
          tone="warn"
          icon="alert"
        >
          {sentence(problem)}{' '}
          {problem.kind === 'updateFailed' && (
            <a href={`${boot.base}admin/update`}>{say('dash.more')}</a>
          )}
        </NoticeBox>
      ))}
      {update && (
        <p>
          {say('dash.version')} {boot.version}. {aboutVersions(update)}{' '}
          <a href={`${boot.base}admin/update`}>{say('dash.more')}</a>
        </p>
      )}
      <Alerts />
    </section>
  );
}

export function sentence(problem: Problem): string {
  switch (problem.kind) {
    case 'storing':
      return say('dash.health.storing', { reason: problem.reason });
    case 'disk':
      return say('dash.health.disk', { free: bytes(problem.free) });
    case 'latency':
      return say('dash.health.latency', { time: milliseconds(problem.ms) });
    case 'log':
      return say('dash.health.log', { count: problem.count });
    case 'update':
      return say('update.available', { version: problem.version });
    case 'backup':
      return problem.reason
        ? say('backup.failed', { reason: problem.reason })
        : say('dash.health.backup');
    case 'certificate':
      return say('dash.health.certificate', { time: relativeTime(problem.ends, Date.now()) });
    case 'plugin':
      return say('dash.health.plugin', { name: problem.name, reason: problem.reason ?? '' });
    case 'updateFailed':
      return say('update.why.acknowledge-first');
  }
}
