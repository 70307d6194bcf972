// Fields of forms: each with its label, and a hint that is read with it.

import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { t } from '../i18n/text.ts';

interface Common {
  label: string;
  hint?: string | undefined;
  disabled?: boolean;
}

interface TextFieldProps extends Common {
  value: string;
  onInput: (value: string) => void;
  // What is longer stays in the field, which says so: nothing is cut without a word. The caller asks
  // `isTooLong` before it takes the text.
  longest?: number;
  autocomplete?: string;
  autofocus?: boolean;
  monospace?: boolean;
  // Given by those who put the focus into it.
  id?: string;
  inputMode?: 'text' | 'url';
  invalid?: boolean;
}

export function isTooLong(value: string, longest: number): boolean {
  return value.trim().length > longest;
}

export function TextField(props: TextFieldProps) {
  const { label, value, onInput, monospace, longest = Infinity, ...rest } = props;
  const own = useId();
  const id = props.id ?? own;
  const tooLong = isTooLong(value, longest);
  const hint = tooLong ? t('title.tooLong', { most: longest }) : props.hint;
  const invalid = tooLong || props.invalid;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        class={monospace ? 'input monospace' : 'input'}
        type="text"
        value={value}
        onInput={(event) => onInput(event.currentTarget.value)}
        {...rest}
        aria-describedby={hint && `${id}-hint`}
        aria-invalid={invalid || undefined}
        id={id}
      />
      {hint && (
        <p class="hint" id={`${id}-hint`} role={tooLong ? 'alert' : undefined}>
          {hint}
        </p>
      )}
    </div>
  );
}

export interface Option {
  value: string;
  label: string;
}

interface SelectFieldProps extends Common {
  value: string;
  options: readonly Option[];
  onChange: (value: string) => void;
}

export function SelectField({ label, hint, value, options, onChange, disabled }: SelectFieldProps) {
  const id = useId();
  return (
    <div class="field row">
      <label for={id}>{label}</label>
      <select
        id={id}
        class="input"
        value={value}
        disabled={disabled}
        aria-describedby={hint && `${id}-hint`}
        onChange={(event) => onChange(event.currentTarget.value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} selected={option.value === value}>
            {option.label}
          </option>
        ))}
      </select>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

interface SwitchProps extends Common {
  checked: boolean;
  onChange: (checked: boolean) => void;
}

export function Switch({ label, hint, checked, onChange, disabled }: SwitchProps) {
  const id = useId();
  return (
    <div class="field row">
      <label for={id}>{label}</label>
      <input
        id={id}
        class="switch"
        type="checkbox"
        role="switch"
        aria-checked={checked}
        checked={checked}
        disabled={disabled}
        aria-describedby={hint && `${id}-hint`}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

interface SegmentsProps<Value extends string> {
  label: string;
  value: Value;
  options: readonly { value: Value; label: string }[];
  onChange: (value: Value) => void;
  disabled?: boolean;
  hideLabel?: boolean;
}

// A few choices side by side, of which one holds.
export function Segments<Value extends string>(props: SegmentsProps<Value>) {
  const { label, value, options, onChange, disabled, hideLabel } = props;
  const name = useId();
  return (
    <fieldset class="field segments" disabled={disabled}>
      <legend class={hideLabel ? 'only-heard' : undefined}>{label}</legend>
      <div class="segment-row">
        {options.map((option) => (
          <label key={option.value} class="segment">
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            <span>{option.label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

export function FieldGroup({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="group">
      <h3>{title}</h3>
      {children}
    </section>
  );
}
