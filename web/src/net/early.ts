// The page's first connection, opened by a script in the page itself while the rest is still on its way.
//
// Invariant: it says what the page's own connection would say, and nothing else. The page that takes
// it over says the same words again: what has been said already is not sent twice, and a page that has
// something else to say ends it.

import type { Json } from './messages.ts';

export interface EarlySocket {
  readonly socket: WebSocket;
  readonly received: string[];
  readonly sent: string[];
  // The name of this window, of which it has told the server.
  readonly window: string;
}

// Scripts that have not come by then hardly will: a page that stays without them leaves the pad.
const MOST = 2_000;

declare global {
  interface Window {
    earlySocket?: EarlySocket;
  }
}

// The Socket.IO endpoint, with the pad in its query for proxies that spread pads.
export function endpoint(base: string, padId: string): URL {
  const address = new URL(`${base}socket.io/`, document.baseURI);
  address.searchParams.set('padId', padId);
  return address;
}

export function withTransport(address: URL, transport: string, session = ''): URL {
  const full = new URL(address);
  full.searchParams.set('EIO', '4');
  full.searchParams.set('transport', transport);
  if (session) full.searchParams.set('sid', session);
  return full;
}

export function webSocketAddress(address: URL): URL {
  const url = withTransport(address, 'websocket');
  url.protocol = url.protocol.replace('http', 'ws');
  return url;
}

export function eventPacket(event: string, argument: unknown, number: number | '' = ''): string {
  return `42${number}${JSON.stringify([event, argument])}`;
}

// Without locks nobody could tell the drafts of several windows apart. Then a window has no name, and
// the server lets an author have one.
export function windowName(): string {
  return navigator.locks ? crypto.randomUUID().replaceAll('-', '') : '';
}

export function openEarly(address: URL, window: string, first: Json): EarlySocket {
  const socket = new WebSocket(webSocketAddress(address));
  const early: EarlySocket = { socket, received: [], sent: [], window };
  const say = (packet: string) => {
    early.sent.push(packet);
    socket.send(packet);
  };
  // All at once: the server reads in this order, and while the scripts start nobody here could answer it.
  socket.onopen = () => {
    say('40');
    say(eventPacket('message', first));
  };
  socket.onmessage = ({ data }: MessageEvent<string>) => {
    // The server's question whether anybody is there, when the rest takes long to come.
    if (data === '2') socket.send('3');
    else if (early.received.length < MOST) early.received.push(data);
    else socket.close();
  };
  return early;
}

// Once, and for the address it was opened for.
export function takeEarly(url: URL): EarlySocket | null {
  const early = window.earlySocket;
  if (early?.socket.url !== url.href) return null;
  delete window.earlySocket;
  return early;
}
