// Handlers for the messages of the server.

import type { Signal } from '@preact/signals';
import { countWords } from '../../document/lines.ts';
import {
  type Incoming,
  type JoinVars,
  type Json,
  numberOf,
  objectOf,
  type PastDocument,
  textOf,
} from '../../net/messages.ts';
import { clientReady } from '../../net/ready.ts';
import type { Session } from '../../net/session.ts';
import type { PadBoot, PadInfo, StopReason } from '../live.ts';
import type { PagePlugin } from '../plugins/extras.ts';
import type { Carets } from './carets.ts';
import type { ChatLog } from './chat.ts';
import type { DraftStore } from './draftStore.ts';
import { infoOf, optionsOf, savedOf, withNames } from './info.ts';
import type { Notices } from './notices.ts';
import type { Presence } from './presence.ts';
import type { Status } from './status.ts';
import type { Sync } from './sync.ts';

// So many refusals in so short a time, and trying again is no use.
const MOST_REFUSALS = 3;
const REFUSALS_MS = 60_000;

const STOPS: Readonly<Record<string, StopReason>> = {
  userdup: 'duplicate',
  deleted: 'deleted',
  rateLimited: 'rateLimited',
  corruptPad: 'corrupt',
};

interface Parts {
  readonly session: Session;
  readonly sync: Sync;
  readonly presence: Presence;
  readonly chat: ChatLog;
  readonly carets: Carets;
  readonly draftStore: DraftStore;
  readonly notices: Notices;
  readonly status: Status;
  readonly info: Signal<PadInfo | null>;
  // Which revision wrote a character.
  origin(data: Json): void;
  // The content of a revision that was asked for.
  past(document: PastDocument): void;
  // The first join is done.
  joined(): void;
  // The pad is not there any more, or not for this visitor.
  gone(): void;
}

export class ServerMessages {
  readonly #parts: Parts;
  #boot: PadBoot | null = null;
  #refusals: number[] = [];
  // Whether the question that is open is one to go on from a known revision.
  #goingOn = false;
  // Whether the visitor has another name that the server could not be told.
  #renamed = false;
  indents = false;
  // What the server said when this page joined last.
  joined: JoinVars | null = null;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  // The first word on a connection.
  hello(boot: PadBoot): Json {
    this.#boot = boot;
    const known = this.#parts.sync.knownRevision;
    this.#goingOn = known !== null;
    const self = this.#parts.presence.self.peek();
    // Asking for the whole text may make us another author: then the name is not carried over.
    // Nor one that another window may have changed.
    const name = known === null ? boot.userName : this.#renamed && self?.name;
    const visitor = { name: name || null, colour: boot.userColour };
    const { windows } = this.#parts.draftStore;
    return clientReady(
      boot.padId,
      { ...visitor, ...windows },
      {
        ...(boot.optionsIfNew ? { padSettingsDefaults: boot.optionsIfNew } : {}),
        ...(boot.template && !this.joined ? { template: boot.template } : {}),
        ...(boot.title && !this.joined ? { title: boot.title } : {}),
        ...(known === null ? {} : { reconnect: true, client_rev: known }),
      },
    );
  }

  lost(): void {
    const { sync, status } = this.#parts;
    sync.lost();
    status.set({ lostSince: status.facts.lostSince ?? Date.now() });
  }

  handle(message: Incoming): void {
    const { sync, presence, chat, carets, notices, info } = this.#parts;
    switch (message.kind) {
      case 'joined':
        this.#joined(message.vars);
        break;
      case 'entry':
        sync.receive(message.entry);
        break;
      case 'batch':
        sync.receive(message);
        break;
      case 'missed':
        sync.receiveMissed(message.entry, message.headRev);
        if (sync.isCurrent) this.#back();
        break;
      case 'missedNothing':
        sync.reconnected(message.record);
        this.#back();
        break;
      case 'origin':
        this.#parts.origin(message.data);
        break;
      case 'document':
        this.#parts.past(message.document);
        break;
      case 'person':
        this.#arrived(message.id, message.info);
        break;
      case 'left':
        notices.say({
          kind: 'left',
          personId: message.id,
          name: presence.describe(message.id).name,
        });
        presence.left(message.id);
        break;
      case 'chat':
        chat.said(message.message);
        break;
      case 'pastChat':
        chat.past(message.messages);
        break;
      case 'saved':
        this.#saved(message.saved);
        break;
      case 'savedRevisions': {
        const before = info.peek();
        if (before) {
          const savedRevisions = withNames(before.savedRevisions, message.saved);
          info.value = { ...before, savedRevisions };
        }
        break;
      }
      case 'title': {
        const before = info.peek();
        if (before) info.value = { ...before, title: message.title };
        break;
      }
      case 'plugins': {
        const before = info.peek();
        if (before) info.value = { ...before, plugins: message.plugins as PagePlugin[] };
        break;
      }
      case 'nameSuggested':
        if (presence.self.peek()?.name === null) {
          notices.say({ kind: 'nameSuggested', name: message.name });
        }
        break;
      case 'options': {
        const before = info.peek();
        if (before) info.value = { ...before, options: optionsOf(message.options, before.options) };
        notices.say({ kind: 'optionsChanged', by: message.by });
        break;
      }
      case 'cursor':
        carets.told(message);
        break;
      case 'cursorGone':
        presence.windowClosed(message.author, message.window);
        break;
      case 'shout':
        this.#announced(message.message);
        break;
      case 'signal':
        notices.say({ kind: 'signal', name: message.name, time: message.time });
        break;
      case 'denied':
        this.#stop('denied');
        break;
      case 'dismissed':
        this.#dismissed(message.reason);
        break;
    }
  }

  // Words that are only here.
  unsentWords(): number {
    const { replica } = this.#parts.sync;
    if (!replica || replica.isSettled) return 0;
    return countWords(`${replica.inFlight?.bank ?? ''} ${replica.pending.bank}`);
  }

  setSelf(change: { name?: string | null; colour?: string }): void {
    const { session, presence } = this.#parts;
    const self = presence.self.peek();
    if (!self) return;
    const name = change.name === undefined ? self.name : change.name;
    const colour = change.colour ?? self.colour;
    presence.arrived(self.id, { name, colour });
    this.#renamed = !session.isReady;
    session.say({ type: 'USERINFO_UPDATE', userInfo: { userId: self.id, name, colorId: colour } });
  }

  // On the visitor's wish: at once, and also after an end.
  comeBack(): void {
    const { session, status, sync } = this.#parts;
    if (status.facts.stopped) {
      status.set({ stopped: null, lostSince: Date.now() });
      sync.editor?.setReadOnly(this.#parts.info.peek()?.readOnly ?? true);
      session.start();
    } else {
      session.reconnectNow();
    }
  }

  // Without a connection, from what this browser has seen before. The next join merges.
  startFrom(vars: JoinVars): void {
    const { sync, presence, info, status } = this.#parts;
    const known = infoOf(vars);
    info.value = known;
    this.indents = vars.vars.indentationOnNewLine === true;
    const self = { name: vars.userName, colour: vars.userColour };
    presence.joined(vars.authorId, self, vars.authors, vars.palette);
    sync.startFrom(vars);
    status.set({ joined: true, readOnly: known.readOnly, lostSince: Date.now() });
    this.#parts.joined();
  }

  #joined(vars: JoinVars): void {
    const { sync, presence, chat, carets, info, status, session, notices } = this.#parts;
    const before = info.peek();
    if (before && before.authorId !== vars.authorId) {
      // Somebody else to the server: what is unsent is in the journal, and a new page takes it up.
      this.#stop('rejected');
      return;
    }
    this.joined = vars;
    const fresh = infoOf(vars);
    info.value = { ...fresh, deletionToken: fresh.deletionToken ?? before?.deletionToken ?? null };
    this.indents = vars.vars.indentationOnNewLine === true;
    carets.enabled = vars.extensions.includes('cursors');
    const self = { name: vars.userName, colour: vars.userColour };
    presence.joined(vars.authorId, self, vars.authors, vars.palette);
    sync.joined(vars);
    chat.joined(vars.authorId, vars.chatHead);
    status.set({ joined: true, readOnly: fresh.readOnly, lostSince: null, restartAt: null });
    this.#storage(false, true);
    const outcome = textOf(vars.vars.template);
    if (outcome) notices.say({ kind: 'template', outcome });
    if (!before) this.#parts.joined();
    if (!before && session.isReady) {
      this.#introduce(vars.userName, vars.vars.userColorGiven === true);
    }
  }

  // As the address says, or as the server's settings say for somebody who has chosen nothing.
  #introduce(name: string | null, colourIsGiven: boolean): void {
    const { userName, usualName, userColour, usualColour } = this.#boot ?? {};
    const change = {
      ...(userName && name !== userName ? { name: userName } : {}),
      ...(!userName && !name && usualName ? { name: usualName } : {}),
      ...(!userColour && usualColour && colourIsGiven ? { colour: usualColour } : {}),
    };
    if (Object.keys(change).length > 0) this.setSelf(change);
  }

  #back(): void {
    const { chat, presence, status } = this.#parts;
    this.#renamed = false;
    presence.reconnected();
    chat.reconnected();
    status.set({ lostSince: null, restartAt: null });
    this.#storage(false, true);
  }

  #arrived(id: string, info: Extract<Incoming, { kind: 'person' }>['info']): void {
    const { presence, notices } = this.#parts;
    if (presence.arrived(id, info)) notices.say({ kind: 'joined', personId: id, name: info.name });
  }

  #saved(saved: Json): void {
    const { info, notices } = this.#parts;
    const revision = savedOf(saved);
    const before = info.peek();
    if (before) {
      info.value = { ...before, savedRevisions: [...before.savedRevisions, revision] };
    }
    notices.say({ kind: 'revisionSaved', revision });
  }

  #announced(message: Json): void {
    const { notices, status } = this.#parts;
    const sticky = message.sticky === true;
    const key = textOf(message.messageKey);
    if (!key) {
      notices.say({ kind: 'announcement', text: textOf(message.message), sticky });
      return;
    }
    const values = objectOf(message.values) as Record<string, string | number>;
    const [, seconds] = /^update\.drain\.t(\d+)$/.exec(key) ?? [];
    if (seconds) {
      const left = numberOf(values.seconds, Number(seconds));
      status.set({ restartAt: Date.now() + left * 1_000 });
    }
    if (key === 'storage.failing' || key === 'storage.working') {
      this.#storage(key === 'storage.failing');
      return;
    }
    notices.say({ kind: 'keyed', key, values, sticky });
  }

  // Whether the server can store anything. After every join it says so again while it cannot.
  #storage(fails: boolean, quietly = false): void {
    const { notices, status, sync } = this.#parts;
    const before = status.facts.storageFails;
    sync.storageFails = fails;
    status.set({ storageFails: fails });
    // While it lasts there is a standing notice.
    if (before && !fails && !quietly) notices.say({ kind: 'storageWorks' });
  }

  #dismissed(reason: string): void {
    const { sync, session } = this.#parts;
    if (reason === 'badChangeset') this.#refused();
    else if (reason === 'updateInProgress') session.restart();
    else if (reason === 'rejected' && this.#goingOn) {
      // The server does not know our revision any more: the whole text, then.
      sync.askForWholeText();
      session.restart();
    } else this.#stop(STOPS[reason] ?? 'rejected');
  }

  #refused(): void {
    const { sync, draftStore, session } = this.#parts;
    const now = Date.now();
    this.#refusals = [...this.#refusals.filter((time) => now - time < REFUSALS_MS), now];
    const unsent = sync.withdraw();
    if (unsent) draftStore.refused(unsent);
    if (this.#refusals.length >= MOST_REFUSALS) {
      this.#stop('refused');
      return;
    }
    sync.askForWholeText();
    session.restart();
  }

  #stop(reason: StopReason): void {
    const { session, status, sync } = this.#parts;
    if (reason === 'deleted' || reason === 'denied') this.#parts.gone();
    status.set({ stopped: reason });
    session.stop();
    // The text stays, to be read and copied.
    sync.editor?.setReadOnly(true);
  }
}
