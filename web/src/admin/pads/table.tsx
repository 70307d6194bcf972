// The table of pads. On a phone a row is a name with a line below it.

import { absoluteTime, relativeTime } from '../../i18n/time.ts';
import { Icon } from '../../ui/icon.tsx';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import type { Boot } from '../boot.ts';
import { useAdmin } from '../context.ts';
import { bytes, count } from '../format.ts';
import { say } from '../words.ts';
import { detailsAddress, downloads, padAddress } from './addresses.ts';
import type { Action } from './bulk.ts';
import type { List, PadLine, Sort } from './list.ts';

interface PadTableProps {
  list: List;
  chosen: ReadonlySet<string>;
  onChoose: (pads: ReadonlySet<string>) => void;
  ask: (action: Action, pads: readonly string[]) => void;
}

export function PadTable({ list, chosen, onChoose, ask }: PadTableProps) {
  const rows = list.rows.value;
  const all = rows.length > 0 && rows.every(({ id }) => chosen.has(id));
  const some = rows.some(({ id }) => chosen.has(id));

  const toggleAll = (): void => {
    const others = [...chosen].filter((id) => !rows.some((row) => row.id === id));
    onChoose(new Set(all ? others : [...chosen, ...rows.map(({ id }) => id)]));
  };

  const toggle = (id: string): void => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    onChoose(next);
  };

  return (
    <table class="list" aria-busy={list.loading.value} data-settled={!list.loading.value}>
      <thead>
        <tr>
          <th class="tick">
            <input
              type="checkbox"
              aria-label={say('pads.choosePage')}
              checked={all}
              // Not an attribute: a box that is neither.
              ref={(box) => {
                if (box) box.indeterminate = some && !all;
              }}
              disabled={rows.length === 0}
              onChange={toggleAll}
            />
          </th>
          <Heading list={list} sort="name" label={say('pads.by.name')} />
          <Heading list={list} sort="revisions" label={say('pads.by.revisions')} number />
          <Heading list={list} sort="bytes" label={say('pads.size')} number />
          <Heading list={list} sort="edited" label={say('pads.by.edited')} />
          <Heading list={list} sort="created" label={say('pads.by.created')} />
          <Heading list={list} sort="people" label={say('pads.people')} number />
          <th>
            <span class="only-heard">{say('pads.actions')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((pad) => (
          <Row
            key={pad.id}
            pad={pad}
            chosen={chosen.has(pad.id)}
            onToggle={() => toggle(pad.id)}
            ask={ask}
          />
        ))}
        {rows.length === 0 && !list.loading.value && !list.weighing.value && (
          <tr>
            <td class="nothing" colSpan={8}>
              {say('pads.nothing')}
            </td>
          </tr>
        )}
      </tbody>
    </table>
  );
}

interface HeadingProps {
  list: List;
  sort: Sort;
  label: string;
  number?: boolean;
}

function Heading({ list, sort, label, number }: HeadingProps) {
  const { query } = list;
  const isChosen = query.value.sort === sort;
  const { descending } = query.value;
  const order = descending ? 'descending' : 'ascending';
  const choose = (): void => {
    const wish = isChosen ? !descending : sort !== 'name';
    const filter = sort === 'people' ? 'occupied' : query.value.filter;
    void list.change({ sort, descending: wish, filter });
  };
  return (
    <th
      class={number ? `number at-${sort}` : `at-${sort}`}
      aria-sort={isChosen ? order : undefined}
    >
      <button type="button" class="sort" onClick={choose}>
        {label}
        {isChosen && <Icon name={descending ? 'down' : 'up'} />}
      </button>
    </th>
  );
}

interface RowProps {
  pad: PadLine;
  chosen: boolean;
  onToggle: () => void;
  ask: (action: Action, pads: readonly string[]) => void;
}

function Row({ pad, chosen, onToggle, ask }: RowProps) {
  const { boot } = useAdmin();
  const now = Date.now();
  const revisions = say('pads.revisions', { count: pad.revisions });
  const edited = relativeTime(pad.edited, now);
  return (
    <tr aria-selected={chosen}>
      <td class="tick">
        <input
          type="checkbox"
          aria-label={say('pads.choose', { pad: pad.id })}
          checked={chosen}
          onChange={onToggle}
        />
      </td>
      <th scope="row" class="at-name">
        <a href={detailsAddress(boot, pad.id)} dir="auto">
          {pad.id}
        </a>
        {pad.title !== null && (
          <p class="title" dir="auto">
            {pad.title}
          </p>
        )}
        <p class="brief">
          {revisions} · {bytes(pad.bytes)} · {edited}
        </p>
      </th>
      <td class="number">{count(pad.revisions)}</td>
      <td class="number">{bytes(pad.bytes)}</td>
      <td class="at-edited">
        <time dateTime={new Date(pad.edited).toISOString()} title={absoluteTime(pad.edited)}>
          {edited}
        </time>
      </td>
      <td class="at-created">
        <time dateTime={new Date(pad.created).toISOString()} title={absoluteTime(pad.created)}>
          {relativeTime(pad.created, now)}
        </time>
      </td>
      <td class="number">{pad.people > 0 ? count(pad.people) : '–'}</td>
      <td class="tools">
        <Menu label={say('pads.actionsOf', { pad: pad.id })} items={actions(boot, pad, ask)}>
          <Icon name="more" />
        </Menu>
      </td>
    </tr>
  );
}

function actions(boot: Boot, pad: PadLine, ask: RowProps['ask']): MenuItem[] {
  const here = padAddress(boot, pad.id);
  return [
    { kind: 'link', icon: 'page', label: say('pads.open'), href: here },
    { kind: 'link', icon: 'history', label: say('pads.history'), href: `${here}/timeslider` },
    { kind: 'line' },
    ...downloads(boot, pad.id),
    { kind: 'line' },
    ...(boot.compaction
      ? [
          {
            icon: 'history' as const,
            label: say('pads.compact'),
            act: () => ask('compact', [pad.id]),
          },
        ]
      : []),
    { icon: 'copy', label: say('pads.archive'), act: () => ask('archive', [pad.id]) },
    { icon: 'trash', label: say('pads.delete'), act: () => ask('delete', [pad.id]) },
  ];
}
