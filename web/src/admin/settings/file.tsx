// The settings file as it is, comments and all: changed, checked, compared, saved.
//
// Invariant: it is reviewed before it is saved.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Button } from '../../ui/button.tsx';
import { NoticeBox } from '../../ui/notice.tsx';
import { useAdmin } from '../context.ts';
import { say } from '../words.ts';
import { Lines } from './lines.tsx';
import { Notes } from './notes.tsx';
import { Review } from './review.tsx';
import type { Verdict } from './verdict.ts';

const TYPING_MS = 400;

interface FileEditorProps {
  path: string;
  before: string;
  onSaved: () => Promise<void>;
}

export function FileEditor({ path, before, onSaved }: FileEditorProps) {
  const { api } = useAdmin();
  const text = useSignal(before);
  const verdict = useSignal<Verdict | null>(null);
  const comparing = useSignal(false);
  const goTo = useSignal<number | null>(null);
  const trouble = useSignal('');

  const told = (error: unknown): void => {
    trouble.value = error instanceof Error ? error.message : `${error}`;
  };

  useEffect(() => {
    verdict.value = null;
    const ask = async (): Promise<void> => {
      const asked = text.value;
      const answer = await api.post<Verdict>('api/settings/check', { text: asked });
      if (asked === text.peek()) verdict.value = answer;
    };
    const timer = setTimeout(() => void ask().catch(told), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text.value]);

  const changed = text.value !== before;
  const good = verdict.value !== null && verdict.value.problems.length === 0;
  return (
    <>
      <p class="hint">
        {say('settings.fileHint')} {say('settings.masked')} <code>{path}</code>
      </p>
      {trouble.value && (
        <NoticeBox tone="bad" icon="alert" urgent onDismiss={() => (trouble.value = '')}>
          {trouble.value}
        </NoticeBox>
      )}
      <Lines label={say('settings.file')} text={text} goTo={goTo} />
      <div role="status" class="verdict">
        {verdict.value && <Notes verdict={verdict.value} onGo={(line) => (goTo.value = line)} />}
      </div>
      <div class="dialog-actions">
        <Button
          kind="primary"
          disabled={!changed || !good}
          onClick={() => (comparing.value = true)}
        >
          {say('settings.compare')}
        </Button>
        <Button disabled={!changed} onClick={() => (text.value = before)}>
          {say('settings.revert')}
        </Button>
      </div>
      {comparing.value && (
        <Review
          before={before}
          after={text.value}
          onClose={(saved) => {
            comparing.value = false;
            if (saved) void onSaved();
          }}
        />
      )}
    </>
  );
}
