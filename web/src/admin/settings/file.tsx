// The settings file as it is, comments and all: changed, checked, compared, saved.
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

const TYPING_MS = 400;
const AROUND = 2;

interface Note {
  key: string;
  line: number | null;
  text: string;
}

interface Verdict {
  problems: readonly Note[];
  warnings: readonly Note[];
}

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
  const saved = useSignal(false);
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

  const save = async (): Promise<void> => {
    comparing.value = false;
    try {
      await api.post('api/settings', { text: text.value, before });
      saved.value = true;
      await onSaved();
    } catch (error) {
      told(error);
    }
  };

  const changed = text.value !== before;
  const good = verdict.value !== null && verdict.value.problems.length === 0;
  return (
    <>
      <p class="hint">
        {say('settings.fileHint')} <code>{path}</code>
      </p>
      {saved.value && (
        <NoticeBox tone="good" icon="check" urgent>
          {say('settings.saved')}
        </NoticeBox>
      )}
      {trouble.value && (
        <NoticeBox tone="bad" icon="alert" urgent onDismiss={() => (trouble.value = '')}>
          {trouble.value}
        </NoticeBox>
      )}
      <textarea
        class="input monospace settings-text"
        aria-label={say('settings.file')}
        rows={24}
        spellcheck={false}
        autocapitalize="none"
        dir="ltr"
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value;
          saved.value = false;
        }}
      />
      <div role="status" class="verdict">
        {verdict.value && <Notes verdict={verdict.value} />}
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
        <Dialog title={say('settings.compareTitle')} onClose={() => (comparing.value = false)}>
          <Difference before={before} after={text.value} />
          <p class="hint">{say('settings.restart')}</p>
          <div class="dialog-actions">
            <Button kind="primary" onClick={() => void save()}>
              {say('settings.save')}
            </Button>
            <Button onClick={() => (comparing.value = false)}>{say('cancel')}</Button>
          </div>
        </Dialog>
      )}
    </>
  );
}

function Notes({ verdict }: { verdict: Verdict }) {
  const { problems, warnings } = verdict;
  if (problems.length + warnings.length === 0) return <p class="hint">{say('settings.good')}</p>;
  return (
    <>
      {problems.map(({ text }) => (
        <NoticeBox key={text} tone="bad" icon="alert">
          <span lang="en">{text}</span>
        </NoticeBox>
      ))}
      {warnings.map(({ text }) => (
        <NoticeBox key={text} tone="warn">
          <span lang="en">{text}</span>
        </NoticeBox>
      ))}
    </>
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
