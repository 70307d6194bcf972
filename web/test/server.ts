// A pad server in memory: the rules that replicas rely on, and nothing else.

import {
  type AText,
  applyToAText,
  type Changeset,
  follow,
  identity,
  isIdentity,
  moveChangeset,
  Pool,
  parse,
  plain,
  print,
} from '../src/changeset/index.ts';
import type { Batch } from '../src/collab/batches.ts';
import type { Entry, Submission } from '../src/collab/replica.ts';

// A document as replicas want it.
export class TextBase {
  readonly atext: AText;
  readonly pool: Pool;

  constructor(atext: AText, pool: Pool) {
    this.atext = atext;
    this.pool = pool;
  }

  get length(): number {
    return this.atext.text.length;
  }

  apply(change: Changeset): TextBase {
    return new TextBase(applyToAText(change, this.atext, this.pool), this.pool);
  }
}

interface Revision {
  change: Changeset;
  author: string;
  window: string;
}

// One connection: what the server has said on it and the client has not heard yet.
export class Line {
  readonly author: string;
  // '' for a client that has named none.
  readonly window: string;
  queue: Entry[] = [];
  // Attributes that were named in batches.
  readonly known = new Set<number>();
  rev: number;

  constructor(author: string, window: string, rev: number) {
    this.author = author;
    this.window = window;
    this.rev = rev;
  }
}

export class MemoryServer {
  readonly pool = new Pool();
  readonly revisions: Revision[] = [];
  readonly lines = new Set<Line>();
  atext: AText;

  constructor(text: string) {
    this.atext = plain(text);
  }

  get head(): number {
    return this.revisions.length;
  }

  connect(author: string, rev: number, window = ''): Line {
    const line = new Line(author, window, rev);
    this.lines.add(line);
    this.#tell(line, window);
    return line;
  }

  submit(line: Line, { baseRev, changeset, pool }: Submission): void {
    const sent = moveChangeset(parse(changeset), Pool.fromJson(pool), this.pool);
    let change = sent;
    for (const { change: stored, author } of this.revisions.slice(baseRev)) {
      const repeat = author === line.author && !line.window && print(stored) === print(sent);
      if (repeat) change = identity(sent.oldLen);
      change = follow(stored, change, false, this.pool);
    }
    this.#tell(line);
    if (!isIdentity(change)) {
      this.atext = applyToAText(change, this.atext, this.pool);
      this.revisions.push({ change, author: line.author, window: line.window });
    }
    line.rev = this.head;
    line.queue.push({ kind: 'accepted', rev: this.head });
    for (const other of this.lines) this.#tell(other);
  }

  // What was said in a row, with revisions together: first which of them are the member's own, then
  // what is the same for everybody. Attributes that the line knows are not named again.
  batched(line: Line, entries: readonly Entry[]): (Entry | Batch)[] {
    const messages: (Entry | Batch)[] = [];
    for (let at = 0; at < entries.length; ) {
      const { rev: first } = entries[at] as Entry;
      const rest = entries.slice(at);
      const together = rest.findIndex(({ rev }, i) => rev !== first + i);
      const run = together < 0 ? rest : rest.slice(0, together);
      at += run.length;
      const change = this.revisions[first - 1]?.change;
      // One alone may also be the answer to a change without effect.
      if (run.length < 2 || !change) {
        messages.push(...run);
        continue;
      }
      messages.push(...run.filter(({ kind }) => kind === 'accepted'));
      messages.push(this.#batch(line, first - 1, run.length));
    }
    return messages;
  }

  #batch(line: Line, baseRev: number, count: number): Batch {
    const attributes: Record<string, readonly [string, string]> = {};
    const changes = this.revisions.slice(baseRev, baseRev + count).map(({ change, author }) => {
      for (const [, number = ''] of print(change)
        .split('$')[0]
        ?.matchAll(/\*([0-9a-z]+)/g) ?? []) {
        const known = Number.parseInt(number, 36);
        if (!line.known.has(known)) attributes[known] = this.pool.resolve(known);
        line.known.add(known);
      }
      return { change: print(change).replace(/^Z:[0-9a-z]+[<>][0-9a-z]+/, ''), author };
    });
    const baseLength = this.revisions[baseRev]?.change.oldLen ?? 0;
    return { kind: 'batch', baseRev, baseLength, attributes, changes, commitInterval: 0 };
  }

  // To a window that comes back, with what is remembered of it.
  #tell(line: Line, record = ''): void {
    while (line.rev < this.head) {
      const { change, author, window } = this.revisions[line.rev] as Revision;
      const own = record !== '' && window === record;
      const pool = new Pool();
      const changeset = print(moveChangeset(change, this.pool, pool));
      line.rev++;
      const entry = { kind: 'changed', rev: line.rev, changeset, pool: pool.toJson() } as const;
      line.queue.push({ ...entry, author, record, own });
    }
  }
}
