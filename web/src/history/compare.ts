// Two revisions in one document: the later one, with what had gone put back in its place.
//
// Invariant: pure. Only what differs has an author, so that colours say who wrote what is new and
// whose text is gone. A marker of a line is in the document only at the start of a line.

import type { SetId } from '../document/attributes.ts';
import { wordDiff } from '../document/diff.ts';
import { PadDocument, textOf } from '../document/document.ts';
import { markerAt } from '../document/lines.ts';
import { type Run, Runs } from '../document/runs.ts';

export type Kind = 'added' | 'removed' | 'restyled';

export interface Difference {
  readonly from: number;
  readonly to: number;
  readonly kind: Kind;
  readonly author: string | null;
}

export interface Comparison {
  readonly document: PadDocument;
  // In order.
  readonly differences: readonly Difference[];
}

export function compare(before: PadDocument, after: PadDocument): Comparison {
  const page = new Page(before, after);
  let [old, at] = [0, 0];
  let [gone, come] = [0, 0];
  const change = (): void => {
    page.change(old, old + gone, at, at + come);
    [old, at, gone, come] = [old + gone, at + come, 0, 0];
  };
  const { ops } = wordDiff(before.text.toString(), after.text.toString());
  for (const { opcode, chars } of ops) {
    if (opcode === '-') gone += chars;
    else if (opcode === '+') come += chars;
    else {
      change();
      page.keep(old, at, chars);
      [old, at] = [old + chars, at + chars];
    }
  }
  change();
  page.keep(old, at, after.length - at);
  return page.finish();
}

class Page {
  readonly #before: PadDocument;
  readonly #after: PadDocument;
  readonly #parts: string[] = [];
  readonly #runs: Run[] = [];
  readonly #differences: Difference[] = [];
  readonly #plain = new Map<SetId, SetId>();
  #length = 0;
  #lineStart = true;

  constructor(before: PadDocument, after: PadDocument) {
    this.#before = before;
    this.#after = after;
  }

  // What both have; its formats may differ.
  keep(old: number, at: number, chars: number): void {
    const back = old - at;
    this.#after.runs.between(at, at + chars, (from, to, id) => {
      this.#before.runs.between(from + back, to + back, (start, end, had) => {
        const text = this.#after.text.sliceString(start - back, end - back);
        const [plain, wasPlain] = [this.#withoutAuthor(id), this.#withoutAuthor(had)];
        this.#put(text, plain, plain === wasPlain ? null : 'restyled');
      });
    });
  }

  change(oldFrom: number, oldTo: number, from: number, to: number): void {
    const gone = this.#before.text.sliceString(oldFrom, oldTo);
    // The line becomes an item: it has to say so before what it has lost.
    const isItem = this.#lineStart && from < to && markerAt(this.#after, from) !== null;
    const first = isItem && !gone.includes('\n');
    if (first) this.#copy(this.#after, from, from + 1, 'added');
    this.#copy(this.#before, oldFrom, oldTo, 'removed');
    this.#copy(this.#after, first ? from + 1 : from, to, 'added');
  }

  finish(): Comparison {
    const { sets } = this.#after;
    const document = new PadDocument(textOf(this.#parts.join('')), Runs.of(this.#runs), sets);
    return { document, differences: this.#differences };
  }

  #copy(document: PadDocument, from: number, to: number, kind: Kind): void {
    document.runs.between(from, to, (start, end, id) => {
      const text = document.text.sliceString(start, end);
      // Of an item that has become an ordinary line, the line is left, which looks different now.
      const isLost = kind === 'removed' && document.text.lineAt(start).to >= to;
      if ((isLost || !this.#lineStart) && markerAt(document, start)) {
        this.#put('', id, 'restyled');
      } else this.#put(text, id, kind);
    });
  }

  #put(text: string, id: SetId, kind: Kind | null): void {
    const from = this.#length;
    this.#length += text.length;
    if (text !== '') {
      this.#parts.push(text);
      this.#runs.push([text.length, id]);
      this.#lineStart = text.endsWith('\n');
    }
    if (!kind) return;
    const author = (kind !== 'restyled' && this.#after.sets.map(id).get('author')) || null;
    const last = this.#differences.at(-1);
    if (last && last.to === from && last.kind === kind && last.author === author) {
      this.#differences[this.#differences.length - 1] = { ...last, to: this.#length };
    } else this.#differences.push({ from, to: this.#length, kind, author });
  }

  #withoutAuthor(id: SetId): SetId {
    const { sets } = this.#after;
    const known = this.#plain.get(id) ?? sets.restyled(id, sets.restyleOf({ author: '' }));
    this.#plain.set(id, known);
    return known;
  }
}
