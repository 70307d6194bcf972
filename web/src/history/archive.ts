// The past of a pad, asked for piece by piece over a connection of its own.
//
// Invariant: one question at a time, and always the one that brings the wanted revision nearer, so
// that a slider that is dragged never leaves a queue behind it. What is compared with comes second.

import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { Pool } from '../changeset/index.ts';
import { Replica } from '../collab/replica.ts';
import { AttributeSets } from '../document/attributes.ts';
import { PadDocument } from '../document/document.ts';
import type { AuthorLook } from '../editor/authors.ts';
import { endpoint } from '../net/early.ts';
import {
  type AuthorInfo,
  type Incoming,
  type JoinVars,
  type Json,
  numberOf,
  objectOf,
  type PastDocument,
} from '../net/messages.ts';
import { Session } from '../net/session.ts';
import { infoOf, withNames } from '../pad/live/info.ts';
import type { PadInfo } from '../pad/live.ts';
import { ChatHistory } from './chatHistory.ts';
import { Periods } from './periods.ts';
import { restoring } from './restore.ts';
import { type Piece, type Place, stepsOf, Timeline } from './timeline.ts';

// Bytes that a unit of text may take in a message, in the worst case.
const BYTES_PER_UNIT = 8;
const DEFAULT_LIMIT = 100_000;
const NO_COLOUR = '#888888';

// Why nothing more can be asked for.
type Stop = 'denied' | 'duplicate' | 'deleted' | 'rejected';

const STOPS: Readonly<Record<string, Stop>> = { userdup: 'duplicate', deleted: 'deleted' };

export interface Joined {
  readonly info: PadInfo;
  readonly authors: ReadonlyMap<string, AuthorLook>;
}

export class Archive {
  readonly shown: ReadonlySignal<Place | null>;
  // What is shown is compared with it: which revision, and its content once it is there.
  readonly comparedWith: ReadonlySignal<number | null>;
  readonly other: ReadonlySignal<Place | null>;
  readonly joined: ReadonlySignal<Joined | null>;
  // The newest revision.
  readonly head: ReadonlySignal<number>;
  readonly goal: ReadonlySignal<number>;
  readonly stopped: ReadonlySignal<Stop | null>;
  // Of a revision to restore.
  readonly restored: ReadonlySignal<'no' | 'soon' | 'yes'>;
  // What had been said in the chat.
  readonly chatHistory: ChatHistory;
  // Who wrote when.
  readonly periods: Periods;
  readonly #shown = signal<Place | null>(null);
  readonly #comparedWith = signal<number | null>(null);
  readonly #other = signal<Place | null>(null);
  readonly #joined = signal<Joined | null>(null);
  readonly #head = signal(0);
  readonly #goal: Signal<number>;
  readonly #stopped = signal<Stop | null>(null);
  readonly #session: Session;
  readonly #sets = new AttributeSets(new Pool());
  readonly #restored = signal<'no' | 'soon' | 'yes'>('no');
  #timeline: Timeline | null = null;
  // The pad as it is now.
  #newest: Replica<PadDocument> | null = null;
  // For which of the two an answer is due.
  #asked: 'shown' | 'other' | null = null;
  #question = 0;
  #palette: readonly string[] = [];

  // Opens at revision `start`, compared with `other` if that is one; a pad that is younger at its
  // newest.
  constructor(base: string, padId: string, start: number, other: number | null) {
    this.#goal = signal(start);
    this.#comparedWith.value = other;
    this.shown = this.#shown;
    this.comparedWith = this.#comparedWith;
    this.other = this.#other;
    this.joined = this.#joined;
    this.head = this.#head;
    this.goal = this.#goal;
    this.stopped = this.#stopped;
    this.restored = this.#restored;
    this.#session = new Session(endpoint(base, padId), {
      hello: () => {
        const ready = { component: 'pad', type: 'CLIENT_READY', padId, userInfo: {} };
        return { ...ready, extensions: ['titles'] };
      },
      message: (message) => this.#message(message),
      lost: () => {
        this.#asked = null;
        // What has come of it, the next connection shows.
        this.#newest = null;
        this.#restored.value = 'no';
      },
      retrying: () => {},
    });
    this.chatHistory = new ChatHistory((start, end) =>
      this.#session.say({ type: 'GET_CHAT_MESSAGES', start, end }),
    );
    this.periods = new Periods((before) => {
      const data = { before, requestID: 'periods' };
      this.#session.send({ component: 'pad', type: 'PERIODS_REQ', data });
    });
    this.#session.start();
  }

  go(revision: number): void {
    this.#goal.value = Math.min(Math.max(revision, 0), this.#head.peek());
    this.#advance();
  }

  // With null nothing is compared any more.
  compareWith(revision: number | null): void {
    const within = revision === null ? null : Math.min(Math.max(revision, 0), this.#head.peek());
    this.#comparedWith.value = within;
    if (this.#other.peek()?.revision !== within) this.#other.value = null;
    this.#advance();
  }

  // Makes the text what is shown now, as a change of this visitor's.
  restore(): void {
    const shown = this.#shown.peek();
    const newest = this.#newest;
    if (!shown || !newest || this.#restored.peek() !== 'no') return;
    newest.edit(restoring(newest.visible(), shown.document, newest.author));
    this.#restored.value = 'soon';
    this.#send(newest);
  }

  // Whether it was stored. An empty name takes it away.
  nameSaved(rev: number, label: string): Promise<boolean> {
    return this.#session.request({ type: 'NAME_SAVED_REVISION', rev, label });
  }

  // How long after the one before a revision was made, if that is known.
  deltaOf(revision: number): number | undefined {
    return this.#timeline?.deltaOf(revision);
  }

  #message(message: Incoming): void {
    if (message.kind === 'joined') this.#begin(message.vars);
    else if (message.kind === 'past') {
      this.#asked = null;
      this.#timeline?.add(message.past);
      this.#advance();
    } else if (message.kind === 'document') {
      const place = this.#read(message.document);
      if (this.#asked === 'other') this.#other.value = place;
      else this.#timeline?.land(place);
      this.#asked = null;
      this.#advance();
    } else if (message.kind === 'entry') {
      this.#head.value = Math.max(this.#head.peek(), message.entry.rev);
      this.#newest?.receive(message.entry);
      // Only a fresh copy of the pad helps.
      if (this.#newest?.take().outOfStep) this.#session.restart();
      else if (this.#newest) this.#send(this.#newest);
    } else if (message.kind === 'chat') this.chatHistory.grew();
    else if (message.kind === 'periods') this.periods.answered(message.data);
    else if (message.kind === 'pastChat') this.chatHistory.answered(message.messages);
    else if (message.kind === 'saved') {
      this.#saved([message.saved]);
    } else if (message.kind === 'savedRevisions') this.#saved(message.saved);
    else if (message.kind === 'person') this.#met(message.id, message.info);
    else if (message.kind === 'title') this.#know({ title: message.title });
    else if (message.kind === 'denied') this.#stop('denied');
    else if (message.kind === 'dismissed') this.#stop(STOPS[message.reason] ?? 'rejected');
  }

  #stop(reason: Stop): void {
    this.#stopped.value = reason;
    this.#session.stop();
  }

  #begin(vars: JoinVars): void {
    const document = PadDocument.read(vars.atext, Pool.fromJson(vars.pool), this.#sets);
    const collab = objectOf(vars.vars.collab_client_vars);
    const again = this.#timeline !== null;
    const time = numberOf(collab.time);
    this.#timeline = new Timeline({ revision: vars.rev, document, time, author: undefined });
    this.#newest = new Replica(vars.authorId, vars.rev, document, this.#sets.pool);
    this.#head.value = vars.rev;
    if (!again) this.#goal.value = Math.min(this.#goal.peek(), vars.rev);
    this.#palette = vars.palette;
    this.#joined.value = { info: infoOf(vars), authors: looksOf(vars) };
    this.chatHistory.joined(vars.chatHead + 1);
    this.periods.joined();
    this.compareWith(this.#comparedWith.peek());
  }

  #saved(saved: readonly Json[]): void {
    const known = this.#joined.peek()?.info.savedRevisions ?? [];
    this.#know({ savedRevisions: withNames(known, saved) });
  }

  #know(news: Partial<PadInfo>): void {
    const joined = this.#joined.peek();
    if (joined) this.#joined.value = { ...joined, info: { ...joined.info, ...news } };
  }

  // Somebody who has come, or is called otherwise now.
  #met(id: string, info: AuthorInfo): void {
    const joined = this.#joined.peek();
    if (!joined || !id) return;
    const authors = new Map(joined.authors).set(id, lookOf(info, this.#palette));
    this.#joined.value = { ...joined, authors };
  }

  #advance(): void {
    const timeline = this.#timeline;
    if (!timeline) return;
    const goal = this.#goal.peek();
    const missing = timeline.walk(goal);
    if (missing) {
      this.#ask(missing, 'shown');
      return;
    }
    const { place } = timeline;
    this.#shown.value = place;
    const wanted = this.#comparedWith.peek();
    if (wanted === place.revision) this.#other.value = place;
    if (wanted !== null && this.#other.peek()?.revision !== wanted) {
      this.#other.value = null;
      this.#ask({ kind: 'document', revision: wanted }, 'other');
    } else if (place.author === undefined) this.#ask(stepsOf(goal), 'shown');
  }

  #read({ rev, atext, pool, author, time }: PastDocument): Place {
    const document = PadDocument.read(atext, Pool.fromJson(pool), this.#sets);
    return { revision: rev, document, time, author };
  }

  #send(newest: Replica<PadDocument>): void {
    const limit = Math.floor(this.#session.greatest / BYTES_PER_UNIT) || DEFAULT_LIMIT;
    const submission = newest.nextSubmission(limit);
    if (submission) {
      const { baseRev, changeset, pool } = submission;
      this.#session.say({ type: 'USER_CHANGES', baseRev, changeset, apool: pool });
    } else if (this.#restored.peek() === 'soon' && newest.isSettled) {
      this.#restored.value = 'yes';
    }
  }

  #ask(piece: Piece, place: 'shown' | 'other'): void {
    if (this.#asked || !this.#session.isReady) return;
    this.#asked = place;
    this.#question++;
    const requestID = this.#question;
    const question =
      piece.kind === 'steps'
        ? { type: 'CHANGESET_REQ', data: { start: piece.start, granularity: 1, requestID } }
        : { type: 'REVISION_REQ', data: { rev: piece.revision, requestID } };
    this.#session.send({ component: 'pad', ...question });
  }
}

function looksOf({ authors, palette }: JoinVars): Map<string, AuthorLook> {
  return new Map([...authors].map(([id, author]) => [id, lookOf(author, palette)]));
}

function lookOf({ name, colour }: AuthorInfo, palette: readonly string[]): AuthorLook {
  const named = typeof colour === 'number' ? palette[colour] : colour;
  return { name, colour: named || NO_COLOUR, faded: false };
}
