// The audit log: what administrators did, the newest first, searched, filtered, downloaded.

import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { absoluteTime, relativeTime } from '../../i18n/time.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/field.tsx';
import { NoticeBox } from '../../ui/notice.tsx';
import { useAdmin } from '../context.ts';
import { createRows } from '../rows.ts';
import { SearchField } from '../searchField.tsx';
import { say, type Word } from '../words.ts';

interface Line {
  time: number;
  principal: string;
  action: string;
  target: string;
  detail: string;
  done: boolean;
}

interface Answer {
  lines: Line[];
  next: string | null;
  days: number;
}

// How actions begin, and the pages that they are of.
const KINDS: readonly [string, Word][] = [
  ['pads.', 'nav.pads'],
  ['authors.', 'nav.authors'],
  ['message', 'nav.message'],
  ['settings', 'nav.settings'],
  ['backups', 'backup.title'],
  ['alerts', 'alert.title'],
  ['update.', 'nav.update'],
  ['plugins.', 'nav.plugins'],
];

export function AuditPage() {
  const { api, boot } = useAdmin();
  const search = useSignal('');
  const kind = useSignal('');
  const days = useSignal<number | null>(null);
  const query = new URLSearchParams({ search: search.value, action: kind.value }).toString();
  const list = useMemo(
    () =>
      createRows<Line>(async (after) => {
        const more = after === null ? '' : `&after=${encodeURIComponent(after)}`;
        const answer = await api.get<Answer>(`api/audit?${query}${more}`);
        days.value = answer.days;
        return { rows: answer.lines, next: answer.next };
      }),
    [api, query, days],
  );
  useEffect(() => {
    void list.load(null);
  }, [list]);
  const { rows, next, loading, problem } = list;
  const link = (format: string): string => `${boot.base}admin/api/audit?${query}&format=${format}`;
  return (
    <>
      {days.value !== null && <p class="hint">{say('audit.hint', { days: days.value })}</p>}
      <search class="wishes">
        <SearchField
          label={say('audit.search')}
          value={search.value}
          onSearch={(text) => {
            search.value = text;
          }}
        />
        <SelectField
          label={say('pads.filter')}
          value={kind.value}
          options={[
            { value: '', label: say('audit.all') },
            ...KINDS.map(([value, word]) => ({ value, label: say(word) })),
          ]}
          onChange={(value) => {
            kind.value = value;
          }}
        />
      </search>
      <p class="audit-files">
        <a href={link('csv')} download>
          {say('dash.csv')}
        </a>{' '}
        <a href={link('json')} download>
          {say('audit.json')}
        </a>
      </p>
      {problem.value && (
        <NoticeBox tone="bad" icon="alert" urgent>
          {problem.value}
        </NoticeBox>
      )}
      <table
        class="list"
        data-settled={!loading.value}
        aria-busy={loading.value ? 'true' : undefined}
      >
        <thead>
          <tr>
            <th scope="col" class="at-edited">
              {say('dash.time')}
            </th>
            <th scope="col">{say('audit.who')}</th>
            <th scope="col">{say('audit.action')}</th>
            <th scope="col" class="at-name">
              {say('audit.target')}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.value.map((line, at) => (
            // Lines may be alike; their order is what tells them apart.
            <Row key={`${line.time} ${at}`} line={line} />
          ))}
        </tbody>
      </table>
      {!loading.value && rows.value.length === 0 && <p class="hint">{say('audit.nothing')}</p>}
      {next.value !== null && !loading.value && (
        <p>
          <Button onClick={() => void list.load(next.value, rows.value)}>
            {say('audit.more')}
          </Button>
        </p>
      )}
    </>
  );
}

function Row({ line: { time, principal, action, target, detail, done } }: { line: Line }) {
  const what = done ? action : `${action} (${say('audit.failed')})`;
  return (
    <tr>
      <td class="at-edited always">
        <time dateTime={new Date(time).toISOString()} title={absoluteTime(time)}>
          {relativeTime(time, Date.now())}
        </time>
      </td>
      <td>{principal}</td>
      <td>{what}</td>
      <td class="at-name always">
        {target}
        <span class="brief">
          {principal}, {what}
        </span>
        {detail && <p class="hint">{detail}</p>}
      </td>
    </tr>
  );
}
