// Sections: their headings, their names, and what moving one does to what others write meanwhile.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EditorState, type TransactionSpec } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { describe, expect, test } from 'vitest';
import { type Changeset, follow, Pool, splice } from '../src/changeset/index.ts';
import { AttributeSets } from '../src/document/attributes.ts';
import { PadDocument } from '../src/document/document.ts';
import {
  type Heading,
  headingsOf,
  nextSection,
  Slugs,
  stepTarget,
} from '../src/document/headings.ts';
import { remoteCursors, setCursors } from '../src/editor/cursors.ts';
import { moveLines } from '../src/editor/moveSection.ts';
import { padChangeOf, padRuns, writer } from '../src/editor/state.ts';

// Lines by two people in turn; `# ` and the like at the start of a line make a heading.
function padOf(text: string): PadDocument {
  const sets = new AttributeSets(new Pool());
  const empty = PadDocument.read({ text: '\n', attribs: '|1+1' }, new Pool(), sets);
  const lines = text.split('\n').reverse();
  return lines.reduce((document, line, i) => {
    const author = ['author', i % 2 === 0 ? 'a.one' : 'a.two'] as const;
    const [, marks, words = ''] = /^(#*) ?(.*)$/.exec(line) ?? [];
    const end = i === 0 ? '' : '\n';
    const old = document.text.toString();
    const plain = splice(old, 0, 0, words + end, sets.insertOf([author]));
    const written = document.apply(plain);
    if (!marks) return written;
    const marker = [
      ['heading', `h${marks.length}`],
      ['insertorder', 'first'],
      ['lmkr', '1'],
      author,
    ] as const;
    return written.apply(splice(written.text.toString(), 0, 0, '*', sets.insertOf(marker)));
  }, empty);
}

const TEXT = 'top\n# Alpha\na1\n## Beta\nb1\n# Gamma\ng1';

// The change that a move makes, and where the caret goes; others have their carets in some lines.
function moved(document: PadDocument, slug: string, before: string | null, others: string[] = []) {
  const state = EditorState.create({
    doc: document.text.slice(0, document.length - 1),
    extensions: [
      writer.of({ sets: document.sets, author: 'a.mover' }),
      padRuns.init(() => document.runs),
      remoteCursors,
    ],
  });
  const cursors = others.map((text) => {
    const place = state.doc.toString().indexOf(text);
    return { author: 'x', window: 0, place, anchor: place, named: false };
  });
  let change: Changeset | null = null;
  const view = {
    state: state.update({ effects: setCursors.of(cursors) }).state,
    dispatch: (spec: TransactionSpec) => {
      change = padChangeOf(view.state.update(spec))?.change ?? null;
    },
  };
  const list = headingsOf(document);
  const index = list.findIndex((heading) => heading.slug === slug);
  const start = (at: number) => list[at]?.from ?? state.doc.length + 1;
  const target = before === null ? list.length : list.findIndex((each) => each.slug === before);
  const lines = { from: start(index), to: start(nextSection(list, index)) - 1 };
  moveLines(view as unknown as EditorView, lines, start(target));
  return change as Changeset | null;
}

function shown(document: PadDocument): string {
  return document.text.toString().replaceAll('*', '');
}

const headingsIn = (document: PadDocument) => headingsOf(document).map(({ text }) => text);

// Every character of a word carries the same author as before.
function authorOf(document: PadDocument, word: string): string | undefined {
  const at = document.text.toString().indexOf(word);
  return document.sets.map(document.runs.at(at)).get('author');
}

describe('moving a section', () => {
  test.each([
    ['alpha', null, 'top\nGamma\ng1\nAlpha\na1\nBeta\nb1\n'],
    ['gamma', 'alpha', 'top\nGamma\ng1\nAlpha\na1\nBeta\nb1\n'],
    ['beta', 'alpha', 'top\nBeta\nb1\nAlpha\na1\nGamma\ng1\n'],
    ['beta', null, 'top\nAlpha\na1\nGamma\ng1\nBeta\nb1\n'],
    ['gamma', 'beta', 'top\nAlpha\na1\nGamma\ng1\nBeta\nb1\n'],
  ])('%s before %s', (slug, before, expected) => {
    for (const others of [[], ['b1'], ['g1'], ['a1']]) {
      const document = padOf(TEXT);
      const change = moved(document, slug, before, others);
      const after = document.apply(change as Changeset);
      expect(shown(after)).toBe(expected);
      expect(headingsIn(after).sort()).toEqual(['Alpha', 'Beta', 'Gamma']);
      for (const word of ['a1', 'b1', 'g1', 'Alpha', 'Beta']) {
        expect(authorOf(after, word), word).toBe(authorOf(document, word));
      }
      // Taken back it is what it was, to the last attribute.
      expect(after.apply(document.inverse(change as Changeset)).toAText()).toEqual(
        document.toAText(),
      );
    }
  });

  test('the first section of a text goes down and comes up', () => {
    const document = padOf('# One\n1\n# Two\n2');
    for (const [slug, before] of [
      ['one', null],
      ['two', 'one'],
    ] as const) {
      const after = document.apply(moved(document, slug, before) as Changeset);
      expect(shown(after)).toBe('Two\n2\nOne\n1\n');
      expect(headingsIn(after)).toEqual(['Two', 'One']);
    }
  });

  test('to where it is already is no change', () => {
    const document = padOf(TEXT);
    for (const before of ['alpha', 'beta', 'gamma'])
      expect(moved(document, 'alpha', before)).toBeNull();
  });

  // What somebody types at the same moment, and where it ends up.
  test.each([
    ['b1', ['b1'], 'top\nGamma\ng1\nAlpha\na1\nBeta\nb1X\n'],
    // Nobody knew that they were there: their letter stays where the section was.
    ['b1', [], 'top\nGamma\ng1\nAlpha\na1\nBeta\nb1X\n'],
    ['g1', [], 'top\nGamma\ng1\nAlpha\na1\nBeta\nb1X\n'],
    ['g1', ['g1'], 'top\nGamma\ng1X\nAlpha\na1\nBeta\nb1\n'],
    ['top', [], 'topX\nGamma\ng1\nAlpha\na1\nBeta\nb1\n'],
  ])('typed behind %s with carets known in %j', (word, others, expected) => {
    const document = padOf(TEXT);
    const { pool } = document.sets;
    const text = document.text.toString();
    const move = moved(document, 'alpha', null, others) as Changeset;
    const own = document.sets.insertOf([['author', 'a.two']]);
    const typed = splice(text, text.indexOf(word) + word.length, 0, 'X', own);
    const first = document.apply(move).apply(follow(move, typed, false, pool));
    const second = document.apply(typed).apply(follow(typed, move, true, pool));
    expect(shown(first)).toBe(expected);
    expect(second.toAText()).toEqual(first.toAText());
    expect(headingsIn(first)).toEqual(['Gamma', 'Alpha', 'Beta']);
  });
});

describe('headings', () => {
  const file = join(import.meta.dirname, '../../fixtures/convert/slugs.json');
  const rows: { headings: string[]; slugs: string[] }[] = JSON.parse(readFileSync(file, 'utf8'));

  test.each(rows)('$headings have names', ({ headings, slugs }) => {
    const names = new Slugs();
    expect(headings.map((heading) => names.next(heading))).toEqual(slugs);
  });

  test.each([
    ['1 2 2 1', 0, 1, 4],
    ['1 2 2 1', 3, -1, 0],
    ['1 2 2 1', 2, -1, 1],
    ['1 2 2 1', 1, -1, 0],
    ['1 2 2 1', 1, 1, 3],
    ['1 2 1 2', 1, 1, 3],
    ['1 2 1', 1, 1, 3],
    ['1 2 2 1', 0, -1, null],
    ['1 2 2 1', 3, 1, null],
    ['1 3 2', 2, -1, 0],
  ] as const)('of levels %s the one at %i goes %i', (levels, index, by, expected) => {
    const list = levels.split(' ').map((level) => ({ level: Number(level) }) as Heading);
    expect(stepTarget(list, index, by)).toBe(expected);
  });
});
