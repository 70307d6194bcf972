// The settings of a plugin: the pads it is switched on for, and a form made of its schema. A secret is never shown; an empty field
// leaves it as it is.

import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField, Switch } from '../../ui/field.tsx';
import { NoticeBox } from '../../ui/notice.tsx';
import { useAdmin } from '../context.ts';
import { say } from '../words.ts';
import { type Installed, padLines, type Setting, shownValue, type Value } from './installed.ts';

interface ConfigureDialogProps {
  plugin: Installed;
  // Whether anything was set.
  onClose: (saved: boolean) => void;
}

export function ConfigureDialog({ plugin, onClose }: ConfigureDialogProps) {
  const { api } = useAdmin();
  const { name, title, settings } = plugin;
  const changed = useSignal<Readonly<Record<string, Value>>>({});
  const pads = useSignal(plugin.pads.join('\n'));
  const problem = useSignal('');

  const save = async (): Promise<void> => {
    problem.value = '';
    try {
      const sent = { name, values: changed.value, pads: padLines(pads.value) };
      await api.post('api/plugins/configure', sent);
      onClose(true);
    } catch (error) {
      problem.value = error instanceof Error ? error.message : `${error}`;
    }
  };

  return (
    <Dialog title={say('plugins.configureTitle', { title })} onClose={() => onClose(false)}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        {problem.value && (
          <NoticeBox tone="bad" icon="alert" urgent>
            <span lang="en">{problem.value}</span>
          </NoticeBox>
        )}
        {settings.map((setting) => (
          <SettingField
            key={setting.key}
            setting={setting}
            value={shownValue(changed.value, setting)}
            onChange={(value) => {
              changed.value = withValue(changed.value, setting, value);
            }}
          />
        ))}
        <PadsField
          value={pads.value}
          onChange={(value) => {
            pads.value = value;
          }}
        />
        <div class="dialog-actions">
          <Button type="submit" kind="primary">
            {say('plugins.save')}
          </Button>
          <Button onClick={() => onClose(false)}>{say('cancel')}</Button>
        </div>
      </form>
    </Dialog>
  );
}

function PadsField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{say('plugins.pads')}</label>
      <textarea
        id={id}
        class="input monospace"
        dir="ltr"
        required
        rows={3}
        spellcheck={false}
        aria-describedby={`${id}-hint`}
        value={value}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <p class="hint" id={`${id}-hint`}>
        {say('plugins.padsHint')}
      </p>
    </div>
  );
}

// Without a value, a secret stays what it is.
function withValue(
  values: Readonly<Record<string, Value>>,
  { key, schema }: Setting,
  value: Value,
): Readonly<Record<string, Value>> {
  const { [key]: _, ...others } = values;
  return schema.secret && value === '' ? others : { ...values, [key]: value };
}

interface SettingFieldProps {
  setting: Setting;
  value: Value;
  onChange: (value: Value) => void;
}

function SettingField({ setting, value, onChange }: SettingFieldProps) {
  const { title, schema } = setting;
  const common = { label: title, hint: schema.description };
  if (schema.type === 'boolean') {
    return <Switch {...common} checked={value === true} onChange={onChange} />;
  }
  if (schema.enum) {
    const options = schema.enum.map((choice) => ({ value: choice, label: choice }));
    return <SelectField {...common} value={`${value}`} options={options} onChange={onChange} />;
  }
  return <InputField setting={setting} value={value} onChange={onChange} />;
}

function InputField({ setting, value, onChange }: SettingFieldProps) {
  const id = useId();
  const { title, schema, isSet } = setting;
  const isNumber = schema.type !== 'string';
  const kept = schema.secret && isSet ? say('plugins.secretKept') : '';
  const hint = [schema.description, kept].filter(Boolean).join(' ');
  const attributes = {
    id,
    class: 'input',
    autocomplete: 'off',
    // Only at first: a number that is being typed is not written another way meanwhile.
    defaultValue: `${value}`,
    'aria-describedby': hint ? `${id}-hint` : undefined,
    onInput: ({ currentTarget: input }: { currentTarget: HTMLInputElement }) =>
      onChange(isNumber ? input.valueAsNumber : input.value),
  };
  return (
    <div class="field">
      <label for={id} dir="auto">
        {title}
      </label>
      <Input schema={schema} attributes={attributes} />
      {hint && (
        <p class="hint" id={`${id}-hint`} dir="auto">
          {hint}
        </p>
      )}
    </div>
  );
}

interface InputProps {
  schema: Setting['schema'];
  attributes: {
    id: string;
    class: string;
    autocomplete: string;
    defaultValue: string;
    'aria-describedby': string | undefined;
    onInput: (event: { currentTarget: HTMLInputElement }) => void;
  };
}

function Input({ schema, attributes }: InputProps) {
  const { type, secret, maxLength, minimum, maximum } = schema;
  if (secret) return <input type="password" maxLength={maxLength} {...attributes} />;
  if (type === 'string') return <input type="text" maxLength={maxLength} {...attributes} />;
  const step = type === 'integer' ? 1 : 'any';
  return <input type="number" required step={step} min={minimum} max={maximum} {...attributes} />;
}
