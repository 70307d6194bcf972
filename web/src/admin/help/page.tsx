// Troubleshooting: everything that somebody who helps wants to know, to be copied.
//
// Invariant: no secret and nothing of a pad is in it. What it holds can be read before it is sent.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { CopyField } from '../../ui/copy.tsx';
import { NoticeBox } from '../../ui/notice.tsx';
import { useAdmin } from '../context.ts';
import { type State, watch } from '../dashboard/live.ts';
import { type Overview, rowsOf } from '../settings/overview.ts';
import { say } from '../words.ts';

export function HelpPage() {
  const { api, boot } = useAdmin();
  const text = useSignal('');
  const problem = useSignal('');

  useEffect(() => {
    const live = watch(boot.base);
    const state = new Promise<State>((resolve) => {
      live.state.subscribe((value) => value && resolve(value));
    });
    const gather = async (): Promise<void> => {
      const settings = await api.get<Overview>('api/settings');
      text.value = report(boot.version, settings, await state);
      live.close();
    };
    gather().catch((error) => {
      problem.value = error instanceof Error ? error.message : `${error}`;
    });
    return live.close;
  }, []);

  return (
    <div class="updates" data-settled={text.value !== ''}>
      <ul class="steps">
        <li>{say('help.log')}</li>
        <li>{say('help.health')}</li>
        <li>{say('help.check')}</li>
      </ul>
      {problem.value && (
        <NoticeBox tone="bad" icon="alert" urgent>
          {problem.value}
        </NoticeBox>
      )}
      {text.value && <CopyField label={say('help.report')} value={text.value} rows={20} primary />}
      <p class="hint">{say('help.hint')}</p>
    </div>
  );
}

function report(version: string, settings: Overview, state: State): string {
  const { errors, ...numbers } = state;
  const changed = rowsOf(settings)
    .filter((row) => JSON.stringify(row.value) !== JSON.stringify(row.default))
    .map((row) => `${row.key} = ${JSON.stringify(row.value)}`);
  const lines = errors.map(({ at, error, text }) => {
    return `${new Date(at).toISOString()} ${error ? 'ERROR' : 'WARN'} ${text.trim()}`;
  });
  return [
    `padsvc ${version}`,
    `browser: ${navigator.userAgent}`,
    `time: ${new Date().toISOString()}`,
    '',
    JSON.stringify(numbers, null, 2),
    '',
    'settings that are not the default:',
    ...changed,
    '',
    'recent warnings and errors:',
    ...lines,
  ].join('\n');
}
