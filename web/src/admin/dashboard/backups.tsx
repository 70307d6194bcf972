// Backups: the last one and its age, one made and downloaded by a button, the schedule, and the
// test of a restore.
//
// Invariant: jobs run on the server whether anybody looks or not; the page shows how far they are.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { relativeTime } from '../../i18n/time.ts';
import { Button } from '../../ui/button.tsx';
import { NoticeBox } from '../../ui/notice.tsx';
import { useAdmin } from '../context.ts';
import { bytes, count, percent } from '../format.ts';
import { say } from '../words.ts';
import { usePolled } from './poll.ts';

interface BackupFile {
  name: string;
  at: number;
  bytes: number;
}

interface Test {
  at: number;
  pads: number;
  revisions: number;
  problem: string | null;
}

interface Answer {
  files: readonly BackupFile[];
  // Of any node; its file may be on another one.
  last: BackupFile | null;
  failure: { at: number; reason: string } | null;
  test: Test | null;
  running: { kind: 'backup' | 'test'; progress: number | null } | null;
  everyHours: number;
  keep: number;
}

const POLL_MS = 30_000;
const RUNNING_POLL_MS = 500;

export function Backups() {
  const { api, boot } = useAdmin();
  const pause = useSignal(POLL_MS);
  const answer = usePolled<Answer>('api/backups', pause.value).value;
  const problem = useSignal('');
  // The file that was asked for here, and is downloaded when it is made.
  const wanted = useSignal<string | null>(null);
  const link = (name: string): string => `${boot.base}admin/api/backups/download/${name}`;
  const running = answer?.running ?? null;

  useEffect(() => {
    const name = wanted.value;
    const isMade = answer?.files.some((file) => file.name === name);
    if (name && !running && (isMade || answer?.failure)) {
      wanted.value = null;
      if (isMade) location.assign(link(name));
    }
    pause.value = running || wanted.value ? RUNNING_POLL_MS : POLL_MS;
  }, [answer]);

  const begin = async (path: string, download: boolean): Promise<void> => {
    problem.value = '';
    try {
      const { name } = await api.post<{ name: string }>(path, {});
      if (download) wanted.value = name;
      pause.value = RUNNING_POLL_MS;
    } catch (error) {
      problem.value = error instanceof Error ? error.message : `${error}`;
    }
  };

  if (!answer) return null;
  const { last, failure, test, files, everyHours, keep } = answer;
  const isHere = files.some(({ name }) => name === last?.name);
  const doing = (kind: 'backup' | 'test'): boolean => running?.kind === kind;
  const far = typeof running?.progress === 'number' ? ` ${percent(running.progress)}` : '';
  return (
    <section
      class="jobs backups"
      aria-labelledby="backups"
      aria-busy={running ? 'true' : undefined}
    >
      <h3 id="backups">{say('backup.title')}</h3>
      <p>
        {last
          ? say('backup.last', { time: relativeTime(last.at, Date.now()), size: bytes(last.bytes) })
          : say('backup.none')}{' '}
        {last && isHere && (
          <a href={link(last.name)} download>
            {say('backup.download')}
          </a>
        )}
      </p>
      <p class="hint">
        {everyHours > 0 ? say('backup.schedule', { hours: everyHours, keep }) : say('backup.off')}
      </p>
      {failure && !running && (
        <NoticeBox tone="warn" icon="alert">
          {say('backup.failed', { reason: failure.reason })}
        </NoticeBox>
      )}
      {test && !running && <TestResult test={test} />}
      {problem.value && (
        <NoticeBox tone="bad" icon="alert" urgent>
          {problem.value}
        </NoticeBox>
      )}
      <div class="job-actions">
        <Button disabled={running !== null} onClick={() => void begin('api/backups', true)}>
          {say('backup.make')}
        </Button>
        {files.length > 0 && (
          <Button disabled={running !== null} onClick={() => void begin('api/backups/test', false)}>
            {say('backup.test')}
          </Button>
        )}
        <span role="status">
          {doing('backup') && `${say('backup.making')}${far}`}
          {doing('test') && `${say('backup.testing')}${far}`}
        </span>
      </div>
    </section>
  );
}

function TestResult({ test: { at, pads, revisions, problem } }: { test: Test }) {
  const time = relativeTime(at, Date.now());
  if (problem) {
    return (
      <NoticeBox tone="bad" icon="alert">
        {say('backup.testFailed', { time, reason: problem })}
      </NoticeBox>
    );
  }
  return <p>{say('backup.tested', { time, pads: count(pads), revisions: count(revisions) })}</p>;
}
