// A pad's text with its attributes, made for editing: both halves are persistent structures, so
// that a change costs what it touches.
//
// Invariant: the runs cover the text exactly, the final newline included.

import { ChangeSet, type ChangeSpec, Text } from '@codemirror/state';
import {
  Assembler,
  type AText,
  type Attribs,
  Builder,
  type Changeset,
  moveOps,
  type Pool,
  parseAttribs,
  parseOps,
  printOps,
} from '../changeset/index.ts';
import type { AttributeSets } from './attributes.ts';
import { Runs } from './runs.ts';

export class PadDocument {
  readonly text: Text;
  readonly runs: Runs;
  readonly sets: AttributeSets;

  constructor(text: Text, runs: Runs, sets: AttributeSets) {
    this.text = text;
    this.runs = runs;
    this.sets = sets;
  }

  // A document as the server writes it, numbered in `pool`.
  static read(atext: AText, pool: Pool, sets: AttributeSets): PadDocument {
    const ops = moveOps(parseOps(atext.attribs), pool, sets.pool);
    const runs = Runs.of(ops.map((op) => [op.chars, sets.id(op.attribs)]));
    if (runs.length !== atext.text.length) throw new Error('attributes do not cover the text');
    return new PadDocument(textOf(atext.text), runs, sets);
  }

  get length(): number {
    return this.text.length;
  }

  apply(change: Changeset): PadDocument {
    const changes = ChangeSet.of(changesOf(change), this.text.length, '\n');
    const text = changes.apply(this.text);
    return new PadDocument(text, this.runs.apply(change.ops, this.sets), this.sets);
  }

  // As the server writes it, numbered in the pool of its sets.
  toAText(): AText {
    const text = this.text.toString();
    const out = new Assembler();
    this.runs.between(0, this.length, (from, to, id) => {
      pushSpan(this.text, from, to, (chars, lines) =>
        out.push('+', chars, lines, this.sets.attribs(id)),
      );
    });
    return { text, attribs: printOps(out.take()) };
  }

  // The change that takes `change` back, which was made to this document.
  inverse(change: Changeset): Changeset {
    const back = new Builder(change.newLen);
    let old = 0;
    let bank = 0;
    for (const op of change.ops) {
      if (op.opcode === '+') {
        back.delete(change.bank.slice(bank, bank + op.chars));
        bank += op.chars;
        continue;
      }
      const end = old + op.chars;
      if (op.opcode === '-') {
        this.runs.between(old, end, (from, to, id) => {
          back.insert(this.text.sliceString(from, to), this.sets.attribs(id));
        });
      } else if (op.attribs === '') {
        pushSpan(this.text, old, end, (chars, lines) => back.keepCounted(chars, lines));
      } else {
        this.runs.between(old, end, (from, to, id) => {
          const attribs = this.#unstyled(op.attribs, this.sets.map(id));
          pushSpan(this.text, from, to, (chars, lines) => back.keepCounted(chars, lines, attribs));
        });
      }
      old = end;
    }
    return back.finish();
  }

  // What brings back attributes that a restyling has changed.
  #unstyled(attribs: Attribs, before: ReadonlyMap<string, string>): Attribs {
    const restored: Record<string, string> = {};
    for (const number of parseAttribs(attribs)) {
      const [key, value] = this.sets.pool.resolve(number);
      const old = before.get(key) ?? '';
      if (old !== value) restored[key] = old;
    }
    return this.sets.restyleOf(restored);
  }
}

// Only U+000A ends a line.
export function textOf(text: string): Text {
  return Text.of(text.split('\n'));
}

// Measures a stretch the way operations want it: what has newlines ends in one.
export function pushSpan(
  text: Text,
  from: number,
  to: number,
  push: (chars: number, lines: number) => void,
): void {
  if (from >= to) return;
  const first = text.lineAt(from);
  const last = to <= first.to ? first : text.lineAt(to);
  const lines = last.number - first.number;
  if (lines > 0) push(last.from - from, lines);
  const start = Math.max(from, last.from);
  if (to > start) push(to - start, 0);
}

// The stretches that a change replaces, in positions of the old text.
export interface Splice {
  readonly from: number;
  to: number;
  insert: string;
}

export function splicesOf(change: Changeset): Splice[] {
  const splices: Splice[] = [];
  let at = 0;
  let bank = 0;
  let open: Splice | undefined;
  for (const op of change.ops) {
    if (op.opcode === '=') {
      at += op.chars;
      open = undefined;
      continue;
    }
    if (!open) {
      open = { from: at, to: at, insert: '' };
      splices.push(open);
    }
    if (op.opcode === '+') {
      open.insert += change.bank.slice(bank, bank + op.chars);
      bank += op.chars;
    } else {
      at += op.chars;
      open.to = at;
    }
  }
  return splices;
}

function changesOf(change: Changeset): ChangeSpec[] {
  return splicesOf(change).map(({ from, to, insert }) => ({ from, to, insert: textOf(insert) }));
}

// The same for a text that is held without its final newline, as the editor holds it. Of a change
// that replaces the end, the newline that remains last is left out.
export function changesWithoutEnd(change: Changeset): ChangeSpec[] {
  const end = change.oldLen - 1;
  return splicesOf(change).map(({ from, to, insert }) => {
    if (to <= end) return { from, to, insert: textOf(insert) };
    // Behind the end, or the end itself: what comes last in the new text is a newline again.
    if (from > end) return { from: end, to: end, insert: textOf(`\n${insert.slice(0, -1)}`) };
    if (insert === '') return { from: Math.max(from - 1, 0), to: end };
    return { from, to: end, insert: textOf(insert.slice(0, -1)) };
  });
}
