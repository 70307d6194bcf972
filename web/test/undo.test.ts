// Undo of one's own edits while others write.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Changeset, Pool, plain } from '../src/changeset/index.ts';
import { AttributeSets } from '../src/document/attributes.ts';
import { PadDocument } from '../src/document/document.ts';
import { UNTYPED, UndoHistory } from '../src/document/undo.ts';
import { changeOf, type Step, steps } from './arbitraries.ts';

const RUNS = { numRuns: Number(process.env.PADSVC_CASES ?? 500) };

// A page with a text, on which this visitor and others write.
class Desk {
  readonly sets = new AttributeSets(new Pool());
  readonly history = new UndoHistory(this.sets.pool);
  document: PadDocument;
  #time = 0;

  constructor(text: string) {
    this.document = PadDocument.read(plain(text), new Pool(), this.sets);
  }

  get text(): string {
    return this.document.text.toString();
  }

  write(list: readonly Step[], kind = 'type', pause = 1_000): void {
    const change = this.#change(list);
    this.#time += pause;
    this.history.edited(this.document.inverse(change), kind, this.#time);
    this.document = this.document.apply(change);
  }

  others(list: readonly Step[]): void {
    const change = this.#change(list);
    this.document = this.document.apply(change);
    this.history.changedByOthers(change);
  }

  undo(): boolean {
    return this.#show(this.history.undo((change) => this.document.inverse(change)));
  }

  redo(): boolean {
    return this.#show(this.history.redo((change) => this.document.inverse(change)));
  }

  // Never of the last newline.
  #change(list: readonly Step[]): Changeset {
    const body = this.text.slice(0, -1);
    const inner = changeOf(body, list, this.sets.pool);
    return { ...inner, oldLen: inner.oldLen + 1, newLen: inner.newLen + 1 };
  }

  #show(change: Changeset | null): boolean {
    if (change) this.document = this.document.apply(change);
    return change !== null;
  }
}

function put(at: number, text: string): Step[] {
  return [
    { kind: 'keep', chars: at, text: '', attributes: [] },
    { kind: 'insert', chars: 0, text, attributes: [] },
  ];
}

function cut(at: number, chars: number): Step[] {
  return [
    { kind: 'keep', chars: at, text: '', attributes: [] },
    { kind: 'delete', chars, text: '', attributes: [] },
  ];
}

describe('undo', () => {
  // What was typed for a command goes with it, however slowly it was typed.
  test.each([
    ['at once', 100],
    ['slowly', 1_000],
  ])('text that was typed %s for a command does not come back', (_, pause) => {
    const desk = new Desk('old \n');
    desk.write(put(4, 'words '), 'type', 1_000);
    for (const [i, sign] of [...'/head'].entries()) desk.write(put(10 + i, sign), 'type', pause);
    desk.others(put(0, 'theirs '));
    desk.write(cut(17, 5), UNTYPED);
    desk.write(put(0, '*'), 'lines');
    expect(desk.text).toBe('*theirs old words \n');
    desk.undo();
    expect(desk.text).toBe('theirs old words \n');
    desk.redo();
    expect(desk.text).toBe('*theirs old words \n');
    desk.undo();
    desk.undo();
    expect(desk.text).toBe('theirs old \n');
    expect(desk.undo()).toBe(false);
  });

  test('what the first sign of a command was typed over comes back', () => {
    const desk = new Desk('\n');
    desk.write(put(0, 'over'));
    desk.write([...cut(0, 4), { kind: 'insert', chars: 0, text: '/', attributes: [] }]);
    desk.write(put(1, 'h'));
    desk.write(cut(0, 2), UNTYPED);
    expect(desk.text).toBe('\n');
    desk.undo();
    expect(desk.text).toBe('over\n');
    desk.undo();
    expect(desk.text).toBe('\n');
    expect(desk.history.canUndo).toBe(false);
  });

  test('takes back the own edit and leaves those of others', () => {
    const desk = new Desk('shared\n');
    desk.write(put(6, ' mine'));
    desk.others(put(0, 'theirs '));
    expect(desk.undo()).toBe(true);
    expect(desk.text).toBe('theirs shared\n');
    expect(desk.redo()).toBe(true);
    expect(desk.text).toBe('theirs shared mine\n');
  });

  test('does not bring back what others have deleted of it', () => {
    const desk = new Desk('a\n');
    desk.write(put(1, 'bcd'));
    desk.others(cut(2, 1));
    expect(desk.text).toBe('abd\n');
    expect(desk.undo()).toBe(true);
    expect(desk.text).toBe('a\n');
    expect(desk.undo()).toBe(false);
  });

  test('brings attributes back', () => {
    const desk = new Desk('one two\n');
    desk.write([{ kind: 'keep', chars: 3, text: '', attributes: [['bold', 'true']] }], 'format');
    const styled = desk.document.toAText();
    desk.write(cut(0, 7));
    desk.others(put(0, 'x'));
    desk.undo();
    expect(desk.text).toBe('xone two\n');
    desk.others(cut(0, 1));
    expect(desk.document.toAText()).toEqual(styled);
    desk.undo();
    expect(desk.document.toAText()).toEqual(plain('one two\n'));
  });

  test('typing without a pause is one step, a moved caret begins another', () => {
    const desk = new Desk('\n');
    desk.write(put(0, 'a'), 'type', 0);
    desk.write(put(1, 'b'), 'type', 100);
    desk.history.endGroup();
    desk.write(put(2, 'c'), 'type', 100);
    desk.undo();
    expect(desk.text).toBe('ab\n');
    desk.undo();
    expect(desk.text).toBe('\n');
  });

  test('everything undone is the text without the own edits, and redone it is all there', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), steps), { maxLength: 12 }), (edits) => {
        const desk = new Desk('one\ntwo\n');
        for (const [own, list] of edits) {
          if (own) desk.write(list);
          else desk.others(list);
        }
        const written = desk.text;
        let count = 0;
        while (desk.undo()) count++;
        expect(count).toBeLessThanOrEqual(edits.length);
        while (desk.redo()) count--;
        expect(count).toBe(0);
        if (edits.every(([own]) => own)) expect(desk.text).toBe(written);
      }),
      RUNS,
    );
  });
});
