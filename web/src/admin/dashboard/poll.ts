// Something that is asked for now and again, as long as somebody looks at it.

import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { useAdmin } from '../context.ts';

export function usePolled<T>(path: string, pauseMs: number): Signal<T | null> {
  const { api } = useAdmin();
  const answer = useSignal<T | null>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let closed = false;
    const load = async (): Promise<void> => {
      // What is lost is said by the stream of the page; the next try may succeed.
      const found = await api.get<T>(path).catch(() => null);
      if (closed) return;
      if (found !== null) answer.value = found;
      timer = setTimeout(load, pauseMs);
    };
    void load();
    return () => {
      closed = true;
      clearTimeout(timer);
    };
  }, [api, path, pauseMs, answer]);
  return answer;
}
