// What extends this service: plugins that are installed, features that are built in, files of the
// operator's own, and the catalogue of what could extend Etherpad. Or the page of one plugin, if the
// address names it.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { NoticeBox } from '../../ui/notice.tsx';
import { useAdmin } from '../context.ts';
import { say } from '../words.ts';
import { CatalogueSection } from './catalogueSection.tsx';
import { type Custom, CustomSection } from './custom.tsx';
import { type Feature, Features } from './features.tsx';
import { InstalledSection } from './installedSection.tsx';
import { PluginPage } from './pluginPage.tsx';

interface Extensions {
  features: readonly Feature[];
  // The text of the settings file; `null` where administrators may not see it.
  file: string | null;
  custom: Custom;
}

export function PluginsPage() {
  const { plugin } = useAdmin().boot;
  return plugin ? <PluginPage name={plugin} /> : <ExtensionsPage />;
}

function ExtensionsPage() {
  const { api } = useAdmin();
  const answer = useSignal<Extensions | null>(null);
  const problem = useSignal('');

  const load = async (): Promise<void> => {
    try {
      answer.value = await api.get<Extensions>('api/plugins');
    } catch (error) {
      problem.value = error instanceof Error ? error.message : `${error}`;
    }
  };

  useEffect(() => {
    void load();
  }, []);

  return (
    <div class="plugins" data-settled={answer.value !== null}>
      <InstalledSection />
      <NoticeBox>{say('plugins.honest')}</NoticeBox>
      {problem.value && (
        <NoticeBox tone="bad" icon="alert" urgent>
          {problem.value}
        </NoticeBox>
      )}
      {answer.value && (
        <>
          <Features features={answer.value.features} file={answer.value.file} onSaved={load} />
          <CustomSection custom={answer.value.custom} />
        </>
      )}
      <CatalogueSection />
    </div>
  );
}
