// A field for every setting; what is changed in them is a change of the file's text.
//
// Invariant: what the server says of a change is of the changes that are shown; nothing is saved
// before it is reviewed.

import { useComputed, useSignal } from '@preact/signals';
import { useEffect, useId } from 'preact/hooks';
import { Button } from '../../ui/button.tsx';
import { NoticeBox } from '../../ui/notice.tsx';
import { useAdmin } from '../context.ts';
import { SearchField } from '../searchField.tsx';
import { say } from '../words.ts';
import { type Changes, change, notesOf } from './changes.ts';
import { found, type Section } from './overview.ts';
import { Review } from './review.tsx';
import { Setting } from './setting.tsx';
import type { Note, Verdict } from './verdict.ts';

const TYPING_MS = 400;

interface Edited extends Verdict {
  text: string;
  // What it was made of.
  changes: Changes;
}

interface FormProps {
  sections: readonly Section[];
  // The text of the file.
  before: string;
  onSaved: () => Promise<void>;
}

export function Form({ sections, before, onSaved }: FormProps) {
  const { api } = useAdmin();
  const id = useId();
  // Other pages lead to one setting of many.
  const search = useSignal(new URLSearchParams(location.search).get('search') ?? '');
  const changes = useSignal<Changes>({});
  const edited = useSignal<Edited | null>(null);
  const broken = useSignal<readonly string[]>([]);
  const reviewing = useSignal('');
  const trouble = useSignal('');
  const count = useComputed(() => Object.keys(changes.value).length);

  useEffect(() => {
    if (count.value === 0) {
      edited.value = null;
      return;
    }
    const ask = async (): Promise<void> => {
      const asked = changes.value;
      const body = { text: before, changes: asked };
      const answer = await api.post<Omit<Edited, 'changes'>>('api/settings/edit', body);
      if (asked !== changes.peek()) return;
      trouble.value = '';
      edited.value = { ...answer, changes: asked };
    };
    const told = (error: unknown): void => {
      trouble.value = error instanceof Error ? error.message : `${error}`;
    };
    const timer = setTimeout(() => void ask().catch(told), TYPING_MS);
    return () => clearTimeout(timer);
  }, [changes.value]);

  const answer = edited.value;
  const isFresh = answer !== null && answer.changes === changes.value;
  const isGood = isFresh && answer.problems.length === 0 && broken.value.length === 0;
  const problems: readonly Note[] = answer?.problems ?? [];
  const rows = sections.flatMap((section) => section.rows);
  // Of keys that have no field here, or of the file as a whole.
  const others = problems.filter((note) => !rows.some((row) => notesOf(row, [note]).length > 0));
  const shown = found(sections, search.value);
  return (
    <div class="settings-form">
      <search class="wishes">
        <SearchField
          label={say('settings.search')}
          value={search.value}
          onSearch={(value) => {
            search.value = value;
          }}
        />
      </search>
      <div class="settings-columns">
        <nav class="contents" aria-label={say('form.contents')}>
          <ul>
            {shown.map(({ title, heading }) => (
              <li key={title}>
                <a href={`#${id}-${slug(title)}`}>{heading ?? title}</a>
              </li>
            ))}
          </ul>
        </nav>
        <div class="settings-sections">
          {shown.map(({ title, heading, rows }) => (
            <section key={title} class="setting-group">
              <h2 id={`${id}-${slug(title)}`}>{heading ?? title}</h2>
              <div class="setting-list">
                {rows.map((row) => (
                  <Setting
                    key={row.key}
                    row={row}
                    changes={changes.value}
                    problems={notesOf(row, problems)}
                    warnings={notesOf(row, answer?.warnings ?? [])}
                    onChange={(value) => {
                      changes.value = change(changes.value, row, value);
                    }}
                    onBroken={(isBroken) => {
                      const others = broken.value.filter((key) => key !== row.key);
                      broken.value = isBroken ? [...others, row.key] : others;
                    }}
                  />
                ))}
              </div>
            </section>
          ))}
          {shown.length === 0 && <p class="hint">{say('settings.nothing')}</p>}
        </div>
      </div>
      {trouble.value && (
        <NoticeBox tone="bad" icon="alert" urgent>
          {trouble.value}
        </NoticeBox>
      )}
      {others.map(({ text }) => (
        <NoticeBox key={text} tone="bad" icon="alert">
          <span lang="en">{text}</span>
        </NoticeBox>
      ))}
      {count.value > 0 && (
        <div class="chosen settings-bar" data-fresh={isFresh}>
          <p role="status">{say('form.count', { count: count.value })}</p>
          <Button
            kind="primary"
            disabled={!isGood}
            onClick={() => {
              reviewing.value = answer?.text ?? '';
            }}
          >
            {say('settings.compare')}
          </Button>
          <Button
            onClick={() => {
              changes.value = {};
            }}
          >
            {say('settings.revert')}
          </Button>
        </div>
      )}
      {reviewing.value && (
        <Review
          before={before}
          after={reviewing.value}
          onClose={(saved) => {
            reviewing.value = '';
            if (saved) void onSaved();
          }}
        />
      )}
    </div>
  );
}

function slug(title: string): string {
  return title.toLowerCase().replaceAll(/[^a-z]+/g, '-');
}
