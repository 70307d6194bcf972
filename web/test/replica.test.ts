// Replicas against a server: whatever is held, batched, lost or sent twice, all sides end with the
// same text.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type AText,
  applyToAText,
  identity,
  Pool,
  parse,
  plain,
  print,
  splice,
} from '../src/changeset/index.ts';
import { BatchReader } from '../src/collab/batches.ts';
import { splitNames } from '../src/collab/names.ts';
import { placeAfter, placeBefore } from '../src/collab/position.ts';
import { Replica, type Submission } from '../src/collab/replica.ts';
import { Screen } from '../src/collab/screen.ts';
import { splitChange } from '../src/collab/split.ts';
import { changeOf, document, newPool, type Step, steps } from './arbitraries.ts';
import { type Line, MemoryServer, TextBase } from './server.ts';

const RUNS = { numRuns: Number(process.env.PADSVC_CASES ?? 500) };
const TEXT = 'one\ntwo\n';

// A page: a replica, what is on screen, and a connection whose messages may get lost on the way.
class Page {
  readonly replica: Replica<TextBase>;
  readonly server: MemoryServer;
  readonly lag: Screen;
  screen: AText = plain(TEXT);
  line: Line | null;
  outgoing: Submission[] = [];

  readonly window: string;
  // Whether what it hears together comes together.
  takesBatches = false;
  readonly reader = new BatchReader();

  constructor(server: MemoryServer, author: string, window = '') {
    this.server = server;
    this.window = window;
    const pool = new Pool();
    this.replica = new Replica(author, 0, new TextBase(plain(TEXT), pool), pool);
    this.lag = new Screen(pool);
    this.replica.record = window;
    this.line = server.connect(author, 0, window);
  }

  type(list: readonly Step[]): void {
    const { pool, author } = this.replica;
    // The server refuses inserts without author, and a text without its last newline.
    const own = list.map((step): Step => {
      const others = step.attributes.filter(([key]) => key !== 'author');
      return {
        ...step,
        attributes: step.kind === 'insert' ? [...others, ['author', author]] : others,
      };
    });
    const body = this.screen.text.slice(0, -1);
    const inner = changeOf(body, own, pool);
    const change = { ...inner, oldLen: body.length + 1, newLen: inner.newLen + 1 };
    this.screen = applyToAText(change, this.screen, pool);
    this.replica.edit(this.lag.edited(change));
  }

  send(limit: number): void {
    const submission = this.line && this.replica.nextSubmission(limit);
    if (submission) this.outgoing.push(submission);
  }

  // The server gets what was sent.
  deliver(): void {
    const submission = this.outgoing.shift();
    if (submission && this.line) this.server.submit(this.line, submission);
  }

  // The page hears some of what the server said, but keeps its text as it is.
  hear(count: number): void {
    const { line } = this;
    const said = line?.queue.splice(0, count) ?? [];
    if (!line || !this.takesBatches) {
      for (const entry of said) this.replica.receive(entry);
      return;
    }
    for (const message of this.server.batched(line, said)) {
      for (const entry of this.reader.read(message)) this.replica.receive(entry);
    }
  }

  // The replica goes on, the screen stays as it is.
  takeIn(): void {
    const { change, outOfStep } = this.replica.take();
    expect(outOfStep).toBe(false);
    this.lag.arrived(change);
  }

  show(): void {
    this.takeIn();
    const change = this.lag.release();
    if (change) this.screen = applyToAText(change, this.screen, this.replica.pool);
    expect(this.replica.visible().atext).toEqual(this.screen);
  }

  // Everything that was on its way is gone, or only the answers are.
  lose(alsoSent: boolean): void {
    if (!this.line) return;
    while (!alsoSent && this.outgoing.length > 0) this.deliver();
    this.outgoing = [];
    this.server.lines.delete(this.line);
    this.line = null;
    this.replica.disconnected();
  }

  reconnect(): void {
    if (this.line) return;
    this.show();
    this.line = this.server.connect(this.replica.author, this.replica.rev, this.window);
    // What was missed comes one by one.
    for (const entry of this.line.queue.splice(0)) this.replica.receive(entry);
    this.show();
    this.reader.restart(this.replica.rev);
    const again = this.replica.resubmission();
    if (again) this.outgoing.push(again);
  }

  settle(): void {
    this.reconnect();
    for (let round = 0; !this.replica.isSettled || this.outgoing.length > 0; round++) {
      expect(round).toBeLessThan(100);
      this.send(Number.POSITIVE_INFINITY);
      this.deliver();
      this.hear(Number.POSITIVE_INFINITY);
      this.show();
    }
  }
}

type Action =
  | { do: 'type'; page: number; list: Step[] }
  | { do: 'send'; page: number; limit: number }
  | { do: 'hear'; page: number; count: number }
  | { do: 'lose'; page: number; alsoSent: boolean }
  | { do: 'deliver' | 'takeIn' | 'show' | 'reconnect'; page: number };

const page = fc.nat({ max: 2 });
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('type' as const), page, list: steps }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('send' as const),
      page,
      limit: fc.constantFrom(2, 5, Number.POSITIVE_INFINITY),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('hear' as const), page, count: fc.nat({ max: 4 }) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constantFrom('deliver', 'deliver', 'takeIn', 'show'), page }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('lose' as const), page, alsoSent: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reconnect' as const), page }) },
);

function act(pages: readonly Page[], action: Action): void {
  const page = pages[action.page] as Page;
  if (action.do === 'type') page.type(action.list);
  else if (action.do === 'send') page.send(action.limit);
  else if (action.do === 'hear') page.hear(action.count);
  else if (action.do === 'lose') page.lose(action.alsoSent);
  else page[action.do]();
}

describe('replicas', () => {
  test('any holding, batching, loss and repetition ends in one text', () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 60 }), (actions) => {
        const server = new MemoryServer(TEXT);
        const pages = ['a.1', 'a.2', 'a.3'].map((author) => new Page(server, author));
        for (const each of actions) act(pages, each);
        for (const each of pages) each.settle();
        for (const each of pages) {
          each.hear(Number.POSITIVE_INFINITY);
          each.show();
          expect(each.screen.text).toBe(server.atext.text);
          const attributes = each.replica.base.atext.attribs.length;
          expect(attributes > 0).toBe(server.atext.attribs.length > 0);
        }
        const [one, two, three] = pages.map((each) => attributesOf(each.screen, each.replica.pool));
        expect(one).toEqual(attributesOf(server.atext, server.pool));
        expect(two).toEqual(one);
        expect(three).toEqual(one);
      }),
      RUNS,
    );
  });

  test('pages that take batches and pages that do not end in one text', () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 80 }), (actions) => {
        const server = new MemoryServer(TEXT);
        const pages = ['a.1', 'a.2', 'a.3'].map((author) => new Page(server, author));
        for (const each of pages.slice(1)) each.takesBatches = true;
        for (const each of actions) act(pages, each);
        for (const each of pages) each.settle();
        for (const each of pages) {
          each.hear(Number.POSITIVE_INFINITY);
          each.show();
          expect(each.screen.text).toBe(server.atext.text);
          expect(attributesOf(each.screen, each.replica.pool)).toEqual(
            attributesOf(server.atext, server.pool),
          );
        }
      }),
      RUNS,
    );
  });

  test('equal changes of two windows of one author are there exactly once each', () => {
    const once = { kind: 'insert' as const, chars: 0, text: 'x', attributes: [] };
    const equal = action.map((each): Action => {
      return each.do === 'type' ? { ...each, list: [once] } : each;
    });
    fc.assert(
      fc.property(fc.array(equal, { maxLength: 60 }), (actions) => {
        const server = new MemoryServer(TEXT);
        const pages = ['w1', 'w2', 'w3'].map((window) => new Page(server, 'a.1', window));
        for (const each of actions) act(pages, each);
        for (const each of pages) each.settle();
        const typed = actions.filter((each) => each.do === 'type').length;
        for (const each of pages) {
          each.hear(Number.POSITIVE_INFINITY);
          each.show();
          expect(each.screen.text).toBe('x'.repeat(typed) + TEXT);
        }
        expect(server.atext.text).toBe('x'.repeat(typed) + TEXT);
      }),
      RUNS,
    );
  });

  test('an equal change after a reconnect is that of the other window', () => {
    const server = new MemoryServer(TEXT);
    const [page, other] = [new Page(server, 'a.1', 'w1'), new Page(server, 'a.1', 'w2')];
    for (const each of [page, other]) {
      each.type([{ kind: 'insert', chars: 0, text: 'x', attributes: [] }]);
      each.send(99);
    }
    page.lose(true);
    page.reconnect();
    other.deliver();
    page.settle();
    expect(server.atext.text).toBe(`xx${TEXT}`);
    expect(page.screen.text).toBe(`xx${TEXT}`);
  });

  test('a change whose acknowledgement got lost is stored once', () => {
    const server = new MemoryServer(TEXT);
    const [page, other] = [new Page(server, 'a.1'), new Page(server, 'a.2')];
    page.type([{ kind: 'insert', chars: 0, text: 'mine ', attributes: [] }]);
    page.send(99);
    other.type([{ kind: 'insert', chars: 0, text: 'yours ', attributes: [] }]);
    other.send(99);
    other.deliver();
    page.lose(false);
    page.type([{ kind: 'insert', chars: 0, text: 'more ', attributes: [] }]);
    page.settle();
    expect(server.atext.text).toBe('more yours mine one\ntwo\n');
  });

  test('a gap between revisions is noticed, and nothing before it is lost', () => {
    const pool = new Pool();
    const replica = new Replica('a.1', 0, new TextBase(plain(TEXT), pool), pool);
    const entry = (rev: number, text: string, len: number) => ({
      kind: 'changed' as const,
      rev,
      changeset: print(splice('x'.repeat(len), 0, 0, text)),
      pool: { numToAttrib: {} },
      author: 'a.2',
    });
    replica.receive(entry(1, 'A', 8));
    replica.receive(entry(3, 'B', 9));
    const { change, outOfStep } = replica.take();
    expect(outOfStep).toBe(true);
    expect(print(change)).toBe('Z:8>1+1$A');
    expect(replica.rev).toBe(1);
  });

  test('a change in portions does what the whole does', () => {
    fc.assert(
      fc.property(document, steps, fc.integer({ min: 1, max: 9 }), (atext, list, limit) => {
        const pool = newPool();
        const whole = changeOf(atext.text, list, pool);
        let left = whole;
        let screen = atext;
        for (let portion = 0; left.ops.length > 0; portion++) {
          expect(portion).toBeLessThan(200);
          const [first, rest] = splitChange(left, limit);
          expect(first.bank.length).toBeLessThanOrEqual(Math.max(limit, 2));
          screen = applyToAText(first, screen, pool);
          left = rest;
        }
        expect(screen).toEqual(applyToAText(whole, atext, pool));
      }),
      RUNS,
    );
  });
});

describe('names', () => {
  test('all new text goes out as ours, and gets back the names that it had', () => {
    fc.assert(
      fc.property(document, steps, (atext, list) => {
        const pool = newPool();
        const whole = changeOf(atext.text, list, pool);
        const [first, names] = splitNames(whole, 'a.1', pool);
        // As the server reads it: what is not in its shortest form is refused.
        expect(parse(print(first))).toEqual(first);
        for (const { opcode, attribs } of first.ops) {
          if (opcode === '+') expect(pool.valueOf(attribs, 'author')).toBe('a.1');
        }
        for (const { opcode } of names.ops) expect(opcode).toBe('=');
        const sent = applyToAText(first, atext, pool);
        expect(applyToAText(names, sent, pool)).toEqual(applyToAText(whole, atext, pool));
      }),
      RUNS,
    );
  });
});

describe('places', () => {
  test('there and back is the same place where the text was kept', () => {
    fc.assert(
      fc.property(document, steps, fc.nat(), ({ text }, list, at) => {
        const change = changeOf(text, list, newPool());
        const place = at % (text.length + 1);
        const after = placeAfter(change, place);
        expect(after).toBeLessThanOrEqual(change.newLen);
        const again = placeAfter(change, placeBefore(change, after));
        expect(again).toBeLessThanOrEqual(after);
      }),
      RUNS,
    );
    expect(placeBefore(identity(5), 3)).toBe(3);
    expect(placeBefore(splice('abcd', 1, 0, 'xy'), 4)).toBe(2);
    expect(placeBefore(splice('abcd', 1, 0, 'xy'), 2)).toBe(1);
    expect(placeBefore(splice('abcd', 1, 2, ''), 2)).toBe(4);
  });
});

// Attributes of each character by name, because every pool numbers in its own way.
function attributesOf(atext: AText, pool: Pool): string[] {
  const runs = [...atext.attribs.matchAll(/((?:\*[0-9a-z]+)*)(?:\|[0-9a-z]+)?\+([0-9a-z]+)/g)];
  return runs.flatMap(([, attribs = '', chars = '']) => {
    const numbers = attribs.split('*').slice(1);
    const named = numbers.map((number) => pool.resolve(Number.parseInt(number, 36)).join('='));
    return Array<string>(Number.parseInt(chars, 36)).fill(named.sort().join(' '));
  });
}
