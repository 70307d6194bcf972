// The settings: a form, the file it changes, and what is in force.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { language } from '../../i18n/text.ts';
import { NoticeBox } from '../../ui/notice.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { useAdmin } from '../context.ts';
import { say } from '../words.ts';
import { same } from './changes.ts';
import { FileEditor } from './file.tsx';
import { Form } from './form.tsx';
import { type Overview, rowsOf } from './overview.ts';
import { Restart } from './restart.tsx';
import { loadTexts, translated } from './texts.ts';
import { Values } from './values.tsx';

export function SettingsPage() {
  const { api } = useAdmin();
  const answer = useSignal<Overview | null>(null);
  const problem = useSignal('');
  const tab = useSignal<'form' | 'file' | 'values'>('form');

  const load = async (): Promise<void> => {
    try {
      const code = language();
      const [overview, texts] = await Promise.all([
        api.get<Overview>('api/settings'),
        loadTexts(code),
      ]);
      const sections = texts ? translated(overview.sections, texts, code) : overview.sections;
      answer.value = { ...overview, sections };
    } catch (error) {
      problem.value = error instanceof Error ? error.message : `${error}`;
    }
  };

  useEffect(() => {
    void load();
  }, []);

  if (problem.value) {
    return (
      <NoticeBox tone="bad" icon="alert" urgent>
        {problem.value}
      </NoticeBox>
    );
  }
  if (!answer.value) return null;
  const { sections, file } = answer.value;
  const waiting = rowsOf(answer.value).filter(({ next, value }) => !same(next, value));
  return (
    <div class="settings" data-settled="true">
      {waiting.length > 0 && (
        <section class="card">
          <p>
            {say('settings.waiting')}{' '}
            <span lang="en">{waiting.map(({ key }) => key).join(', ')}</span>
          </p>
          <Restart />
        </section>
      )}
      <Tabs
        label={say('nav.settings')}
        tabs={[
          { name: 'form', label: say('settings.form') },
          { name: 'file', label: say('settings.file') },
          { name: 'values', label: say('settings.values') },
        ]}
        chosen={tab.value}
        onChoose={(name) => {
          tab.value = name;
        }}
      >
        {tab.value === 'values' && (
          <>
            <Values sections={sections} />
            {waiting.length === 0 && <Restart />}
          </>
        )}
        {tab.value !== 'values' && !file && <NoticeBox>{say('settings.hidden')}</NoticeBox>}
        {tab.value !== 'values' && file?.text === null && (
          <NoticeBox tone="bad" icon="alert">
            {say('settings.unreadable')} <code>{file.path}</code>
            {file.problems.map(({ text }) => (
              <p key={text} lang="en">
                {text}
              </p>
            ))}
          </NoticeBox>
        )}
        {tab.value === 'form' && file && file.text !== null && (
          <Form key={file.text} sections={sections} before={file.text} onSaved={load} />
        )}
        {tab.value === 'file' && file && file.text !== null && (
          <FileEditor key={file.text} path={file.path} before={file.text} onSaved={load} />
        )}
      </Tabs>
    </div>
  );
}
