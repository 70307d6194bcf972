// What comes over the wire, and when to try again.

import { describe, expect, test } from 'vitest';
import { linksIn } from '../src/editor/links.ts';
import { readPacket } from '../src/net/engine.ts';
import { decode } from '../src/net/messages.ts';
import { delayOf } from '../src/net/session.ts';
import { FIRST, stateOf } from '../src/pad/live/status.ts';

describe('connection', () => {
  test('packets are read, damaged ones end the connection', () => {
    expect(
      readPacket('0{"sid":"a","pingInterval":25000,"pingTimeout":20000,"maxPayload":9}'),
    ).toEqual({ kind: 'hello', silence: 45_000, greatest: 9 });
    expect(readPacket('2').kind).toBe('ping');
    expect(readPacket('40{"sid":"b"}').kind).toBe('joined');
    expect(readPacket('42["message",{"a":1}]')).toEqual({
      kind: 'event',
      event: 'message',
      argument: { a: 1 },
    });
    const acknowledged = (packet: string) => {
      const read = readPacket(packet);
      return read.kind === 'acknowledged' && [read.number, read.accepted];
    };
    expect(acknowledged('4312[null,null]')).toEqual([12, true]);
    expect(acknowledged('433[{"message":"no"}]')).toEqual([3, false]);
    for (const packet of ['1', '41', '44{"message":"no"}', '0{', '42["message"', '42{}', '431']) {
      expect(readPacket(packet).kind, packet).toBe('end');
    }
  });

  test('delays grow, never beyond their bound, and differ between pages', () => {
    const longest = [0, 1, 2, 50].map((attempt) => delayOf(attempt, 1));
    expect(longest).toEqual([300, 510, 867, 20_000]);
    expect(delayOf(3, 0)).toBeLessThan(delayOf(3, 1));
  });

  test('messages are decoded; strange ones do no harm', () => {
    const room = (data: object) => decode('message', { type: 'COLLABROOM', data });
    expect(room({ type: 'ACCEPT_COMMIT', newRev: 4 })).toEqual({
      kind: 'entry',
      entry: { kind: 'accepted', rev: 4 },
    });
    const change = { newRev: 5, changeset: 'Z:1>0$', apool: { numToAttrib: {} }, author: 'a.1' };
    expect(room({ type: 'NEW_CHANGES', ...change })).toMatchObject({
      entry: { kind: 'changed', rev: 5, author: 'a.1' },
    });
    expect(room({ type: 'CLIENT_RECONNECT', headRev: 6, ...change })).toMatchObject({
      kind: 'missed',
      headRev: 6,
    });
    expect(room({ type: 'CLIENT_RECONNECT', noChanges: true, newRev: 2 })?.kind).toBe(
      'missedNothing',
    );
    expect(room({ type: 'ring', time: 7 })).toEqual({ kind: 'signal', name: 'ring', time: 7 });
    // What a plugin did not check is said in the reader's language.
    const refused = { reason: 'it could not be checked', messageKey: 'refused.unchecked' };
    expect(room({ type: 'REFUSED', what: 'chat', ...refused })).toEqual({
      kind: 'shout',
      message: { message: refused.reason, messageKey: refused.messageKey },
    });
    expect(decode('message', { disconnect: 'userdup' })).toEqual({
      kind: 'dismissed',
      reason: 'userdup',
    });
    expect(decode('message', { accessStatus: 'deny' })?.kind).toBe('denied');
    for (const strange of [
      null,
      1,
      'x',
      [],
      {},
      { type: 'COLLABROOM' },
      { type: 'CUSTOM', data: 3 },
    ]) {
      expect(decode('message', strange)).toBe(null);
    }
    expect(decode('message', { type: 'CLIENT_VARS', data: 'x' })).toMatchObject({
      vars: { rev: 0, atext: { text: '', attribs: '' }, chatHead: -1 },
    });
  });
});

describe('state', () => {
  const joined = { ...FIRST, joined: true };

  test('says what holds, and nothing for what passes in a moment', () => {
    const at = 100_000;
    expect(stateOf(FIRST, at, true)).toEqual({ kind: 'connecting' });
    expect(stateOf(joined, at, true)).toEqual({ kind: 'saved' });
    expect(stateOf({ ...joined, unsettledSince: at - 300 }, at, true)).toEqual({ kind: 'saved' });
    expect(stateOf({ ...joined, unsettledSince: at - 500 }, at, true)).toEqual({ kind: 'saving' });
    const slow = { ...joined, unsettledSince: at - 12_500, inFlightSince: at - 12_500 };
    expect(stateOf(slow, at, true)).toEqual({ kind: 'slow', seconds: 12 });
  });

  test('says that nothing can be stored, and how much is kept here', () => {
    const failing = { ...joined, storageFails: true, words: 3, inFlightSince: 0 };
    expect(stateOf(failing, 100_000, true)).toEqual({ kind: 'unstored', words: 3 });
    expect(stateOf({ ...failing, readOnly: true }, 100_000, true)).toEqual({ kind: 'readOnly' });
  });

  test('tells a lost network from a lost server, after three seconds', () => {
    const at = 100_000;
    const lost = { ...joined, lostSince: at - 3_500, nextTry: at + 1_200, words: 8 };
    expect(stateOf({ ...lost, lostSince: at - 100 }, at, true)).toEqual({ kind: 'saved' });
    expect(stateOf(lost, at, true)).toEqual({ kind: 'reconnecting', seconds: 2, words: 8 });
    expect(stateOf(lost, at, false)).toEqual({ kind: 'offline', words: 8 });
    expect(stateOf({ ...lost, stopped: 'deleted' }, at, true)).toEqual({
      kind: 'stopped',
      reason: 'deleted',
    });
  });
});

describe('links', () => {
  test('addresses end where the sentence goes on', () => {
    const found = (text: string) => linksIn(text).map(({ href }) => href);
    expect(found('see https://e.com/a?b=c#d, or (http://e.com/x_(y)).')).toEqual([
      'https://e.com/a?b=c#d',
      'http://e.com/x_(y)',
    ]);
    expect(found('www.example.org and mailto:a@b.org!')).toEqual([
      'https://www.example.org',
      'mailto:a@b.org',
    ]);
    expect(found('ask ann.lee@example.org, or <büro@müller.de>.')).toEqual([
      'mailto:ann.lee@example.org',
      'mailto:büro@müller.de',
    ]);
    expect(found('@ann@example.org git@example.org:a/b x@y a@b.c @ann 3@4.5')).toEqual([]);
    expect(found(`${'a'.repeat(5_000)}@${'b.'.repeat(2_000)}`)).toEqual([]);
    expect(found('javascript:alert(1) data:text/html,x nohttp://a.b http://')).toEqual([]);
  });
});
