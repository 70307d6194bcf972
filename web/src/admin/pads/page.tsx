// The pads: searched, sorted, filtered, a page at a time, and what can be done with them.

import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { announce } from '../../a11y/announcer.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/field.tsx';
import { NoticeBox } from '../../ui/notice.tsx';
import { useAdmin } from '../context.ts';
import { count } from '../format.ts';
import { SearchField } from '../searchField.tsx';
import { say } from '../words.ts';
import type { Action } from './bulk.ts';
import { BulkDialog } from './bulkDialog.tsx';
import { PadDetails } from './details.tsx';
import { createList, type Filter, type List, readQuery, writeQuery } from './list.ts';
import { PadTable } from './table.tsx';

// So many pads can be chosen at once; what is done to them is done by the browser, bit by bit.
const MOST_CHOSEN = 10_000;

const FILTERS: readonly Filter[] = ['', 'occupied', 'groups', 'untouched'];

interface Asked {
  action: Action;
  pads: readonly string[];
}

// The list, or the page of one pad if the address names it.
export function PadsPage() {
  const pad = new URLSearchParams(location.search).get('pad');
  return pad === null ? <PadList /> : <PadDetails name={pad} />;
}

function PadList() {
  const { api } = useAdmin();
  const list = useMemo(() => createList(api, readQuery(location.search)), [api]);
  const chosen = useSignal<ReadonlySet<string>>(new Set());
  const asked = useSignal<Asked | null>(null);

  useEffect(() => {
    void list.load();
  }, [list]);

  const { loading, rows, problem } = list;
  useEffect(() => {
    if (!loading.value) announce(say('pads.shown', { count: rows.value.length }));
  }, [loading.value, rows.value]);

  const ask = (action: Action, pads: readonly string[]): void => {
    asked.value = { action, pads };
  };

  return (
    <>
      <Wishes
        list={list}
        onChange={() => {
          chosen.value = new Set();
          history.replaceState(null, '', writeQuery(list.query.value));
        }}
      />
      {problem.value && (
        <NoticeBox
          tone="bad"
          icon="alert"
          urgent
          actions={[{ label: say('again'), act: () => void list.load() }]}
        >
          {problem.value}
        </NoticeBox>
      )}
      <Chosen
        list={list}
        chosen={chosen.value}
        onChoose={(pads) => (chosen.value = pads)}
        ask={ask}
      />
      <PadTable
        list={list}
        chosen={chosen.value}
        onChoose={(pads) => (chosen.value = pads)}
        ask={ask}
      />
      <Pager list={list} />
      {asked.value && (
        <BulkDialog
          action={asked.value.action}
          pads={asked.value.pads}
          onClose={(done) => {
            asked.value = null;
            if (!done) return;
            chosen.value = new Set();
            void list.load();
          }}
        />
      )}
    </>
  );
}

function Wishes({ list, onChange }: { list: List; onChange: () => void }) {
  const { search, filter } = list.query.value;
  const change = (wish: Parameters<List['change']>[0]): void => {
    void list.change(wish);
    onChange();
  };

  return (
    <search class="wishes">
      <SearchField
        label={say('pads.search')}
        value={search}
        onSearch={(value) => change({ search: value })}
      />
      <SelectField
        label={say('pads.filter')}
        value={filter}
        options={FILTERS.map((value) => ({ value, label: say(`pads.filter.${value || 'all'}`) }))}
        onChange={(value) => change({ filter: value as Filter })}
      />
    </search>
  );
}

interface ChosenProps {
  list: List;
  chosen: ReadonlySet<string>;
  onChoose: (pads: ReadonlySet<string>) => void;
  ask: (action: Action, pads: readonly string[]) => void;
}

function Chosen({ list, chosen, onChoose, ask }: ChosenProps) {
  const { boot } = useAdmin();
  const gathering = useSignal(false);
  if (chosen.size === 0) return null;
  const pads = [...chosen];

  const gather = async (): Promise<void> => {
    gathering.value = true;
    try {
      onChoose(new Set(await list.everything(MOST_CHOSEN)));
    } catch (error) {
      list.problem.value = error instanceof Error ? error.message : `${error}`;
    }
    gathering.value = false;
  };

  return (
    <section class="chosen" aria-label={say('pads.chosenLabel')}>
      <p role="status">{say('pads.chosen', { count: chosen.size })}</p>
      {list.next.value !== null && chosen.size < MOST_CHOSEN && (
        <Button disabled={gathering.value} onClick={() => void gather()}>
          {say('pads.chooseAll')}
        </Button>
      )}
      {boot.compaction && (
        <Button icon="history" onClick={() => ask('compact', pads)}>
          {say('pads.compact')}
        </Button>
      )}
      <Button icon="copy" onClick={() => ask('archive', pads)}>
        {say('pads.archive')}
      </Button>
      <Button icon="trash" kind="danger" onClick={() => ask('delete', pads)}>
        {say('pads.delete')}
      </Button>
      <Button onClick={() => onChoose(new Set())}>{say('pads.chooseNone')}</Button>
    </section>
  );
}

function Pager({ list }: { list: List }) {
  const { before, next, loading, rows } = list;
  const page = before.value.length + 1;
  return (
    <nav class="pager" aria-label={say('pads.pages')}>
      <Button icon="back" disabled={page === 1 || loading.value} onClick={() => void list.back()}>
        {say('pads.previous')}
      </Button>
      <p>
        {loading.value
          ? say('pads.looking', { count: rows.value.length })
          : say('pads.page', { page: count(page) })}
      </p>
      <Button
        icon="forth"
        disabled={next.value === null || loading.value}
        onClick={() => void list.forth()}
      >
        {say('pads.next')}
      </Button>
    </nav>
  );
}
