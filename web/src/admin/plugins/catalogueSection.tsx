// The catalogue of Etherpad's plugins, with what each of them means here.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { absoluteTime, relativeTime } from '../../i18n/time.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/field.tsx';
import { NoticeBox } from '../../ui/notice.tsx';
import { useAdmin } from '../context.ts';
import { count } from '../format.ts';
import { SearchField } from '../searchField.tsx';
import { say, type Word } from '../words.ts';
import {
  type Catalogue,
  changed,
  PAGE,
  type Plugin,
  SORTS,
  type Sort,
  select,
} from './catalogue.ts';

export function CatalogueSection() {
  const { api } = useAdmin();
  const catalogue = useSignal<Catalogue | null>(null);
  const busy = useSignal(true);
  const problem = useSignal('');

  const take = async (answer: Promise<Catalogue>): Promise<void> => {
    busy.value = true;
    problem.value = '';
    try {
      catalogue.value = await answer;
    } catch (error) {
      problem.value = error instanceof Error ? error.message : `${error}`;
    }
    busy.value = false;
  };

  useEffect(() => {
    void take(api.get<Catalogue>('api/plugins/catalogue'));
  }, []);

  const { off, address, fetched, plugins } = catalogue.value ?? {};
  const failed = problem.value || catalogue.value?.problem;
  return (
    <section class="catalogue" aria-labelledby="catalogue" data-settled={!busy.value}>
      <h2 id="catalogue">{say('plugins.catalogue')}</h2>
      {off && (
        <NoticeBox>
          {say(off === 'updateServer' ? 'plugins.off.server' : 'plugins.off.privacy')}
        </NoticeBox>
      )}
      {failed && (
        <NoticeBox tone="warn" icon="alert">
          {say('plugins.problem')} <span lang="en">{failed}</span>
        </NoticeBox>
      )}
      {!off && (
        <div class="wishes">
          <p class="hint" role="status">
            {busy.value && say('plugins.fetching')}
            {!busy.value &&
              address &&
              fetched &&
              say('plugins.fetched', { address, time: relativeTime(fetched, Date.now()) })}
          </p>
          <Button
            icon="refresh"
            disabled={busy.value}
            onClick={() => void take(api.post<Catalogue>('api/plugins/catalogue', {}))}
          >
            {say('plugins.fetch')}
          </Button>
        </div>
      )}
      {plugins && plugins.length > 0 && <Plugins plugins={plugins} />}
    </section>
  );
}

function Plugins({ plugins }: { plugins: readonly Plugin[] }) {
  const search = useSignal('');
  const sort = useSignal<Sort>('name');
  const page = useSignal(0);
  const found = select(plugins, search.value, sort.value);
  const shown = found.slice(page.value * PAGE, (page.value + 1) * PAGE);

  return (
    <>
      <search class="wishes">
        <SearchField
          label={say('plugins.search')}
          value=""
          onSearch={(value) => {
            search.value = value;
            page.value = 0;
          }}
        />
        <SelectField
          label={say('plugins.sort')}
          value={sort.value}
          options={SORTS.map((value) => ({ value, label: say(`plugins.by.${value}`) }))}
          onChange={(value) => {
            sort.value = value as Sort;
            page.value = 0;
          }}
        />
      </search>
      <p class="hint" role="status">
        {say('plugins.found', { count: found.length })}
      </p>
      <table class="list">
        <thead>
          <tr>
            <th class="at-name">{say('plugins.by.name')}</th>
            <th>{say('plugins.by.updated')}</th>
            <th>{say('plugins.by.here')}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((plugin) => (
            <Line key={plugin.name} plugin={plugin} />
          ))}
          {shown.length === 0 && (
            <tr>
              <td class="nothing" colSpan={3}>
                {say('plugins.nothing')}
              </td>
            </tr>
          )}
        </tbody>
      </table>
      {found.length > PAGE && (
        <nav class="pager" aria-label={say('pads.pages')}>
          <Button
            icon="back"
            disabled={page.value === 0}
            onClick={() => {
              page.value -= 1;
            }}
          >
            {say('pads.previous')}
          </Button>
          <p>{say('pads.page', { page: count(page.value + 1) })}</p>
          <Button
            icon="forth"
            disabled={(page.value + 1) * PAGE >= found.length}
            onClick={() => {
              page.value += 1;
            }}
          >
            {say('pads.next')}
          </Button>
        </nav>
      )}
    </>
  );
}

function Line({ plugin }: { plugin: Plugin }) {
  const { name, description, version, official } = plugin;
  const at = changed(plugin);
  return (
    <tr>
      <th scope="row" class="at-name">
        <code dir="ltr">{name}</code> {version && <span class="hint">{version}</span>}{' '}
        {official && <span class="mark">{say('plugins.official')}</span>}
        {description && (
          <p class="hint" lang="en" dir="ltr">
            {description}
          </p>
        )}
        <p class="brief">
          <Here plugin={plugin} />
          {at > 0 && ` · ${relativeTime(at, Date.now())}`}
        </p>
      </th>
      <td class="at-edited">
        {at > 0 && (
          <time dateTime={new Date(at).toISOString()} title={absoluteTime(at)}>
            {relativeTime(at, Date.now())}
          </time>
        )}
      </td>
      <td>
        <Here plugin={plugin} />
      </td>
    </tr>
  );
}

function Here({ plugin: { builtIn } }: { plugin: Plugin }) {
  if (!builtIn) return <span class="hint">{say('plugins.notHere')}</span>;
  return (
    <>
      <strong class="built-in">{say('plugins.isBuiltIn')}</strong>:{' '}
      {say(`plugins.builtIn.${builtIn}` as Word)}
    </>
  );
}
