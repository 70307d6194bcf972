// The page of a plugin: parts that its worker describes, shown with our elements. All of it is text.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { language } from '../../i18n/text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { NoticeBox } from '../../ui/notice.tsx';
import { useAdmin } from '../context.ts';
import { say } from '../words.ts';

interface PressButton {
  action: string;
  label: string;
  // A question to answer before.
  confirm: string | null;
}

// Exactly one of them.
interface Part {
  heading?: string;
  text?: string;
  values?: readonly (readonly [string, string])[];
  table?: { columns: readonly string[]; rows: readonly (readonly string[])[] };
  button?: PressButton;
}

interface Answer {
  title: string;
  parts: readonly Part[];
}

export function PluginPage({ name }: { name: string }) {
  const { api, boot } = useAdmin();
  const answer = useSignal<Answer | null>(null);
  const busy = useSignal(true);
  const problem = useSignal('');
  const asked = useSignal<PressButton | null>(null);

  const take = async (request: Promise<Answer>): Promise<void> => {
    busy.value = true;
    problem.value = '';
    try {
      answer.value = await request;
    } catch (error) {
      problem.value = error instanceof Error ? error.message : `${error}`;
    }
    busy.value = false;
  };
  useEffect(() => {
    const wanted = new URLSearchParams({ name, language: language() });
    void take(api.get<Answer>(`api/plugins/page?${wanted}`));
  }, []);
  const press = ({ action }: PressButton): void => {
    const request = { name, language: language(), action };
    void take(api.post<Answer>('api/plugins/page', request));
  };

  return (
    <section class="plugin-page" aria-labelledby="plugin" data-settled={!busy.value}>
      <p>
        <a href={`${boot.base}admin/plugins`}>{say('plugins.page.all')}</a>
      </p>
      <h2 id="plugin" dir="auto">
        {answer.value?.title ?? name}
      </h2>
      {problem.value && (
        <NoticeBox tone="bad" icon="alert" urgent>
          <span dir="auto">{problem.value}</span>
        </NoticeBox>
      )}
      <p class="only-heard" role="status">
        {busy.value && say('plugins.page.waiting')}
      </p>
      {answer.value && (
        <Parts
          parts={answer.value.parts}
          busy={busy.value}
          onPress={(button) => {
            if (button.confirm) asked.value = button;
            else press(button);
          }}
        />
      )}
      {asked.value && (
        <Confirm
          button={asked.value}
          onClose={(button) => {
            asked.value = null;
            if (button) press(button);
          }}
        />
      )}
    </section>
  );
}

interface PartsProps {
  parts: readonly Part[];
  busy: boolean;
  onPress: (button: PressButton) => void;
}

function Parts({ parts, busy, onPress }: PartsProps) {
  if (parts.length === 0) return <p class="hint">{say('plugins.page.empty')}</p>;
  return (
    <>
      {parts.map((part, index) => (
        <PartView key={`${index}`} part={part} busy={busy} onPress={onPress} />
      ))}
    </>
  );
}

function PartView({ part, busy, onPress }: Omit<PartsProps, 'parts'> & { part: Part }) {
  const { heading, text, values, table, button } = part;
  if (heading !== undefined) return <h3 dir="auto">{heading}</h3>;
  if (text !== undefined) {
    return (
      <p class="plugin-text" dir="auto">
        {text}
      </p>
    );
  }
  if (values) return <Values values={values} />;
  if (table) return <Table {...table} />;
  if (!button) return null;
  return (
    <p>
      <Button disabled={busy} onClick={() => onPress(button)}>
        <span dir="auto">{button.label}</span>
      </Button>
    </p>
  );
}

function Values({ values }: { values: readonly (readonly [string, string])[] }) {
  return (
    <dl class="plugin-values">
      {values.map(([name, value], index) => (
        <div key={`${index}`}>
          <dt dir="auto">{name}</dt>
          <dd dir="auto">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Table({ columns, rows }: NonNullable<Part['table']>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard
    <section class="plugin-table" tabIndex={0} aria-label={columns.join(', ')}>
      <table class="list">
        <thead>
          <tr>
            {columns.map((column, index) => (
              <th key={`${index}`} dir="auto">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={`${index}`}>
              {row.map((cell, index) => (
                <td key={`${index}`} dir="auto">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface ConfirmProps {
  button: PressButton;
  // With the button if it is meant.
  onClose: (button: PressButton | null) => void;
}

function Confirm({ button, onClose }: ConfirmProps) {
  return (
    <Dialog title={button.label} onClose={() => onClose(null)}>
      <div class="form">
        <p dir="auto">{button.confirm}</p>
        <div class="dialog-actions">
          <Button kind="primary" onClick={() => onClose(button)}>
            <span dir="auto">{button.label}</span>
          </Button>
          <Button onClick={() => onClose(null)}>{say('cancel')}</Button>
        </div>
      </div>
    </Dialog>
  );
}
