// Shows what erasing an author would remove, asks, and does it.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { NoticeBox } from '../../ui/notice.tsx';
import { useAdmin } from '../context.ts';
import { count } from '../format.ts';
import { say, type Word } from '../words.ts';
import type { Author } from './list.ts';

interface Traces {
  affectedPads: number;
  removedTokenMappings: number;
  removedExternalMappings: number;
  clearedChatMessages: number;
}

const COUNTERS: readonly { name: keyof Traces; label: Word }[] = [
  { name: 'affectedPads', label: 'authors.pads' },
  { name: 'removedTokenMappings', label: 'authors.tokens' },
  { name: 'removedExternalMappings', label: 'authors.mappings' },
  { name: 'clearedChatMessages', label: 'authors.messages' },
];

interface EraseDialogProps {
  author: Author;
  onClose: (done: boolean) => void;
}

export function EraseDialog({ author, onClose }: EraseDialogProps) {
  const { api } = useAdmin();
  const traces = useSignal<Traces | null>(null);
  const state = useSignal<'asking' | 'working' | 'done'>('asking');
  const problem = useSignal('');

  const ask = async (path: string): Promise<boolean> => {
    try {
      traces.value = await api.post<Traces>(`api/authors/${path}`, { author: author.id });
      return true;
    } catch (error) {
      problem.value = error instanceof Error ? error.message : `${error}`;
      return false;
    }
  };

  useEffect(() => {
    void ask('preview');
  }, []);

  const erase = async (): Promise<void> => {
    state.value = 'working';
    state.value = (await ask('erase')) ? 'done' : 'asking';
  };

  const done = state.value === 'done';
  const close = (): void => onClose(done);
  return (
    <Dialog title={say('authors.eraseTitle', { name: author.name ?? author.id })} onClose={close}>
      <p role="status">{say(done ? 'authors.done' : 'authors.hint')}</p>
      {problem.value && (
        <NoticeBox tone="bad" icon="alert" urgent>
          {problem.value}
        </NoticeBox>
      )}
      {traces.value && (
        <dl class="facts">
          {COUNTERS.map(({ name, label }) => (
            <div key={name}>
              <dt>{say(label)}</dt>
              <dd>{count(traces.value?.[name] ?? 0)}</dd>
            </div>
          ))}
        </dl>
      )}
      <div class="dialog-actions">
        {done ? (
          <Button kind="primary" onClick={close}>
            {say('pads.finish')}
          </Button>
        ) : (
          <>
            <Button
              kind="danger"
              disabled={traces.value === null || state.value === 'working'}
              onClick={() => void erase()}
            >
              {say('authors.do')}
            </Button>
            <Button onClick={close}>{say('cancel')}</Button>
          </>
        )}
      </div>
    </Dialog>
  );
}
