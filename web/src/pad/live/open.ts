// A running pad, put together from its parts.

import { signal } from '@preact/signals';
import { withoutMarkers } from '../../document/lines.ts';
import { Authors } from '../../editor/authors.ts';
import { chooseInline, toggleInline } from '../../editor/formatting.ts';
import { setHeading, shiftLevel, toggleList, toggleTasks } from '../../editor/lists.ts';
import { PadEditor } from '../../editor/setup.ts';
import { documentOf } from '../../editor/state.ts';
import { afterPaint, later } from '../../load/later.ts';
import { endpoint } from '../../net/early.ts';
import { Session } from '../../net/session.ts';
import type { LivePad, Look, OpenPad, PadBoot, PadInfo, TextLength } from '../live.ts';
import { CaretFacts } from './caret.ts';
import { Carets } from './carets.ts';
import { ChatLog } from './chat.ts';
import type { Counts } from './counts.ts';
import { DraftStore } from './draftStore.ts';
import type { LastVisit } from './lastVisit.ts';
import { Notices } from './notices.ts';
import type { OfflineCopy } from './offlineCopy.ts';
import { Presence } from './presence.ts';
import { ServerMessages } from './serverMessages.ts';
import { Status } from './status.ts';
import { Sync } from './sync.ts';
import type { Writers } from './written.ts';

const MERGED_MS = 4_000;

const offlineCopy = later(() => import('./offlineCopy.ts'));
const search = later(() => import('../../editor/search.ts'));
const counts = later(() => import('./counts.ts'));
const outline = later(() => import('./outline.ts'));
const written = later(() => import('./written.ts'));
const lastVisit = later(() => import('./lastVisit.ts'));
const following = later(() => import('../../editor/following.ts'));
const blocks = later(() => import('../../editor/blocks.ts'));
const copyMarkdown = later(() => import('../../editor/copyMarkdown.ts'));
const namedLinks = later(() => import('../../editor/namedLinks.ts'));

export const openPad: OpenPad = (place, boot) => new RunningPad(place, boot).live;

class RunningPad {
  readonly #place: HTMLElement;
  readonly #boot: PadBoot;
  readonly #info = signal<PadInfo | null>(null);
  readonly #canUndo = signal(false);
  readonly #canRedo = signal(false);
  readonly #revision = signal(0);
  readonly #following = signal<string | null>(null);
  readonly #notices = new Notices();
  readonly #status = new Status();
  readonly #authors = new Authors();
  readonly #caret = new CaretFacts();
  readonly #length = signal<TextLength>({ whole: { words: 0, characters: 0 }, selected: null });
  readonly #session: Session;
  readonly #sync: Sync;
  readonly #presence: Presence;
  readonly #chat: ChatLog;
  readonly #carets: Carets;
  readonly #draftStore: DraftStore;
  readonly #serverMessages: ServerMessages;
  #offlineCopy: OfflineCopy | null = null;
  #writers: Writers | null = null;
  #lastVisit: LastVisit | null = null;
  #counts: Counts | null = null;
  #look: Look;
  #wantsFocus = false;
  readonly #leaving = () => {
    this.#sync.send(true);
    this.#lastVisit?.left();
    const { replica } = this.#sync;
    if (!replica) return;
    this.#draftStore.flush(replica);
    const { joined } = this.#serverMessages;
    if (joined && this.#boot.keepsCopy()) this.#offlineCopy?.write(replica, joined);
  };
  readonly #mayLeave = (event: BeforeUnloadEvent) => {
    const unsent = this.#sync.replica && !this.#sync.replica.isSettled;
    if (unsent && !this.#draftStore.works) event.preventDefault();
  };
  readonly live: LivePad;

  constructor(place: HTMLElement, boot: PadBoot) {
    this.#place = place;
    this.#boot = boot;
    this.#look = boot.look;
    this.#session = new Session(endpoint(boot.base, boot.padId), {
      hello: () => this.#serverMessages.hello(boot),
      message: (message) => this.#serverMessages.handle(message),
      lost: () => this.#serverMessages.lost(),
      retrying: (at) => {
        const lostSince =
          this.#status.facts.lostSince ?? (this.#sync.isCurrent ? null : Date.now());
        this.#status.set({ nextTry: at, lostSince });
        if (at !== null && !this.#info.peek() && boot.keepsCopy()) void this.#startFromCopy();
      },
    });
    this.#draftStore = new DraftStore(boot.padId, () =>
      this.#notices.say({ kind: 'storageRefused' }),
    );
    this.#sync = this.#makeSync();
    this.#presence = new Presence(this.#authors, boot.look.fade, () => this.#chat.refresh());
    this.#chat = new ChatLog(this.#session, (id) => this.#presence.describe(id));
    this.#carets = new Carets(this.#session, this.#sync, this.#presence);
    this.#serverMessages = new ServerMessages({
      session: this.#session,
      sync: this.#sync,
      presence: this.#presence,
      chat: this.#chat,
      carets: this.#carets,
      draftStore: this.#draftStore,
      notices: this.#notices,
      status: this.#status,
      info: this.#info,
      origin: (data) => this.#writers?.answer(data),
      past: (document) => this.#lastVisit?.answer(document),
      joined: () => {
        void this.#draftStore.start(this.#sync, this.#session);
        void this.#visit();
      },
      gone: () => this.#offlineCopy?.forget(),
    });
    addEventListener('pagehide', this.#leaving);
    document.addEventListener('freeze', this.#leaving);
    addEventListener('beforeunload', this.#mayLeave);
    this.live = this.#makeLive();
    this.#session.start();
  }

  async #visit(): Promise<void> {
    if (!this.#boot.notesVisits) return;
    await afterPaint();
    const { LastVisit } = await lastVisit.load();
    this.#lastVisit = new LastVisit(this.#session, this.#sync, this.#boot.padId);
  }

  async #count(): Promise<void> {
    await afterPaint();
    const { Counts } = await counts.load();
    this.#counts ??= new Counts(this.#length);
    if (this.#sync.editor) this.#counts.update(this.#sync.editor);
  }

  #makeSync(): Sync {
    return new Sync(this.#session, this.#draftStore, {
      makeEditor: (document) => {
        const editor = this.#makeEditor(document);
        this.#presence.attach(editor);
        this.#caret.update(editor);
        this.#count().catch(() => {});
        if (this.#wantsFocus || this.#mayTakeFocus()) editor.view.focus();
        return editor;
      },
      heard: (revisions) => this.#carets.heard(revisions),
      changed: () => this.#changed(),
      undoCleared: () => this.#notices.say({ kind: 'undoCleared' }),
      setAside: (unsent) => this.#draftStore.setAside(unsent),
      caughtUp: (changes) => {
        const mergedUntil = changes > 0 ? Date.now() + MERGED_MS : 0;
        this.#status.set({ lostSince: null, mergedUntil, mergedChanges: changes });
      },
    });
  }

  // Not from whatever the visitor went to meanwhile.
  #mayTakeFocus(): boolean {
    const isFree = document.activeElement === document.body;
    return this.#boot.autofocus && isFree && this.#info.peek()?.readOnly === false;
  }

  #makeEditor(document: ConstructorParameters<typeof PadEditor>[1]): PadEditor {
    const { nonce, words, aids } = this.#boot;
    const info = this.#info.peek();
    return new PadEditor(
      {
        place: this.#place,
        nonce,
        words,
        aids,
        author: info?.authorId ?? '',
        authors: this.#authors,
        readOnly: info?.readOnly ?? true,
        look: this.#look,
        shortcuts: info?.shortcuts ?? {},
        indents: this.#serverMessages.indents,
        actions: this.live,
        record: (transactions) => this.#sync.record(transactions),
        shown: (transactions) => {
          this.#sync.shown(transactions);
          const { editor } = this.#sync;
          if (!editor) return;
          this.#caret.update(editor);
          this.#counts?.update(editor);
          if (transactions.some((each) => each.selection)) this.#carets.moved();
        },
        failed: () => {
          this.#sync.rebuild();
          this.#notices.say({ kind: 'rebuilt' });
        },
      },
      document,
    );
  }

  #changed(): void {
    const { replica } = this.#sync;
    this.#canUndo.value = this.#sync.canUndo;
    this.#canRedo.value = this.#sync.canRedo;
    if (!replica) return;
    this.#revision.value = replica.rev;
    const { unsettledSince, inFlightSince } = this.#status.facts;
    const now = Date.now();
    this.#status.set({
      unsettledSince: replica.isSettled ? null : (unsettledSince ?? now),
      inFlightSince: replica.inFlight ? (inFlightSince ?? now) : null,
      words: this.#serverMessages.unsentWords(),
    });
    if (replica.isSettled) this.#carets.tell();
    if (this.#boot.keepsCopy()) void this.#copy();
  }

  async #copy(): Promise<void> {
    this.#offlineCopy ??= await this.#makeOfflineCopy();
    const { joined } = this.#serverMessages;
    if (this.#sync.replica && joined) this.#offlineCopy?.touch(this.#sync.replica, joined);
  }

  // Nobody answers, and this browser has seen the pad before.
  async #startFromCopy(): Promise<void> {
    this.#offlineCopy ??= await this.#makeOfflineCopy();
    const copy = await this.#offlineCopy?.find();
    if (copy && !this.#info.peek()) this.#serverMessages.startFrom(copy);
  }

  async #makeOfflineCopy(): Promise<OfflineCopy | null> {
    const part = await offlineCopy.load().catch(() => null);
    return this.#offlineCopy ?? (part && new part.OfflineCopy(this.#boot.padId));
  }

  #makeLive(): LivePad {
    const sync = this.#sync;
    const session = this.#session;
    const withView = (action: (view: PadEditor['view']) => unknown) => {
      if (sync.editor) action(sync.editor.view);
    };
    const scrollTo = (at: number) =>
      withView((view) => {
        view.dispatch({ selection: { anchor: at }, scrollIntoView: true });
        view.focus();
      });
    return {
      state: this.#status.signal,
      settled: this.#status.settled,
      storageFails: this.#status.storageFails,
      info: this.#info,
      people: this.#presence.people,
      following: this.#following,
      self: this.#presence.self,
      chat: this.#chat.signal,
      formats: this.#caret.formats,
      canUndo: this.#canUndo,
      canRedo: this.#canRedo,
      length: this.#length,
      revision: this.#revision,
      notices: this.#notices.signal,
      draft: this.#draftStore.draft,
      rejected: this.#draftStore.rejected,

      author: (id) => this.#presence.describe(id),
      written: async (point) => {
        const { Writers } = await written.load();
        this.#writers ??= new Writers(this.#session, sync, this.#presence);
        return this.#writers.at(point);
      },
      toggle: (format) => withView((view) => toggleInline(view, format)),
      choose: (choice, value) => withView((view) => chooseInline(view, choice, value)),
      toggleList: (kind) => withView((view) => toggleList(view, kind)),
      toggleTasks: () => withView(toggleTasks),
      indent: () => withView((view) => shiftLevel(view, 1)),
      outdent: () => withView((view) => shiftLevel(view, -1)),
      heading: (level) => withView((view) => setHeading(view, level)),
      block: (block) => withView(async (view) => (await blocks.load()).setBlock(view, block)),
      align: (align) => withView(async (view) => (await blocks.load()).setAlign(view, align)),
      clearFormatting: () => withView(async (view) => (await blocks.load()).clearFormatting(view)),
      editLink: () => {
        if (sync.editor?.view.state.readOnly === false) this.#boot.editLink();
      },
      linkDraft: async () => {
        const { linkDraft } = await namedLinks.load();
        return sync.editor && linkDraft(sync.editor.view.state);
      },
      setLink: (text, url) =>
        withView(async (view) => (await namedLinks.load()).setLink(view, text, url)),
      removeLink: () => withView(async (view) => (await namedLinks.load()).removeLink(view)),
      clearAuthorship: (everywhere) =>
        withView(async (view) => (await blocks.load()).clearAuthorship(view, everywhere)),
      hasSelection: () => sync.editor?.view.state.selection.main.empty === false,
      undo: () => sync.undo(),
      redo: () => sync.redo(),
      find: () =>
        withView(async (view) => {
          const tools = this.#boot.words.search();
          (await search.load()).openSearch(view, await tools);
        }),
      insertText: (text) =>
        withView((view) => {
          if (!view.state.readOnly) view.dispatch(view.state.replaceSelection(text));
        }),
      focus: () => {
        this.#wantsFocus = true;
        withView((view) => view.focus());
      },
      withView,
      outline: async () => {
        const { outlineOf } = await outline.load();
        return sync.editor && outlineOf(sync.editor.view);
      },
      scrollToLine: (line) =>
        withView(({ state }) => {
          const number = Math.min(Math.max(Math.trunc(line), 1), state.doc.lines);
          scrollTo(state.doc.line(number).from);
        }),
      scrollToAuthor: (id) => {
        const at = this.#presence.placeOf(id);
        if (at !== null) scrollTo(at);
      },
      follow: (id) =>
        withView(async (view) => {
          const { follow } = await following.load();
          this.#following.value = id;
          follow(view, id, () => {
            if (this.#following.peek() === id) this.#following.value = null;
          });
        }),

      sendChat: (text) => session.request({ type: 'CHAT_MESSAGE', message: { text } }),
      loadOlderChat: () => this.#chat.older(),
      setName: (name) => this.#serverMessages.setSelf({ name: name.trim() || null }),
      setColour: (colour) => this.#serverMessages.setSelf({ colour }),
      suggestName: (unnamedId, newName) =>
        session.say({
          type: 'CLIENT_MESSAGE',
          payload: { type: 'suggestUserName', unnamedId, newName },
        }),
      saveRevision: () => {
        sync.send(true);
        session.say({ type: 'SAVE_REVISION' });
      },
      setTitle: (title) => session.request({ type: 'SET_TITLE', title }),
      setPadOptions: (options) =>
        session.say({
          type: 'CLIENT_MESSAGE',
          payload: {
            type: 'padoptions',
            options,
            changedBy: this.#presence.self.peek()?.name ?? '',
          },
        }),
      deletePad: (token) => {
        const data = { padId: this.#boot.padId, ...(token ? { deletionToken: token } : {}) };
        session.say({ type: 'PAD_DELETE', data });
      },
      reconnectNow: () => this.#serverMessages.comeBack(),
      useHere: () => this.#serverMessages.comeBack(),
      dismiss: (id) => this.#notices.dismiss(id),
      text: () => {
        const state = sync.editor?.view.state;
        return state ? withoutMarkers(documentOf(state), 0, state.doc.length) : '';
      },
      copyMarkdown: () => withView(async (view) => (await copyMarkdown.load()).copyMarkdown(view)),
      setLook: (look) => {
        this.#look = look;
        sync.editor?.setLook(look);
        this.#presence.fade = look.fade;
      },
      keepCopy: () => void this.#copy(),
      close: () => this.#close(),
    };
  }

  #close(): void {
    this.#leaving();
    this.#lastVisit?.close();
    removeEventListener('pagehide', this.#leaving);
    document.removeEventListener('freeze', this.#leaving);
    removeEventListener('beforeunload', this.#mayLeave);
    this.#session.stop();
    this.#sync.close();
    this.#carets.close();
    this.#presence.close();
    this.#counts?.close();
    this.#status.close();
    this.#draftStore.close();
    this.#offlineCopy?.close();
    this.#authors.remove();
  }
}
