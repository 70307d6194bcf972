// What a change to the settings file comes to, before it is saved and after.
//
// Invariant: what is saved was found good by the reader that starts the service, and was shown as a
// difference before.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { NoticeBox } from '../../ui/notice.tsx';
import { useAdmin } from '../context.ts';
import { say } from '../words.ts';
import { excerpt, lineDiff } from './diff.ts';
import { Notes } from './notes.tsx';
import { Restart } from './restart.tsx';
import type { Verdict } from './verdict.ts';

const AROUND = 2;

interface ReviewProps {
  // The text of the file as it was loaded, and as it will be.
  before: string;
  after: string;
  onClose: (saved: boolean) => void;
}

export function Review({ before, after, onClose }: ReviewProps) {
  const { api } = useAdmin();
  const verdict = useSignal<Verdict | null>(null);
  const saving = useSignal<Promise<void> | null>(null);
  const saved = useSignal<{ backup: string | null } | null>(null);
  const trouble = useSignal('');

  const attempt = async (action: () => Promise<void>): Promise<void> => {
    trouble.value = '';
    try {
      await action();
    } catch (error) {
      trouble.value = error instanceof Error ? error.message : `${error}`;
    }
  };

  useEffect(() => {
    void attempt(async () => {
      verdict.value = await api.post<Verdict>('api/settings/check', { text: after });
    });
  }, []);

  const save = async (): Promise<void> => {
    saving.value = attempt(async () => {
      saved.value = await api.post('api/settings', { text: after, before });
    });
    await saving.value;
    saving.value = null;
  };

  const good = verdict.value?.problems.length === 0;
  // While it is being saved, nobody knows yet what to close with; a refusal stays to be read.
  const close = async (): Promise<void> => {
    if (saving.value) {
      await saving.value;
      if (!saved.value) return;
    }
    onClose(saved.value !== null);
  };
  return (
    <Dialog
      title={say(saved.value ? 'settings.savedTitle' : 'settings.compareTitle')}
      onClose={() => void close()}
    >
      {trouble.value && (
        <NoticeBox tone="bad" icon="alert" urgent>
          <span lang="en">{trouble.value}</span>
        </NoticeBox>
      )}
      {saved.value ? (
        <>
          <NoticeBox tone="good" icon="check" urgent>
            {say('settings.saved')}{' '}
            {saved.value.backup && say('settings.backup', { file: saved.value.backup })}
          </NoticeBox>
          <Restart />
          <div class="dialog-actions">
            <Button onClick={() => void close()}>{say('settings.close')}</Button>
          </div>
        </>
      ) : (
        <>
          <Difference before={before} after={after} />
          <div role="status" class="verdict">
            {verdict.value ? (
              <Notes verdict={verdict.value} />
            ) : (
              <p class="hint">{say('settings.checking')}</p>
            )}
          </div>
          <p class="hint">{say('settings.restart')}</p>
          <div class="dialog-actions">
            <Button
              kind="primary"
              disabled={!good || saving.value !== null}
              onClick={() => void save()}
            >
              {say('settings.save')}
            </Button>
            <Button onClick={() => void close()}>{say('cancel')}</Button>
          </div>
        </>
      )}
    </Dialog>
  );
}

function Difference({ before, after }: { before: string; after: string }) {
  const lines = excerpt(lineDiff(before, after), AROUND);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys.
    <pre class="file difference" dir="ltr" tabIndex={0}>
      {lines.map((line, index) => {
        const key = `${index}`;
        if (line === null) return <div key={key}>⋯</div>;
        if (line.kind === 'same') return <div key={key}>{`  ${line.text}`}</div>;
        if (line.kind === 'old') return <del key={key}>{`- ${line.text}`}</del>;
        return <ins key={key}>{`+ ${line.text}`}</ins>;
      })}
    </pre>
  );
}
