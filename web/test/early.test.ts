// A page takes over the connection that was opened before its scripts were there.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openEarly } from '../src/net/early.ts';
import { connect } from '../src/net/engine.ts';
import { clientReady } from '../src/net/ready.ts';

class Socket {
  static readonly OPEN = 1;
  static readonly CLOSED = 3;
  static all: Socket[] = [];
  readonly url: string;
  readyState = Socket.OPEN;
  readonly sent: string[] = [];
  onopen: () => void = () => {};
  onmessage: (event: { data: string }) => void = () => {};
  onclose: () => void = () => {};

  constructor(url: URL) {
    this.url = url.href;
    Socket.all.push(this);
  }

  send(packet: string): void {
    this.sent.push(packet);
  }

  close(): void {
    this.readyState = Socket.CLOSED;
    this.onclose();
  }

  hear(...packets: string[]): void {
    for (const data of packets) this.onmessage({ data });
  }
}

const ADDRESS = new URL('http://e.com/socket.io/?padId=a');
const HELLO = '0{"sid":"a","pingInterval":25000,"pingTimeout":20000,"maxPayload":9}';
const WORD = clientReady('a', { window: 'w', endWindows: [] }, {});

beforeEach(() => {
  Socket.all = [];
  vi.stubGlobal('WebSocket', Socket);
  vi.stubGlobal('window', {});
  vi.stubGlobal('navigator', { onLine: true });
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

// What the page sees of it, when its own first word is `word`.
async function take(word: object): Promise<string[]> {
  const seen: string[] = [];
  const connection = connect(ADDRESS, {
    opened: () => {
      seen.push('opened');
      connection.send('message', word);
    },
    message: (event, argument) => seen.push(`${event} ${JSON.stringify(argument)}`),
    closed: () => seen.push('closed'),
  });
  await Promise.resolve();
  return seen;
}

function open(): Socket {
  window.earlySocket = openEarly(ADDRESS, 'w', WORD);
  const [socket] = Socket.all as [Socket];
  return socket;
}

const SAID = ['40', `42${JSON.stringify(['message', WORD])}`];

test('what came early is heard, and nothing is said twice', async () => {
  const socket = open();
  socket.onopen();
  socket.hear(HELLO, '40{"sid":"b"}', '2', '42["message",{"a":1}]');
  const seen = await take(WORD);
  expect(seen).toEqual(['opened', 'message {"a":1}']);
  socket.hear('2', '42["message",{"a":2}]');
  expect(seen.at(-1)).toBe('message {"a":2}');
  expect(socket.sent).toEqual([...SAID, '3', '3']);
  expect(Socket.all).toHaveLength(1);
});

test('a page that is there before the connection takes it as well', async () => {
  const socket = open();
  const seen = await take(WORD);
  socket.onopen();
  socket.hear(HELLO, '40{"sid":"b"}', '42["message",{"a":1}]');
  expect(seen).toEqual(['opened', 'message {"a":1}']);
  expect(socket.sent).toEqual(SAID);
});

test('a page with something else to say gets a connection of its own', async () => {
  const socket = open();
  socket.onopen();
  socket.hear(HELLO, '40{"sid":"b"}');
  expect(await take({ another: 'word' })).toEqual(['opened', 'closed']);
  expect(socket.readyState).toBe(Socket.CLOSED);
  await take({ another: 'word' });
  expect(Socket.all).toHaveLength(2);
});

test('one that ended meanwhile is no connection, and another address is another one', async () => {
  const socket = open();
  socket.onopen();
  socket.hear(HELLO);
  socket.close();
  expect(await take(WORD)).toEqual(['closed']);
  open();
  window.earlySocket = openEarly(new URL('http://e.com/socket.io/?padId=b'), 'w', WORD);
  await take(WORD);
  expect(Socket.all).toHaveLength(4);
});

test('a page whose scripts never come does not listen for ever', () => {
  const socket = open();
  socket.onopen();
  for (let i = 0; i < 2_000; i++) socket.hear('42["message",{}]');
  expect(socket.readyState).toBe(Socket.OPEN);
  socket.hear('42["message",{}]');
  expect(socket.readyState).toBe(Socket.CLOSED);
});
