// The settings: what is in force, and the file it comes from.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { NoticeBox } from '../../ui/notice.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { useAdmin } from '../context.ts';
import { say } from '../words.ts';
import { FileEditor } from './file.tsx';
import type { Overview } from './overview.ts';
import { Values } from './values.tsx';

export function SettingsPage() {
  const { api } = useAdmin();
  const answer = useSignal<Overview | null>(null);
  const problem = useSignal('');
  const tab = useSignal<'values' | 'file'>('values');

  const load = async (): Promise<void> => {
    try {
      answer.value = await api.get<Overview>('api/settings');
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
  return (
    <div class="settings" data-settled="true">
      <Tabs
        label={say('nav.settings')}
        tabs={[
          { name: 'values', label: say('settings.values') },
          { name: 'file', label: say('settings.file') },
        ]}
        chosen={tab.value}
        onChoose={(name) => {
          tab.value = name;
        }}
      >
        {tab.value === 'values' && <Values sections={sections} />}
        {tab.value === 'file' &&
          (file ? (
            <FileEditor key={file.text} path={file.path} before={file.text} onSaved={load} />
          ) : (
            <NoticeBox>{say('settings.hidden')}</NoticeBox>
          ))}
      </Tabs>
    </div>
  );
}
