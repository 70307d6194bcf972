// Every setting with its value, what it means, and whether it is the usual one.

import { useSignal } from '@preact/signals';
import { SearchField } from '../searchField.tsx';
import { say } from '../words.ts';
import { Name } from './name.tsx';
import { found, type Row, type Section } from './overview.ts';
import { Prose } from './prose.tsx';
import { permitted } from './texts.ts';

export function Values({ sections }: { sections: readonly Section[] }) {
  const search = useSignal('');
  const shown = found(sections, search.value);
  return (
    <>
      <search class="wishes">
        <SearchField
          label={say('settings.search')}
          value=""
          onSearch={(value) => {
            search.value = value;
          }}
        />
      </search>
      {shown.map(({ title, heading, rows }) => (
        <section key={title} class="setting-group">
          <h2>{heading ?? title}</h2>
          <dl>
            {rows.map((row) => (
              <Setting key={row.key} row={row} />
            ))}
          </dl>
        </section>
      ))}
      {shown.length === 0 && <p class="hint">{say('settings.nothing')}</p>}
    </>
  );
}

function Setting({ row }: { row: Row }) {
  const lang = row.lang ?? 'en';
  const usual = JSON.stringify(row.default);
  const value = JSON.stringify(row.value);
  return (
    <div class="setting">
      <dt>
        <Name row={row} />
      </dt>
      <dd>
        <code class={value === usual ? 'value' : 'value changed'}>{value}</code>
        <Prose text={row.help} lang={lang} />
        <p class="hint">
          {value === usual ? say('settings.usual') : say('settings.changed', { value: usual })}
          {permitted(row) && <span lang={lang}>{` · ${permitted(row)}`}</span>}
          {row.variable && ` · ${row.variable}`}
        </p>
      </dd>
    </div>
  );
}
