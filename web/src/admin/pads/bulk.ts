// Something done to many pads, some at a time.
//
// Invariant: what is done is counted when the server has said so. Stopping takes effect before the
// next few; nothing that was begun is left half done.

import { signal } from '@preact/signals';
import type { Api } from '../api.ts';

const AT_ONCE = 20;

export type Action = 'delete' | 'compact' | 'archive';

interface Answer {
  done: string[];
  failed: Record<string, string>;
}

export interface Progress {
  total: number;
  done: number;
  failed: readonly { pad: string; reason: string }[];
  state: 'running' | 'stopped' | 'over';
}

export type Bulk = ReturnType<typeof createBulk>;

export function createBulk(api: Api, action: Action, pads: readonly string[], options: object) {
  const progress = signal<Progress>({ total: pads.length, done: 0, failed: [], state: 'running' });
  let stopped = false;

  const run = async (): Promise<void> => {
    for (let at = 0; at < pads.length && !stopped; at += AT_ONCE) {
      const some = pads.slice(at, at + AT_ONCE);
      const { done, failed } = await act(some);
      const { value } = progress;
      const reasons = Object.entries(failed).map(([pad, reason]) => ({ pad, reason }));
      progress.value = {
        ...value,
        done: value.done + done.length,
        failed: [...value.failed, ...reasons],
      };
    }
    progress.value = { ...progress.value, state: stopped ? 'stopped' : 'over' };
  };

  const act = async (some: readonly string[]): Promise<Answer> => {
    try {
      return await api.post<Answer>(`api/pads/${action}`, { pads: some, ...options });
    } catch (error) {
      // Whether they were done is not known; going on would fail the same way.
      stopped = true;
      const reason = error instanceof Error ? error.message : `${error}`;
      return { done: [], failed: Object.fromEntries(some.map((pad) => [pad, reason])) };
    }
  };

  return {
    progress,
    run,
    stop: () => {
      stopped = true;
    },
  };
}
