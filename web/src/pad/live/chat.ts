// The chat of a pad: what was said, in order, and how far back we know it.

import { type ReadonlySignal, signal } from '@preact/signals';
import type { ChatMessage } from '../../net/messages.ts';
import type { Session } from '../../net/session.ts';
import type { Chat, ChatEntry } from '../live.ts';

const FIRST_PAGE = 100;
const OLDER_PAGE = 20;

export class ChatLog {
  readonly #chat = signal<Chat>({ entries: [], hasOlder: false });
  readonly #session: Session;
  readonly #describe: (authorId: string | null) => { name: string | null; colour: string };
  #self = '';
  // Numbers of the oldest message we have, and of the next one to come.
  #oldest = 0;
  #next = 0;
  #keys = 0;
  // What the next answer is about.
  #asked: ('first' | 'older' | 'missed')[] = [];

  constructor(
    session: Session,
    describe: (authorId: string | null) => { name: string | null; colour: string },
  ) {
    this.#session = session;
    this.#describe = describe;
  }

  get signal(): ReadonlySignal<Chat> {
    return this.#chat;
  }

  joined(self: string, head: number): void {
    this.#self = self;
    this.#asked = [];
    if (this.#chat.peek().entries.length > 0) {
      this.reconnected();
      return;
    }
    this.#next = head + 1;
    this.#oldest = Math.max(head - FIRST_PAGE + 1, 0);
    if (head >= 0) this.#ask('first', this.#oldest, head);
  }

  // What was said while we were away.
  reconnected(): void {
    this.#asked = [];
    this.#ask('missed', this.#next, this.#next + FIRST_PAGE - 1);
  }

  older(): void {
    if (this.#oldest === 0 || this.#asked.includes('older')) return;
    this.#ask('older', Math.max(this.#oldest - OLDER_PAGE, 0), this.#oldest - 1);
  }

  said(message: ChatMessage): void {
    this.#next++;
    this.#set([...this.#chat.peek().entries, this.#entry(message, true)]);
  }

  past(messages: readonly ChatMessage[]): void {
    const asked = this.#asked.shift();
    const { entries } = this.#chat.peek();
    if (asked === 'missed') {
      this.#next += messages.length;
      this.#set([...entries, ...messages.map((message) => this.#entry(message, true))]);
      return;
    }
    if (asked === 'older') this.#oldest = Math.max(this.#oldest - OLDER_PAGE, 0);
    this.#set([...messages.map((message) => this.#entry(message, false)), ...entries]);
  }

  // Names or colours have changed.
  refresh(): void {
    const { entries } = this.#chat.peek();
    if (entries.length === 0) return;
    this.#set(
      entries.map((entry) => {
        const { name, colour } = this.#describe(entry.authorId);
        return { ...entry, name: name ?? entry.name, colour };
      }),
    );
  }

  #ask(what: 'first' | 'older' | 'missed', start: number, end: number): void {
    this.#asked.push(what);
    this.#session.say({ type: 'GET_CHAT_MESSAGES', start, end });
  }

  #set(entries: readonly ChatEntry[]): void {
    this.#chat.value = { entries, hasOlder: this.#oldest > 0 };
  }

  #entry({ text, time, authorId, name }: ChatMessage, live: boolean): ChatEntry {
    const known = this.#describe(authorId);
    return {
      key: this.#keys++,
      text,
      time,
      authorId,
      name: known.name ?? name,
      colour: known.colour,
      self: authorId === this.#self,
      live,
    };
  }
}
