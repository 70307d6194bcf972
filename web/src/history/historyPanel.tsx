// Side panel of the history: what was written when, and authors and chat as of the shown revision.

import { type Signal, useComputed, useSignalEffect } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { PadDocument } from '../document/document.ts';
import type { AuthorLook } from '../editor/authors.ts';
import { t } from '../i18n/text.ts';
import { nameOf } from '../pad/guests.ts';
import type { ChatEntry } from '../pad/live.ts';
import { Message } from '../pad/panel/message.tsx';
import { tint } from '../theme/colour.ts';
import { IconButton } from '../ui/button.tsx';
import { Tabs } from '../ui/tabs.tsx';
import type { Archive } from './archive.ts';
import type { Player } from './player.ts';
import { Versions } from './versions.tsx';

export type HistoryTab = 'versions' | 'authors' | 'chat' | null;

interface HistoryPanelProps {
  archive: Archive;
  player: Player;
  chosen: Signal<HistoryTab>;
  hasChat: boolean;
}

export function HistoryPanel({ archive, player, chosen, hasChat }: HistoryPanelProps) {
  if (!chosen.value) return null;
  const tabs = [
    { name: 'versions' as const, label: t('history.versions') },
    { name: 'authors' as const, label: t('history.authors') },
    ...(hasChat ? [{ name: 'chat' as const, label: t('panel.chat') }] : []),
  ];
  const close = (): void => {
    chosen.value = null;
  };
  return (
    <aside class="panel" aria-label={t('header.history')} data-region>
      <Tabs
        label={t('header.history')}
        tabs={tabs}
        chosen={chosen.value}
        onChoose={(name) => {
          chosen.value = name;
        }}
        aside={<IconButton icon="close" label={t('panel.close')} onClick={close} />}
      >
        {chosen.value === 'versions' && <Versions archive={archive} player={player} />}
        {chosen.value === 'chat' && <Chat archive={archive} />}
        {chosen.value === 'authors' && <Authors archive={archive} />}
      </Tabs>
    </aside>
  );
}

function Authors({ archive }: { archive: Archive }) {
  const shown = archive.shown.value;
  const known = archive.joined.value?.authors;
  const authors = shown && known ? authorsOf(shown.document, known) : [];
  return (
    <div class="people">
      {authors.length === 0 && shown && <p class="empty">{t('history.nobody')}</p>}
      <ul>
        {authors.map(([id, { name, colour }]) => (
          <li key={id} class="person">
            <span class="dot" ref={tint(colour)} />
            <span class="person-name">{nameOf({ id, name })}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

// Those who have written any of it, in the order of the text.
function authorsOf(
  { runs, sets, length }: PadDocument,
  known: ReadonlyMap<string, AuthorLook>,
): [string, AuthorLook][] {
  const found = new Map<string, AuthorLook>();
  runs.between(0, length, (_from, _to, id) => {
    const author = sets.map(id).get('author');
    const look = author ? known.get(author) : undefined;
    if (author && look) found.set(author, look);
  });
  return [...found];
}

function Chat({ archive }: { archive: Archive }) {
  const log = useRef<HTMLDivElement>(null);
  const { chatHistory } = archive;
  useSignalEffect(() => {
    const shown = archive.shown.value;
    const isNewest = shown?.revision === archive.head.value;
    chatHistory.upTo(isNewest ? Infinity : (shown?.time ?? null));
    return () => chatHistory.upTo(null);
  });
  const entries = useComputed(() => {
    const authors = archive.joined.value?.authors;
    const said = chatHistory.said.value;
    return said?.map((message, key): ChatEntry => {
      const look = message.authorId ? authors?.get(message.authorId) : undefined;
      const name = look?.name ?? message.name;
      return { ...message, key, name, colour: look?.colour ?? '', self: false, live: false };
    });
  }).value;
  useLayoutEffect(() => {
    if (log.current) log.current.scrollTop = log.current.scrollHeight;
  }, [entries]);
  return (
    <div class="chat">
      <div
        class="log"
        ref={log}
        role="log"
        aria-label={t('chat.log')}
        aria-live="off"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reachable by keys.
        tabIndex={0}
      >
        {entries?.length === 0 && <p class="empty">{t('history.silent')}</p>}
        {entries?.map((entry, index) => (
          <Message key={entry.key} entry={entry} before={entries[index - 1]} reader={null} />
        ))}
      </div>
    </div>
  );
}
