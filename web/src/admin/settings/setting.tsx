// One setting in the form: its field, what it means, where its value comes from, and what is wrong
// with it.

import { useId } from 'preact/hooks';
import { Button } from '../../ui/button.tsx';
import { say } from '../words.ts';
import { type Changes, current, same } from './changes.ts';
import { Control } from './control.tsx';
import { Name } from './name.tsx';
import type { Row } from './overview.ts';
import { Prose } from './prose.tsx';
import { permitted } from './texts.ts';
import type { Note } from './verdict.ts';

// Nobody sees the lines of the file in the form.
const PLACE = /^line \d+, column \d+: /;
// What crates/settings/src/diagnostics.rs says of a value that is not allowed.
const REFUSED = / is .+, but must be /;

interface SettingProps {
  row: Row;
  changes: Changes;
  problems: readonly Note[];
  warnings: readonly Note[];
  onChange: (value: unknown) => void;
  onBroken: (isBroken: boolean) => void;
}

export function Setting(props: SettingProps) {
  const { row, changes, problems, warnings, onChange, onBroken } = props;
  const id = useId();
  const lang = row.lang ?? 'en';
  const isChanged = row.key in changes;
  const isReset = isChanged && changes[row.key] === null;
  const isFilled = row.placeholder !== null && !isChanged;
  const value = row.kind === 'secret' ? changes[row.key] : current(row, changes);
  const isFixed = row.overruled !== null || row.locked;
  return (
    <div class="setting" data-key={row.key}>
      <div class="setting-name">
        <label for={id}>
          <Name row={row} />
        </label>{' '}
        {isChanged && <span class="chip accent">{say('form.changed')}</span>}
      </div>
      <div class="setting-value">
        {isFilled ? (
          <Filled row={row} id={id} onInstead={() => onChange(row.next)} />
        ) : (
          <Control
            row={row}
            id={id}
            value={value}
            about={`${id}-about ${id}-notes`}
            invalid={problems.length > 0}
            disabled={isFixed}
            onChange={onChange}
            onBroken={onBroken}
          />
        )}
        <div id={`${id}-notes`} class="setting-notes">
          {problems.map(({ text }) => (
            <Problem key={text} row={row} text={text} />
          ))}
          {isChanged &&
            warnings.map(({ text }) => (
              <p key={text} class="field-warning" lang="en">
                {text.replace(PLACE, '')}
              </p>
            ))}
        </div>
        <div id={`${id}-about`} class="setting-about">
          {row.overruled && (
            <p class="field-warning">{say('form.overruled', { name: row.overruled })}</p>
          )}
          {row.locked && <p class="hint">{say('form.locked')}</p>}
          <Prose text={row.help} lang={lang} />
          <p class="hint">
            {source(row)}
            {row.kind !== 'choice' && permitted(row) && (
              <span lang={lang}>{` · ${permitted(row)}`}</span>
            )}
            {row.variable && ` · ${row.variable}`}
          </p>
        </div>
        {!isFixed && (isChanged || row.given) && (
          <div class="setting-actions">
            {isChanged && <Button onClick={() => onChange(undefined)}>{say('form.undo')}</Button>}
            {row.given && !isReset && (
              <Button onClick={() => onChange(null)}>
                {say('form.reset')}
                <span class="only-heard">{row.key}</span>
              </Button>
            )}
          </div>
        )}
      </div>
    </div>
  );
}

// The server says in English why it refuses a value; where that is only what may be written, the
// reader's language says it too.
function Problem({ row, text }: { row: Row; text: string }) {
  const allowed = permitted(row);
  const { lang = 'en' } = row;
  const isSaid = lang !== 'en' && allowed !== '' && REFUSED.test(text);
  return (
    <p class="field-problem" role="alert" lang={isSaid ? lang : 'en'}>
      {isSaid ? say('form.refused', { allowed }) : text.replace(PLACE, '')}
    </p>
  );
}

// The value is that of a variable, which is named in the file.
function Filled({ row, id, onInstead }: { row: Row; id: string; onInstead: () => void }) {
  return (
    <div class="filled">
      <output id={id} class="chip">
        <code>{`\${${row.placeholder}}`}</code>
        {row.kind !== 'secret' && <code>{JSON.stringify(row.next)}</code>}
      </output>
      {row.overruled === null && !row.locked && (
        <Button onClick={onInstead}>{say('form.instead')}</Button>
      )}
    </div>
  );
}

function source(row: Row): string {
  if (row.kind === 'secret') return say(row.given ? 'form.secretSet' : 'form.secretUnset');
  const usual = row.default === null ? say('form.none') : JSON.stringify(row.default);
  const about = say('form.default', { value: usual });
  if (same(row.next, row.value)) return about;
  return `${about} · ${say('form.pending', { value: JSON.stringify(row.value) })}`;
}
