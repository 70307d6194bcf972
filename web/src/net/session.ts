// A seat in a pad that outlives connections: it joins, and comes back after every loss.
//
// Invariant: at most one connection at a time. The owner of the session gets `lost` for every
// connection that was `ready`, and decides what to say on the next one.

import { type Connection, connect } from './engine.ts';
import { decode, type Incoming, type Json } from './messages.ts';

export interface SessionListener {
  // A connection takes messages; the answer is the first of them.
  hello(): Json;
  message(message: Incoming): void;
  lost(): void;
  // The next try is due then; null while it runs.
  retrying(at: number | null): void;
}

const FIRST_DELAY_MS = 300;
const GROWTH = 1.7;
const LONGEST_DELAY_MS = 20_000;
// A connection that lasted this long resets the back-off.
const STEADY_MS = 5_000;

// How long to wait before try number `attempt`, the first being 0; `chance` is from 0 to 1.
export function delayOf(attempt: number, chance: number): number {
  const delay = Math.min(FIRST_DELAY_MS * GROWTH ** attempt, LONGEST_DELAY_MS);
  return Math.round(delay * (0.5 + chance / 2));
}

export class Session {
  readonly #address: URL;
  readonly #listener: SessionListener;
  #connection: Connection | null = null;
  #ready = false;
  #greatest = 0;
  #attempt = 0;
  #openedAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #ended = false;
  // A browser without network leaves its connections open and silent.
  readonly #sleep = () => this.restart();
  readonly #wake = () => {
    if (document.visibilityState === 'visible' && navigator.onLine) this.reconnectNow();
  };

  constructor(address: URL, listener: SessionListener) {
    this.#address = address;
    this.#listener = listener;
  }

  get isReady(): boolean {
    return this.#ready;
  }

  // The most bytes a message may have; 0 if the server did not say.
  get greatest(): number {
    return this.#greatest;
  }

  start(): void {
    this.#ended = false;
    addEventListener('offline', this.#sleep);
    addEventListener('online', this.#wake);
    addEventListener('focus', this.#wake);
    document.addEventListener('visibilitychange', this.#wake);
    this.#connect();
  }

  // Lets go for good, until `start`.
  stop(): void {
    this.#ended = true;
    removeEventListener('offline', this.#sleep);
    removeEventListener('online', this.#wake);
    removeEventListener('focus', this.#wake);
    document.removeEventListener('visibilitychange', this.#wake);
    clearTimeout(this.#timer);
    this.#connection?.close();
  }

  // Drops the connection to get a fresh one.
  restart(): void {
    this.#connection?.close();
  }

  reconnectNow(): void {
    if (this.#ended || this.#connection) return;
    clearTimeout(this.#timer);
    this.#connect();
  }

  send(message: Json): void {
    if (this.#ready) this.#connection?.send('message', message);
  }

  // A message inside the pad.
  say(data: Json): void {
    this.send({ type: 'COLLABROOM', component: 'pad', data });
  }

  // The same, and whether the server accepted it. Without a connection it is not sent.
  request(data: Json): Promise<boolean> {
    const message = { type: 'COLLABROOM', component: 'pad', data };
    return new Promise((resolve) => {
      if (this.#connection) this.#connection.send('message', message, resolve);
      else resolve(false);
    });
  }

  #connect(): void {
    this.#listener.retrying(null);
    const connection = connect(this.#address, {
      opened: (greatest) => {
        this.#ready = true;
        this.#greatest = greatest;
        this.#openedAt = performance.now();
        this.send(this.#listener.hello());
      },
      message: (event, argument) => {
        const message = decode(event, argument);
        if (message) this.#listener.message(message);
      },
      closed: () => this.#closed(),
    });
    if (!this.#ended) this.#connection = connection;
  }

  #closed(): void {
    const wasReady = this.#ready;
    this.#connection = null;
    this.#ready = false;
    if (wasReady && performance.now() - this.#openedAt > STEADY_MS) this.#attempt = 0;
    if (wasReady) this.#listener.lost();
    if (this.#ended) return;
    const delay = delayOf(this.#attempt++, Math.random());
    this.#listener.retrying(Date.now() + delay);
    this.#timer = setTimeout(() => this.#connect(), delay);
  }
}
