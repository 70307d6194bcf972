// The text of a pad between editor and server: what is typed goes out, what comes in is shown.
//
// Invariant: the replica gets every own edit before anything else happens to it. The editor
// shows what the replica holds; where the two could differ, the editor is refilled.

import { EditorSelection, type Transaction } from '@codemirror/state';
import { type Changeset, identity, isIdentity, Pool } from '../../changeset/index.ts';
import { type Batch, BatchReader } from '../../collab/batches.ts';
import { type Entry, type Heard, Replica, type Submission } from '../../collab/replica.ts';
import { Screen } from '../../collab/screen.ts';
import { AttributeSets } from '../../document/attributes.ts';
import { PadDocument } from '../../document/document.ts';
import { UndoHistory } from '../../document/undo.ts';
import type { UnsentChanges } from '../../draft/journal.ts';
import { asOwn, loadSpec, remoteSpec, specOf } from '../../editor/apply.ts';
import type { PadEditor } from '../../editor/setup.ts';
import { documentOf, padChangeOf } from '../../editor/state.ts';
import { type JoinVars, textOf } from '../../net/messages.ts';
import type { Session } from '../../net/session.ts';
import type { DraftStore } from './draftStore.ts';
import { mergeOnto } from './merge.ts';
import { placeOfChange } from './presence.ts';

const BETWEEN_SENDS_MS = 100;
// What the server asks for in a crowd holds as long as the crowd does.
const CROWD_MS = 2_000;
// Remote changes of the line that somebody composes in wait for the end of that, unless it rests for
// so long: a change under it would end the composition, and leave what was composed twice in the text.
const LONGEST_REST_MS = 20_000;
const HIDDEN_MS = 1_000;
// Bytes that a unit of text may take in a message, in the worst case.
const BYTES_PER_UNIT = 8;
const DEFAULT_LIMIT = 100_000;
// A change that is not answered for so long is on a connection that is dead.
const LONGEST_WAIT_MS = 15_000;

export interface SyncListener {
  makeEditor(document: PadDocument): PadEditor;
  heard(revisions: readonly Heard[]): void;
  // Something about text, revision or what is unsent is different now.
  changed(): void;
  undoCleared(): void;
  // Unsent changes no longer fit the text; they are not in it any more.
  setAside(unsent: UnsentChanges): void;
  // Back after a loss, with so many changes by others.
  caughtUp(changes: number): void;
}

export class Sync {
  readonly #session: Session;
  readonly #draftStore: DraftStore;
  readonly #listener: SyncListener;
  readonly #sets = new AttributeSets(new Pool());
  readonly #undo = new UndoHistory(this.#sets.pool);
  readonly screen = new Screen(this.#sets.pool);
  #replica: Replica<PadDocument> | null = null;
  #editor: PadEditor | null = null;
  // Whether this connection knows everything up to now, and may be written to.
  #current = false;
  // Whether the next connection has to ask for the whole text.
  #fresh = true;
  #missed = 0;
  readonly #batches = new BatchReader();
  #paced = { interval: 0, until: 0 };
  #sentAt = 0;
  #sendTimer: ReturnType<typeof setTimeout> | undefined;
  #answerTimer: ReturnType<typeof setTimeout> | undefined;
  #frame: (() => void) | null = null;
  // Since when nothing was composed, while changes are held.
  #restingSince: number | null = null;
  // Whether the server cannot store: then the change on its way is not answered until it can.
  storageFails = false;

  constructor(session: Session, draftStore: DraftStore, listener: SyncListener) {
    this.#session = session;
    this.#draftStore = draftStore;
    this.#listener = listener;
  }

  get replica(): Replica<PadDocument> | null {
    return this.#replica;
  }

  get editor(): PadEditor | null {
    return this.#editor;
  }

  get isCurrent(): boolean {
    return this.#current;
  }

  get canUndo(): boolean {
    return this.#undo.canUndo;
  }

  get canRedo(): boolean {
    return this.#undo.canRedo;
  }

  // The revision to go on from; null to ask for the whole text.
  get knownRevision(): number | null {
    return this.#fresh || !this.#replica ? null : this.#replica.rev;
  }

  askForWholeText(): void {
    this.#fresh = true;
  }

  joined(vars: JoinVars): void {
    const document = PadDocument.read(vars.atext, Pool.fromJson(vars.pool), this.#sets);
    this.#fresh = false;
    this.#current = true;
    if (!this.#replica) {
      this.#replica = new Replica(vars.authorId, vars.rev, document, this.#sets.pool);
      this.#editor = this.#listener.makeEditor(document);
    } else {
      this.#startOver(this.#replica, vars.rev, document);
    }
    this.#batches.restart(vars.rev);
    this.#replica.record = textOf(vars.vars.windowRecord);
    this.#listener.changed();
    this.send();
  }

  // Writing goes on from a document that was here before; a join will bring it up to date.
  startFrom(vars: JoinVars): void {
    const document = PadDocument.read(vars.atext, Pool.fromJson(vars.pool), this.#sets);
    this.#replica = new Replica(vars.authorId, vars.rev, document, this.#sets.pool);
    this.#editor = this.#listener.makeEditor(document);
    this.#listener.changed();
  }

  receive(entry: Entry | Batch): void {
    if (entry.kind === 'batch') {
      this.#paced = { interval: entry.commitInterval, until: Date.now() + CROWD_MS };
    }
    for (const each of this.#batches.read(entry)) this.#replica?.receive(each);
    this.#showSoon();
  }

  // A revision that was missed while there was no connection.
  receiveMissed(entry: Entry, headRev: number): void {
    this.#missed++;
    this.#replica?.receive(entry);
    if (entry.rev >= headRev) this.reconnected('record' in entry ? entry.record : '');
  }

  // The server remembers this window under that name.
  reconnected(record = ''): void {
    this.#current = true;
    this.show();
    if (!this.#current || !this.#replica) return;
    this.#batches.restart(this.#replica.rev);
    this.#replica.record = record;
    const again = this.#replica.resubmission();
    if (again) this.#submit(again);
    else this.send();
    this.#listener.caughtUp(this.#missed);
    this.#missed = 0;
  }

  lost(): void {
    this.#current = false;
    this.#missed = 0;
    // Everything that was heard counts, so that the next connection can go on from there.
    this.show();
    this.#replica?.disconnected();
    this.#listener.changed();
  }

  // Takes note of what the editor is about to show.
  record(transactions: readonly Transaction[]): void {
    for (const transaction of transactions) {
      const made = padChangeOf(transaction);
      if (!made) {
        if (transaction.selection) this.#undo.endGroup();
      } else if (made.origin === 'remote') {
        this.#undo.changedByOthers(made.change);
      } else {
        const back = documentOf(transaction.startState).inverse(made.change);
        this.#replica?.edit(this.screen.edited(made.change));
        if (made.origin === 'own') this.#undo.edited(back, made.kind, Date.now());
      }
    }
  }

  shown(transactions: readonly Transaction[]): void {
    const own = transactions.some((each) => {
      const origin = padChangeOf(each)?.origin;
      return origin !== undefined && origin !== 'remote';
    });
    if (!own || !this.#replica) return;
    if (this.#restingSince !== null) this.#restingSince = Date.now();
    this.#draftStore.touch(this.#replica);
    this.#listener.changed();
    this.send();
  }

  // The editor broke: it gets the text from the replica, which has everything.
  rebuild(): void {
    this.screen.release();
    if (this.#replica) this.#editor?.reset(this.#replica.visible());
  }

  undo(): void {
    this.#move((inverse) => this.#undo.undo(inverse));
  }

  redo(): void {
    this.#move((inverse) => this.#undo.redo(inverse));
  }

  // Sends what there is to send, as soon as that is allowed.
  send(atOnce = false): void {
    if (!this.#current || !this.#replica || !this.#session.isReady) return;
    const paced = Date.now() < this.#paced.until ? this.#paced.interval : 0;
    const between = Math.max(BETWEEN_SENDS_MS, paced);
    const wait = atOnce ? 0 : this.#sentAt + between - Date.now();
    clearTimeout(this.#sendTimer);
    if (wait > 0) {
      this.#sendTimer = setTimeout(() => this.send(), wait);
      return;
    }
    const bytes = this.#session.greatest;
    const limit = bytes > 0 ? Math.floor(bytes / BYTES_PER_UNIT) : DEFAULT_LIMIT;
    const submission = this.#replica.nextSubmission(limit);
    if (submission) this.#submit(submission);
  }

  // Takes everything that has come in and shows it, whatever the screen is used for.
  show(): void {
    this.#takeIn();
    this.#release();
  }

  // Takes everything unsent out of the text, because the server refuses it.
  withdraw(): UnsentChanges | null {
    const replica = this.#replica;
    if (!replica) return null;
    this.show();
    const { base, inFlight, pending } = replica;
    const back = replica.withdraw((unsent) => base.inverse(unsent));
    this.#editor?.view.dispatch(remoteSpec(back));
    this.#clearUndo();
    return { base, inFlight, pending };
  }

  close(): void {
    clearTimeout(this.#sendTimer);
    clearTimeout(this.#answerTimer);
    this.#frame?.();
    this.#editor?.destroy();
  }

  #submit({ baseRev, changeset, pool }: Submission): void {
    this.#sentAt = Date.now();
    this.#expectAnswer();
    this.#session.say({ type: 'USER_CHANGES', baseRev, changeset, apool: pool });
    this.#listener.changed();
  }

  #expectAnswer(): void {
    clearTimeout(this.#answerTimer);
    this.#answerTimer = setTimeout(() => {
      if (!this.#current || !this.#replica?.inFlight) return;
      if (this.storageFails) this.#expectAnswer();
      else this.#session.restart();
    }, LONGEST_WAIT_MS);
  }

  #showSoon(): void {
    if (this.#frame) return;
    const run = () => {
      this.#frame = null;
      this.#takeIn();
      if (this.#mustHold()) this.#showSoon();
      else this.#release();
    };
    if (document.visibilityState === 'hidden') {
      const timer = setTimeout(run, HIDDEN_MS);
      this.#frame = () => clearTimeout(timer);
    } else {
      const frame = requestAnimationFrame(run);
      this.#frame = () => cancelAnimationFrame(frame);
    }
  }

  #takeIn(): void {
    if (!this.#replica?.waiting) return;
    const { change, heard, outOfStep } = this.#replica.take();
    if (!isIdentity(change)) this.screen.arrived(change);
    this.#listener.heard(heard);
    this.#draftStore.touch(this.#replica);
    this.#listener.changed();
    if (outOfStep) {
      this.#fresh = true;
      this.#current = false;
      this.#session.restart();
    } else {
      this.send();
    }
  }

  #release(): void {
    this.#restingSince = null;
    const change = this.screen.release();
    if (change) this.#editor?.view.dispatch(remoteSpec(change));
  }

  // Whether somebody is composing in text that would change under their hands.
  #mustHold(): boolean {
    if (!this.#editor?.isComposing || !this.screen.isBehind) return false;
    const { state } = this.#editor.view;
    const line = state.doc.lineAt(state.selection.main.head);
    if (!this.screen.touches(line.from, line.to)) return false;
    this.#restingSince ??= Date.now();
    return Date.now() - this.#restingSince < LONGEST_REST_MS;
  }

  #startOver(replica: Replica<PadDocument>, rev: number, document: PadDocument): void {
    this.show();
    const unsent = { base: replica.base, inFlight: replica.inFlight, pending: replica.pending };
    const { theirs, ours, safe } = mergeOnto(unsent, document);
    replica.restart(rev, document, theirs, safe ? ours : identity(ours.oldLen));
    this.#load(replica.visible());
    this.#clearUndo();
    if (!safe) this.#listener.setAside(unsent);
  }

  #load(document: PadDocument): void {
    const view = this.#editor?.view;
    view?.dispatch(loadSpec(view.state, document));
  }

  #clearUndo(): void {
    const had = this.#undo.canUndo || this.#undo.canRedo;
    this.#undo.clear();
    if (had) this.#listener.undoCleared();
  }

  #move(take: (inverse: (change: Changeset, kind: string) => Changeset) => Changeset | null): void {
    const view = this.#editor?.view;
    if (!view || view.state.readOnly) return;
    const { state } = view;
    let own: Changeset | null = null;
    take((change, kind) => {
      own = asOwn(state, change, kind);
      return documentOf(state).inverse(own);
    });
    if (own) view.dispatch(this.#moveSpec(own));
    this.#listener.changed();
  }

  #moveSpec(change: Changeset) {
    const place = Math.min(placeOfChange(change) ?? Number.NaN, change.newLen - 1);
    const selection = Number.isNaN(place) ? {} : { selection: EditorSelection.cursor(place) };
    return specOf(change, { kind: 'undo', origin: 'undo', userEvent: 'undo', ...selection });
  }
}
