// The status of updates, asked for again and again: also while the service restarts, which ends
// streams and logins.
//
// Invariant: one question at a time. What is shown is never silently old: `away` says that nobody
// answers.

import { type Signal, signal } from '@preact/signals';
import { isUnderWay, type Status } from './status.ts';

const SOON_MS = 1_000;
const PATIENCE_MS = 10_000;

export interface Followed {
  status: Signal<Status | null>;
  log: Signal<string>;
  away: Signal<boolean>;
  // A restart has ended the login; the server says less since then.
  signedOut: Signal<boolean>;
  look: () => Promise<void>;
  close: () => void;
}

interface Options {
  // How often it is asked when nothing happens.
  calmMs: number;
  withLog: boolean;
}

export function follow(base: string, { calmMs, withLog }: Options): Followed {
  const status = signal<Status | null>(null);
  const log = signal('');
  const away = signal(false);
  const signedOut = signal(false);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let looking = Promise.resolve();
  let closed = false;
  let logIsOf = '';

  const ask = async (path: string): Promise<Response | null> => {
    const options = { cache: 'no-store', signal: AbortSignal.timeout(PATIENCE_MS) } as const;
    const answer = await fetch(`${base}admin/update/${path}`, options).catch(() => null);
    if (answer?.status === 401) signedOut.value = true;
    return answer;
  };

  const readLog = async (now: Status): Promise<void> => {
    const mark = JSON.stringify([now.execution, now.lastCheckAt]);
    if (!withLog || signedOut.value) return;
    if (mark === logIsOf && !isUnderWay(now)) return;
    const answer = await ask('log');
    const text = answer?.ok ? await answer.text().catch(() => null) : null;
    if (text === null) return;
    log.value = text;
    logIsOf = mark;
  };

  const once = async (): Promise<void> => {
    const answer = await ask('status');
    const now: Status | null = answer?.ok ? await answer.json().catch(() => null) : null;
    away.value = now === null && !signedOut.value;
    if (!now) return;
    await readLog(now);
    status.value = told(now, status.value);
  };

  const lookLater = (): void => {
    clearTimeout(timer);
    if (closed) return;
    const soon = away.value || (status.value && isUnderWay(status.value));
    timer = setTimeout(() => void look(), soon ? Math.min(SOON_MS, calmMs) : calmMs);
  };

  // Later than anything that was asked before.
  const look = (): Promise<void> => {
    looking = looking.then(once).finally(lookLater);
    return looking;
  };

  void look();
  return {
    status,
    log,
    away,
    signedOut,
    look,
    close: () => {
      closed = true;
      clearTimeout(timer);
    },
  };
}

// Who is not signed in any more does not learn the tag, and has seen it before.
function told(now: Status, before: Status | null): Status {
  const tag = now.execution.targetTag ?? before?.execution.targetTag;
  if (now.execution.status === 'idle' || tag === undefined) return now;
  return { ...now, execution: { ...now.execution, targetTag: tag } };
}
