// The attributes of a text: which set each character has, run by run.
//
// Invariant: immutable, and whatever a change does not touch is shared with the sequence before it,
// so that an edit of a large pad costs as much as one of a small pad. No run is empty.

import type { Op } from '../changeset/index.ts';
import type { AttributeSets, SetId } from './attributes.ts';

interface Chunk {
  readonly length: number;
  readonly lengths: readonly number[];
  readonly ids: readonly SetId[];
}

// Bounds on the runs in a chunk: long enough to keep the list of chunks short, short enough to be
// copied for every key.
const MOST = 128;
const FEWEST = 32;

export type Run = readonly [length: number, id: SetId];

export class Runs {
  static readonly empty = new Runs([], 0);
  readonly chunks: readonly Chunk[];
  readonly length: number;
  #starts: number[] | undefined;

  constructor(chunks: readonly Chunk[], length: number) {
    this.chunks = chunks;
    this.length = length;
  }

  static of(runs: Iterable<Run>): Runs {
    const builder = new RunsBuilder();
    for (const [length, id] of runs) builder.run(length, id);
    return builder.finish();
  }

  // Calls `visit` for the runs between two places, cut to fit.
  between(from: number, to: number, visit: (from: number, to: number, id: SetId) => void): void {
    if (from >= to || this.chunks.length === 0) return;
    let index = this.#chunkAt(from);
    let at = this.#startsOfChunks()[index] ?? 0;
    for (; index < this.chunks.length && at < to; index++) {
      const chunk = this.chunks[index] as Chunk;
      for (let i = 0; i < chunk.lengths.length && at < to; i++) {
        const end = at + (chunk.lengths[i] as number);
        if (end > from) visit(Math.max(at, from), Math.min(end, to), chunk.ids[i] as SetId);
        at = end;
      }
    }
  }

  slice(from: number, to: number): Run[] {
    const runs: Run[] = [];
    this.between(from, to, (start, end, id) => runs.push([end - start, id]));
    return runs;
  }

  // The set of the character at a place; the empty one outside.
  at(place: number): SetId {
    let found = 0;
    this.between(place, place + 1, (_from, _to, id) => {
      found = id;
    });
    return found;
  }

  apply(ops: readonly Op[], sets: AttributeSets): Runs {
    const out = new RunsBuilder();
    const old = new Reader(this);
    for (const op of ops) {
      if (op.opcode === '+') out.run(op.chars, sets.ofInsert(op.attribs));
      else if (op.opcode === '-') old.read(op.chars, () => {});
      else if (op.attribs === '') old.copy(op.chars, out);
      else old.read(op.chars, (length, id) => out.run(length, sets.restyled(id, op.attribs)));
    }
    old.copy(Number.POSITIVE_INFINITY, out);
    return out.finish();
  }

  #chunkAt(place: number): number {
    const starts = this.#startsOfChunks();
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] as number) <= place) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #startsOfChunks(): number[] {
    if (this.#starts) return this.#starts;
    let at = 0;
    this.#starts = this.chunks.map((chunk) => {
      at += chunk.length;
      return at - chunk.length;
    });
    return this.#starts;
  }
}

// Hands out runs from left to right, whole chunks where it can.
class Reader {
  readonly #chunks: readonly Chunk[];
  #chunk = 0;
  #run = 0;
  // Units of the current run that are gone, and of the current chunk that are left.
  #taken = 0;
  #left: number;

  constructor(runs: Runs) {
    this.#chunks = runs.chunks;
    this.#left = this.#chunks[0]?.length ?? 0;
  }

  read(units: number, visit: (length: number, id: SetId) => void): void {
    for (let wanted = units; wanted > 0; ) {
      const chunk = this.#chunks[this.#chunk];
      if (!chunk) return;
      const length = Math.min((chunk.lengths[this.#run] as number) - this.#taken, wanted);
      visit(length, chunk.ids[this.#run] as SetId);
      wanted -= length;
      this.#taken += length;
      this.#left -= length;
      if (this.#taken === chunk.lengths[this.#run]) {
        this.#taken = 0;
        this.#run++;
      }
      if (this.#left === 0) this.#nextChunk();
    }
  }

  copy(units: number, out: RunsBuilder): void {
    for (let wanted = units; wanted > 0; ) {
      const chunk = this.#chunks[this.#chunk];
      if (!chunk) return;
      const length = Math.min(this.#left, wanted);
      wanted -= length;
      if (length === chunk.length) {
        out.chunk(chunk);
        this.#nextChunk();
      } else {
        this.read(length, (part, id) => out.run(part, id));
      }
    }
  }

  #nextChunk(): void {
    this.#chunk++;
    this.#run = 0;
    this.#taken = 0;
    this.#left = this.#chunks[this.#chunk]?.length ?? 0;
  }
}

class RunsBuilder {
  readonly #chunks: Chunk[] = [];
  #lengths: number[] = [];
  #ids: SetId[] = [];
  #open = 0;
  #total = 0;

  run(length: number, id: SetId): void {
    if (length <= 0) return;
    this.#total += length;
    this.#open += length;
    const last = this.#ids.length - 1;
    if (last >= 0 && this.#ids[last] === id) {
      this.#lengths[last] = (this.#lengths[last] as number) + length;
      return;
    }
    this.#lengths.push(length);
    this.#ids.push(id);
    if (this.#lengths.length >= MOST) this.#close();
  }

  // Small neighbours are merged, so that edits do not leave crumbs behind.
  chunk(chunk: Chunk): void {
    const open = this.#lengths.length;
    if (open > 0 && (open < FEWEST || chunk.lengths.length < FEWEST)) {
      chunk.lengths.forEach((length, i) => {
        this.run(length, chunk.ids[i] as SetId);
      });
      return;
    }
    this.#close();
    this.#chunks.push(chunk);
    this.#total += chunk.length;
  }

  finish(): Runs {
    this.#close();
    return new Runs(this.#chunks, this.#total);
  }

  #close(): void {
    if (this.#lengths.length === 0) return;
    this.#chunks.push({ length: this.#open, lengths: this.#lengths, ids: this.#ids });
    this.#lengths = [];
    this.#ids = [];
    this.#open = 0;
  }
}
