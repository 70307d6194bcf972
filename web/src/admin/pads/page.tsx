// The pads: searched, sorted, filtered, a page at a time, and what can be done with them.

import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { announce } from '../../a11y/announcer.ts';
import { relativeTime } from '../../i18n/time.ts';
import { Button } from '../../ui/button.tsx';
import { NoticeBox } from '../../ui/notice.tsx';
import { useAdmin } from '../context.ts';
import { count } from '../format.ts';
import { say } from '../words.ts';
import type { Action } from './bulk.ts';
import { BulkDialog } from './bulkDialog.tsx';
import { PadDetails } from './details.tsx';
import type { List } from './list.ts';
import { createList, readQuery, writeQuery } from './list.ts';
import { PadTable } from './table.tsx';
import { Wishes } from './wishes.tsx';

// So many pads can be chosen at once; what is done to them is done by the browser, bit by bit.
const MOST_CHOSEN = 10_000;

// So many are known to the server.
const MOST_LARGEST = 1000;

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

  const { loading, rows, problem, query } = list;
  // From the first wish on, the address says what is shown.
  const first = useRef(query.value);
  useEffect(() => {
    if (query.value !== first.current) history.replaceState(null, '', writeQuery(query.value));
  }, [query.value]);
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
      {list.query.value.sort === 'bytes' && <Largest list={list} />}
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

// Which pads are the largest is not known at each moment.
function Largest({ list }: { list: List }) {
  const { measured, weighing, rows } = list;
  if (weighing.value) return <NoticeBox>{say('dash.weighing')}</NoticeBox>;
  if (measured.value === null || rows.value.length === 0) return null;
  const time = relativeTime(measured.value, Date.now());
  return <p class="hint">{say('pads.largest', { count: count(MOST_LARGEST), time })}</p>;
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
