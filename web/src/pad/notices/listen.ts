// Turns what the pad tells into what is shown, said or counted.

import { effect } from '@preact/signals';
import { announce } from '../../a11y/announcer.ts';
import { MENTIONED, type MentionDetail } from '../../editor/mentioned.ts';
import { isKey, t } from '../../i18n/text.ts';
import { prefs } from '../../prefs/prefs.ts';
import type { Frame, Toast } from '../frame.ts';
import { nameOf } from '../guests.ts';
import type { Notice } from '../live.ts';
import { mentionsName } from '../panel/mentionsName.ts';
import { forgetParameter } from '../parameters.ts';

// More than anybody goes through.
const MOST_MENTIONS = 99;

export function listenToNotices(frame: Frame): void {
  const { live } = frame;
  effect(() => {
    for (const notice of live.notices.value) {
      tell(frame, notice);
      live.dismiss(notice.id);
    }
  });
}

function tell({ toast, live, dialog, refusal }: Frame, notice: Notice): void {
  switch (notice.kind) {
    case 'nameSuggested': {
      const take = { label: t('notice.nameTake'), act: () => live.setName(notice.name) };
      const text = t('notice.nameSuggested', { name: notice.name });
      toast({ text, actions: [take], sticky: true });
      break;
    }
    case 'signal':
      tellEmbedder(notice.name, notice.time);
      break;
    case 'joined':
    case 'left': {
      const name = nameOf({ id: notice.personId, name: notice.name });
      if (prefs.peek().joins !== false) announce(t(`people.${notice.kind}`, { name }));
      break;
    }
    default: {
      const words = toastOf(notice);
      if (words && notice.kind === 'keyed' && dialog.peek() === 'delete') {
        refusal.value = words.text;
        break;
      }
      if (words) toast(words);
    }
  }
}

type Plain = Exclude<Notice, { kind: 'nameSuggested' | 'signal' | 'joined' | 'left' }>;

function toastOf(notice: Plain): Omit<Toast, 'id'> | null {
  switch (notice.kind) {
    case 'announcement':
      return { text: notice.text, sticky: notice.sticky };
    case 'keyed':
      if (!isKey(notice.key)) return null;
      return { text: t(notice.key, notice.values), tone: 'warn', sticky: notice.sticky };
    case 'revisionSaved': {
      const { revision } = notice.revision;
      return { text: t('notice.revisionSaved', { revision }), tone: 'good' };
    }
    case 'optionsChanged': {
      const name = notice.by;
      if (!name) return { text: t('notice.optionsChangedUnnamed') };
      return { text: t('notice.optionsChanged', { name }) };
    }
    case 'storageRefused':
      return { text: t('notice.storageRefused'), tone: 'warn', sticky: true };
    case 'storageWorks':
      return { text: t('storage.working'), tone: 'good' };
    case 'template':
      forgetParameter('template');
      if (notice.outcome === 'missing') return { text: t('template.missing'), tone: 'warn' };
      return notice.outcome === 'ignored' ? { text: t('template.ignored') } : null;
    case 'undoCleared':
      return { text: t('notice.undoCleared') };
    case 'rebuilt':
      return { text: t('notice.rebuilt'), tone: 'warn' };
  }
}

// `sendClientsMessage` of the API is a signal for the page around us. It says no more than the
// name that the caller chose, so it may go to any page that frames us.
function tellEmbedder(name: string, time: number): void {
  if (window.parent !== window) window.parent.postMessage({ pad: 'signal', name, time }, '*');
}

// In the title of the tab, until the page is visible again.
export function countAway({ away }: Frame, news: number): void {
  if (document.hidden) away.value = away.peek() + news;
}

// Messages that came while the chat was not open are counted, and said.
export function countUnread(frame: Frame): void {
  const { live, panel, unread, unreadMentions, view, away } = frame;
  let seen = -1;
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) away.value = 0;
  });
  effect(() => {
    const fresh = live.chat.value.entries.filter(
      (entry) => entry.key > seen && entry.live && !entry.self,
    );
    seen = live.chat.value.entries.at(-1)?.key ?? seen;
    if (fresh.length === 0 || !view.peek().chat) return;
    countAway(frame, fresh.length);
    // The log of an open chat is read by itself.
    if (panel.peek() === 'chat') return;
    unread.value = unread.peek() + fresh.length;
    const reader = live.self.peek()?.name ?? '';
    const called = fresh.filter((entry) => mentionsName(entry.text, reader)).length;
    unreadMentions.value = unreadMentions.peek() + called;
    const last = fresh.at(-1);
    const name = nameOf({ id: last?.authorId ?? null, name: last?.name ?? null });
    announce(t('chat.said', { name, text: last?.text ?? '' }));
  });
}

// Somebody else has written the visitor's name into the text. Where it is in sight it is only said.
export function listenToMentions(frame: Frame): void {
  const { live, mentions, toast } = frame;
  document.addEventListener(MENTIONED, (event) => {
    const { author, isSeen, show } = (event as CustomEvent<MentionDetail>).detail;
    const by = live.people.peek().find(({ id }) => id === author);
    const text = t('people.mentionedBy', {
      name: nameOf(by ?? { id: author ?? null, name: null }),
    });
    if (isSeen) {
      announce(text);
      return;
    }
    countAway(frame, 1);
    mentions.value = [...mentions.peek(), show].slice(-MOST_MENTIONS);
    const act = () => {
      mentions.value = mentions.peek().filter((other) => other !== show);
      show();
    };
    toast({ text, actions: [{ label: t('people.showMention'), act }] });
  });
}
