// Every setting with its value, what it means, and whether it is the usual one.

import { useSignal } from '@preact/signals';
import { SearchField } from '../searchField.tsx';
import { say } from '../words.ts';
import { found, type Row, type Section } from './overview.ts';
import { Prose } from './prose.tsx';

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
      {shown.map(({ title, rows }) => (
        <section key={title} class="setting-group">
          <h2 lang="en">{title}</h2>
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
  const usual = JSON.stringify(row.default);
  const value = JSON.stringify(row.value);
  return (
    <div class="setting" lang="en">
      <dt>
        <code>{row.key}</code>
      </dt>
      <dd>
        <code class={value === usual ? 'value' : 'value changed'}>{value}</code>
        <Prose text={row.help} />
        <p class="hint">
          <span lang={document.documentElement.lang}>
            {value === usual ? say('settings.usual') : say('settings.changed', { value: usual })}
          </span>
          {row.allowed && ` · ${row.allowed}`}
          {row.variable && ` · ${row.variable}`}
        </p>
      </dd>
    </div>
  );
}
