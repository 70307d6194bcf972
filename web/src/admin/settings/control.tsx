// The control for a value, by its kind.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { say } from '../words.ts';
import type { Row } from './overview.ts';

interface ControlProps {
  row: Row;
  id: string;
  value: unknown;
  // The ids of the elements that describe it.
  about: string;
  invalid: boolean;
  disabled: boolean;
  // `null` is back to the default, `undefined` no change.
  onChange: (value: unknown) => void;
  // Whether what is typed is no value at all, yet.
  onBroken: (isBroken: boolean) => void;
}

export function Control(props: ControlProps) {
  const { row, id, value, about, invalid, disabled, onChange } = props;
  const common = {
    id,
    disabled,
    'aria-describedby': about,
    'aria-invalid': invalid || undefined,
  };
  if (row.kind === 'flag') {
    return (
      <input
        {...common}
        class="switch"
        type="checkbox"
        role="switch"
        aria-checked={value === true}
        checked={value === true}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    );
  }
  if (row.kind === 'choice') {
    const options = row.options ?? [];
    // Upper and lower case are alike; what cannot be chosen is shown as it is.
    const chosen = options.find((option) => option.toLowerCase() === `${value}`.toLowerCase());
    const shown = chosen === undefined ? [`${value}`, ...options] : options;
    return (
      <select
        {...common}
        class="input"
        value={chosen ?? `${value}`}
        onChange={(event) => onChange(event.currentTarget.value)}
      >
        {shown.map((option) => (
          <option key={option} selected={option === (chosen ?? `${value}`)}>
            {option}
          </option>
        ))}
      </select>
    );
  }
  if (row.kind === 'whole') return <NumberField {...props} />;
  if (row.kind === 'list' || row.kind === 'object') return <JsonArea {...props} />;
  const text = {
    ...common,
    class: 'input',
    spellcheck: false,
    autocomplete: row.kind === 'secret' ? 'new-password' : 'off',
  };
  if (row.kind === 'secret') {
    return (
      <input
        {...text}
        type="password"
        value={typeof value === 'string' ? value : ''}
        onInput={(event) => onChange(event.currentTarget.value || undefined)}
      />
    );
  }
  const written = typeof value === 'string' ? value : '';
  // An empty text is a value only where the default is one.
  const give = (text: string): void => onChange(text === '' && row.default === null ? null : text);
  if (/\n/.test(`${row.default}${written}`)) {
    return (
      <textarea
        {...text}
        rows={4}
        value={written}
        onInput={(event) => give(event.currentTarget.value)}
      />
    );
  }
  return (
    <input
      {...text}
      type="text"
      value={written}
      onInput={(event) => give(event.currentTarget.value)}
    />
  );
}

// While it is typed in, the field shows what was typed, also nothing at all.
function NumberField({ row, id, value, about, invalid, disabled, onChange }: ControlProps) {
  const typed = useSignal<string | null>(null);
  return (
    <input
      id={id}
      class="input number"
      type="number"
      disabled={disabled}
      aria-describedby={about}
      aria-invalid={invalid || undefined}
      min={row.least}
      max={row.most}
      value={typed.value ?? `${value ?? ''}`}
      onInput={({ currentTarget }) => {
        typed.value = currentTarget.value;
        onChange(typed.value === '' ? null : currentTarget.valueAsNumber);
      }}
      onBlur={() => {
        typed.value = null;
      }}
    />
  );
}

// Lists and objects are written as JSON. What is not JSON yet is kept as long as it is typed.
function JsonArea(props: ControlProps) {
  const { id, value, about, invalid, disabled, onChange, onBroken } = props;
  const given = value === null ? '' : JSON.stringify(value, null, 2);
  const typed = useSignal<string | null>(null);
  const text = typed.value ?? given;
  const reason = unreadable(text);

  useEffect(() => {
    onBroken(reason !== '');
    return () => onBroken(false);
  }, [reason !== '']);

  return (
    <>
      <textarea
        id={id}
        class="input monospace settings-text"
        disabled={disabled}
        aria-describedby={`${about} ${id}-json`}
        aria-invalid={invalid || reason !== '' || undefined}
        rows={Math.min(Math.max(text.split('\n').length, 2), 14)}
        spellcheck={false}
        autocapitalize="none"
        dir="ltr"
        value={text}
        onInput={(event) => {
          typed.value = event.currentTarget.value;
          if (!unreadable(typed.value)) onChange(JSON.parse(typed.value || 'null'));
        }}
        onBlur={() => {
          if (!reason) typed.value = null;
        }}
      />
      <p class={reason ? 'field-problem' : 'hint'} id={`${id}-json`} role="status">
        {reason ? say('form.notJson', { reason }) : say('form.json')}
      </p>
    </>
  );
}

function unreadable(text: string): string {
  try {
    JSON.parse(text || 'null');
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : `${error}`;
  }
}
