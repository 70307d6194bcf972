// The page of one pad: what is known about it, who is in it, and what can be done with it.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { absoluteTime, relativeTime } from '../../i18n/time.ts';
import { tint } from '../../theme/colour.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Menu } from '../../ui/menu.tsx';
import { NoticeBox } from '../../ui/notice.tsx';
import { ApiError } from '../api.ts';
import { useAdmin } from '../context.ts';
import { bytes, count } from '../format.ts';
import { say } from '../words.ts';
import { downloads, padAddress } from './addresses.ts';
import type { Action } from './bulk.ts';
import { BulkDialog } from './bulkDialog.tsx';

interface Person {
  name: string | null;
  colour: string;
}

interface Pad {
  id: string;
  title: string | null;
  group: string | null;
  public: boolean;
  created: number;
  edited: number;
  revisions: number;
  // Null if it cannot be read.
  bytes: number | null;
  characters: number | null;
  messages: number;
  saved: number;
  readOnlyId: string | null;
  people: Person[];
  authors: (Person & { id: string })[];
  // Not all of them may be named.
  authorCount: number;
}

export function PadDetails({ name }: { name: string }) {
  const { api, boot } = useAdmin();
  const pad = useSignal<Pad | null>(null);
  const problem = useSignal('');
  const settled = useSignal(false);
  const asked = useSignal<Action | null>(null);
  const all = `${boot.base}admin/pads`;

  const load = async (): Promise<void> => {
    problem.value = '';
    try {
      pad.value = await api.get<Pad>(`api/pad?${new URLSearchParams({ pad: name })}`);
    } catch (error) {
      const isMissing = error instanceof ApiError && error.status === 404;
      pad.value = null;
      problem.value = isMissing ? say('pad.missing') : `${(error as Error).message}`;
    }
    settled.value = true;
  };

  useEffect(() => {
    const page = pad.value?.title ?? name;
    document.title = say('title', { page, service: boot.service });
  }, [pad.value]);
  useEffect(() => {
    void load();
  }, []);

  const close = (done: boolean): void => {
    const action = asked.value;
    asked.value = null;
    if (!done) return;
    if (action === 'compact') void load();
    // An archive has the name of the pad in its own.
    else
      location.assign(
        action === 'archive' ? `${all}?${new URLSearchParams({ search: name })}` : all,
      );
  };

  return (
    <section class="pad-details" aria-labelledby="pad" data-settled={settled.value}>
      <p>
        <a href={all}>{say('pads.filter.all')}</a>
      </p>
      <div>
        <h2 id="pad">
          <bdi>{pad.value?.title ?? name}</bdi>
        </h2>
        {pad.value?.title && (
          <p class="hint monospace">
            <bdi>{name}</bdi>
          </p>
        )}
      </div>
      {problem.value && (
        <NoticeBox tone="bad" icon="alert" urgent>
          {problem.value}
        </NoticeBox>
      )}
      {pad.value && (
        <>
          <Actions pad={pad.value} ask={(action) => (asked.value = action)} />
          <Numbers pad={pad.value} />
          <Facts pad={pad.value} />
          <People title={say('pad.now')} people={pad.value.people} />
          <People
            title={say('nav.authors')}
            people={pad.value.authors}
            total={pad.value.authorCount}
          />
        </>
      )}
      {asked.value && <BulkDialog action={asked.value} pads={[name]} onClose={close} />}
    </section>
  );
}

function Actions({ pad, ask }: { pad: Pad; ask: (action: Action) => void }) {
  const { boot } = useAdmin();
  const here = padAddress(boot, pad.id);
  return (
    <div class="pad-actions">
      <a class="button primary" href={here}>
        <Icon name="page" />
        {say('pads.open')}
      </a>
      <a class="button plain" href={`${here}/timeslider`}>
        <Icon name="history" />
        {say('pads.history')}
      </a>
      <Menu
        label={say('pad.download')}
        class="button plain"
        tip={false}
        items={downloads(boot, pad.id)}
      >
        <Icon name="download" />
        {say('pad.download')}
      </Menu>
      {boot.compaction && (
        <Button icon="history" onClick={() => ask('compact')}>
          {say('pads.compact')}
        </Button>
      )}
      <Button icon="copy" onClick={() => ask('archive')}>
        {say('pads.archive')}
      </Button>
      <Button icon="trash" kind="danger" onClick={() => ask('delete')}>
        {say('pads.delete')}
      </Button>
    </div>
  );
}

function Numbers({ pad }: { pad: Pad }) {
  const number = (value: number | null): string => (value === null ? '–' : count(value));
  const tiles: [string, string][] = [
    [say('pads.by.revisions'), count(pad.revisions)],
    [say('pads.size'), pad.bytes === null ? '–' : bytes(pad.bytes)],
    [say('pad.characters'), number(pad.characters)],
    [say('pad.messages'), count(pad.messages)],
    [say('pad.saved'), count(pad.saved)],
  ];
  return (
    <dl class="tiles">
      {tiles.map(([label, value]) => (
        <div class="tile" key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Facts({ pad }: { pad: Pad }) {
  const { boot } = useAdmin();
  const { group, readOnlyId } = pad;
  return (
    <dl class="facts card">
      <div>
        <dt>{say('pads.by.edited')}</dt>
        <dd>
          <Time time={pad.edited} />
        </dd>
      </div>
      <div>
        <dt>{say('pads.by.created')}</dt>
        <dd>
          <Time time={pad.created} />
        </dd>
      </div>
      {group !== null && (
        <div>
          <dt>{say('pad.group')}</dt>
          <dd>
            <a class="monospace" href={`${boot.base}admin/pads?${new URLSearchParams({ group })}`}>
              {group}
            </a>
            {pad.public && ` (${say('pad.public')})`}
          </dd>
        </div>
      )}
      {readOnlyId !== null && (
        <div>
          <dt>{say('pad.readOnly')}</dt>
          <dd>
            <a class="monospace" href={padAddress(boot, readOnlyId)}>
              {readOnlyId}
            </a>
          </dd>
        </div>
      )}
    </dl>
  );
}

function Time({ time }: { time: number }) {
  return (
    <time dateTime={new Date(time).toISOString()} title={absoluteTime(time)}>
      {relativeTime(time, Date.now())}
    </time>
  );
}

interface PeopleProps {
  title: string;
  people: readonly Person[];
  total?: number;
}

function People({ title, people, total = people.length }: PeopleProps) {
  const rest = total - people.length;
  return (
    <section>
      <h3>
        {title} <span class="hint">{count(total)}</span>
      </h3>
      {total === 0 ? (
        <p class="hint">{say('pad.nobody')}</p>
      ) : (
        <ul class="pad-people">
          {people.map(({ name, colour }, index) => (
            <li key={`${index}`}>
              <span class="swatch" ref={tint(colour)} aria-hidden="true" />
              <span dir="auto">{name ?? say('authors.unnamed')}</span>
            </li>
          ))}
          {rest > 0 && <li>{say('pads.andMore', { count: rest })}</li>}
        </ul>
      )}
    </section>
  );
}
