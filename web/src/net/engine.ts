// One connection to the server: Socket.IO 5 over Engine.IO 4, as much of it as pads need.
//
// WebSocket first; where it cannot be opened, long polling. Invariant: after `closed` nothing is
// called any more, and whatever way a connection ends, `closed` is called once.

import { eventPacket, takeEarly, webSocketAddress, withTransport } from './early.ts';

export interface Listener {
  // The connection takes messages now, of at most that many bytes.
  opened(greatest: number): void;
  message(event: string, argument: unknown): void;
  closed(): void;
}

export interface Connection {
  // Calls `acknowledged` once; with false also when the connection ends before the server answers.
  send(event: string, argument: unknown, acknowledged?: (accepted: boolean) => void): void;
  close(): void;
}

// Between two messages that the server sends to show that it is there; overridden by the server.
const SILENCE_MS = 45_000;
const SEPARATOR = '\x1e';

interface Transport {
  send(packet: string): void;
  close(): void;
}

// `address` is the Socket.IO endpoint with its query.
export function connect(address: URL, listener: Listener, pollingOnly = false): Connection {
  let transport: Transport | undefined;
  let open = true;
  let joined = false;
  let silence = SILENCE_MS;
  let greatest = 0;
  let watch: ReturnType<typeof setTimeout> | undefined;
  // Who waits for an acknowledgement, by its number.
  const waiting = new Map<number, (accepted: boolean) => void>();
  let lastNumber = 0;

  const end = () => {
    if (!open) return;
    open = false;
    clearTimeout(watch);
    transport?.close();
    for (const acknowledged of waiting.values()) acknowledged(false);
    listener.closed();
  };
  const alive = () => {
    clearTimeout(watch);
    watch = setTimeout(end, silence);
  };
  const receive = (packet: string) => {
    if (!open) return;
    alive();
    const read = readPacket(packet);
    if (read.kind === 'hello') {
      silence = read.silence || silence;
      greatest = read.greatest;
      transport?.send('40');
    } else if (read.kind === 'ping') transport?.send('3');
    else if (read.kind === 'joined') {
      joined = true;
      listener.opened(greatest);
    } else if (read.kind === 'event') listener.message(read.event, read.argument);
    else if (read.kind === 'acknowledged') {
      waiting.get(read.number)?.(read.accepted);
      waiting.delete(read.number);
    } else if (read.kind === 'end') end();
  };
  const poll = () => {
    transport = polling(address, receive, end);
  };

  alive();
  if (pollingOnly) poll();
  else transport = webSocket(address, receive, end, () => open && poll());
  return {
    send: (event, argument, acknowledged) => {
      if (!open || !joined) {
        acknowledged?.(false);
        return;
      }
      if (acknowledged) waiting.set(++lastNumber, acknowledged);
      transport?.send(eventPacket(event, argument, acknowledged ? lastNumber : ''));
    },
    close: end,
  };
}

type Packet =
  | { kind: 'hello'; silence: number; greatest: number }
  | { kind: 'ping' | 'joined' | 'end' | 'other' }
  | { kind: 'event'; event: string; argument: unknown }
  | { kind: 'acknowledged'; number: number; accepted: boolean };

// What is damaged ends the connection, as the protocol wants.
export function readPacket(packet: string): Packet {
  try {
    if (packet.startsWith('0')) {
      const hello = JSON.parse(packet.slice(1)) as Record<string, number>;
      const silence = (hello.pingInterval ?? 0) + (hello.pingTimeout ?? 0);
      return { kind: 'hello', silence, greatest: hello.maxPayload ?? 0 };
    }
    if (packet.startsWith('2')) return { kind: 'ping' };
    if (packet.startsWith('40')) return { kind: 'joined' };
    if (packet.startsWith('42')) {
      const [event, argument] = JSON.parse(packet.slice(packet.indexOf('['))) as [string, unknown];
      return { kind: 'event', event, argument };
    }
    if (packet.startsWith('43')) {
      const start = packet.indexOf('[');
      const [problem] = JSON.parse(packet.slice(start)) as unknown[];
      const number = Number(packet.slice(2, start));
      return { kind: 'acknowledged', number, accepted: !problem };
    }
    // The server leaves, or refuses us.
    return { kind: /^(1|41|44)/.test(packet) ? 'end' : 'other' };
  } catch {
    return { kind: 'end' };
  }
}

function webSocket(
  address: URL,
  receive: (packet: string) => void,
  end: () => void,
  otherwise: () => void,
): Transport {
  const url = webSocketAddress(address);
  const early = takeEarly(url);
  const socket = early?.socket ?? new WebSocket(url);
  const said = early?.sent ?? [];
  let heard = false;
  let closing = false;
  const hear = (packet: string) => {
    heard = true;
    receive(packet);
  };
  // Closed before the first word: something in between does not let WebSockets through.
  const closed = () => (heard || closing || !navigator.onLine ? end() : otherwise());
  socket.onmessage = ({ data }: MessageEvent<string>) => hear(data);
  socket.onclose = closed;
  if (early) {
    // Once the caller has the connection, and before the next message.
    queueMicrotask(() => {
      for (const packet of early.received) hear(packet);
      if (socket.readyState === WebSocket.CLOSED) closed();
    });
  }
  return {
    send: (packet) => {
      const before = said.shift();
      if (before !== undefined) {
        if (before !== packet) end();
      } else if (socket.readyState === WebSocket.OPEN) socket.send(packet);
    },
    close: () => {
      closing = true;
      socket.close();
    },
  };
}

function polling(address: URL, receive: (packet: string) => void, end: () => void): Transport {
  const abort = new AbortController();
  const { signal } = abort;
  const waiting: string[] = [];
  let session = '';
  let posting = false;

  const request = async (init: RequestInit): Promise<string> => {
    const url = withTransport(address, 'polling', session);
    const response = await fetch(url, { ...init, signal, cache: 'no-store' });
    if (!response.ok) throw new Error(`status ${response.status}`);
    return response.text();
  };
  const listen = async () => {
    while (!signal.aborted) {
      for (const packet of (await request({})).split(SEPARATOR)) {
        if (packet.startsWith('0')) session = (JSON.parse(packet.slice(1)) as { sid: string }).sid;
        receive(packet);
      }
    }
  };
  const post = async () => {
    if (posting) return;
    posting = true;
    while (waiting.length > 0) {
      const body = waiting.splice(0).join(SEPARATOR);
      await request({ method: 'POST', body, headers: { 'content-type': 'text/plain' } });
    }
    posting = false;
  };
  listen().catch(end);
  return {
    send: (packet) => {
      waiting.push(packet);
      post().catch(end);
    },
    close: () => abort.abort(),
  };
}
