// What extends this instance: the optional features that are built in, and what can be installed.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { NoticeBox } from '../../ui/notice.tsx';
import { useAdmin } from '../context.ts';
import { type Overview, type Row, rowsOf } from '../settings/overview.ts';
import { say } from '../words.ts';

// The settings that switch something on.
const FEATURES: readonly string[] = [
  'cleanup.enabled',
  'gdprAuthorErasure.enabled',
  'docxExport',
  'soffice',
  'login.issuer',
  'requireAuthentication',
  'privacyBanner.enabled',
  'enableMetrics',
  'updates.tier',
  'privacy.updateCheck',
  'privacy.pluginCatalog',
];

export function PluginsPage() {
  const { api, boot } = useAdmin();
  const rows = useSignal<readonly Row[] | null>(null);
  const problem = useSignal('');

  useEffect(() => {
    api
      .get<Overview>('api/settings')
      .then((settings) => {
        rows.value = rowsOf(settings).filter(({ key }) => FEATURES.includes(key));
      })
      .catch((error) => {
        problem.value = error instanceof Error ? error.message : `${error}`;
      });
  }, []);

  return (
    <div class="updates" data-settled={rows.value !== null}>
      <NoticeBox>{say('plugins.honest')}</NoticeBox>
      {problem.value && (
        <NoticeBox tone="bad" icon="alert" urgent>
          {problem.value}
        </NoticeBox>
      )}
      <section class="setting-group" aria-labelledby="features">
        <h2 id="features">{say('plugins.features')}</h2>
        <dl>
          {rows.value?.map((row) => (
            <div key={row.key} class="setting">
              <dt>
                <code>{row.key}</code>
              </dt>
              <dd>
                <strong>{say(isOn(row.value) ? 'plugins.on' : 'plugins.off')}</strong>
                <p lang="en">{row.help}</p>
              </dd>
            </div>
          ))}
        </dl>
      </section>
      <p>
        {say('plugins.change')} <a href={`${boot.base}admin/settings`}>{say('nav.settings')}</a>
      </p>
    </div>
  );
}

function isOn(value: unknown): boolean {
  return value !== false && value !== null && value !== '' && value !== 'off';
}
