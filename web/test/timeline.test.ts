// Walking through the past of a pad, against a server that cuts it into steps as ours does.

import { describe, expect, test } from 'vitest';
import {
  type Changeset,
  compose,
  identity,
  inverse,
  Pool,
  print,
  splice,
} from '../src/changeset/index.ts';
import { AttributeSets } from '../src/document/attributes.ts';
import { PadDocument } from '../src/document/document.ts';
import { pauseOf } from '../src/history/player.ts';
import { restoring } from '../src/history/restore.ts';
import { nextStep, type Stretch, Timeline } from '../src/history/timeline.ts';
import type { PastStretch } from '../src/net/messages.ts';

const SECOND = 1000;

// A pad whose every revision puts its number in front, and now and then takes all away.
class Past {
  readonly pool = new Pool();
  readonly texts: string[] = ['\n'];
  readonly changes: Changeset[] = [];
  asked = 0;

  constructor(revisions: number) {
    for (let rev = 0; rev < revisions; rev++) {
      const text = this.texts[rev] ?? '';
      const author = this.pool.attribsOfInsert([['author', `a.${rev % 7}`]]);
      const deleted = rev % 50 === 49 ? text.length - 1 : 0;
      this.changes.push(splice(text, 0, deleted, `${rev} `, author));
      this.texts.push(`${rev} ${text.slice(deleted)}`);
    }
  }

  text(revision: number): string {
    return this.texts[revision + 1] ?? '';
  }

  answer({ start, span }: Stretch): PastStretch {
    this.asked++;
    const end = Math.min(start + 100 * span, this.changes.length);
    const steps = [];
    for (let at = start; at + span <= end; at += span) {
      const text = this.text(at - 1);
      const forwards = this.changes
        .slice(at, at + span)
        .reduce((all, change) => compose(all, change, this.pool), identity(text.length));
      const attribs = this.document(at - 1).toAText().attribs;
      const backwards = inverse(forwards, { text, attribs }, this.pool);
      steps.push({ forwards: print(forwards), backwards: print(backwards) });
    }
    return {
      start,
      granularity: span,
      forwards: steps.map((step) => step.forwards),
      backwards: steps.map((step) => step.backwards),
      deltas: steps.map(() => span * SECOND),
      pool: this.pool.toJson(),
    };
  }

  document(revision: number): PadDocument {
    const sets = new AttributeSets(this.pool);
    const empty = PadDocument.read({ text: '\n', attribs: '|1+1' }, this.pool, sets);
    // All before the last time that everything was taken away is of no matter.
    return this.changes
      .slice(0, revision + 1)
      .reduce((document, change) => document.apply(change), empty);
  }

  go(timeline: Timeline, goal: number): void {
    for (let missing = timeline.walk(goal); missing; missing = timeline.walk(goal)) {
      timeline.add(this.answer(missing));
    }
  }
}

describe('a timeline', () => {
  const past = new Past(1_234);
  const open = () => new Timeline(1_233, past.document(1_233), 1_233 * SECOND);

  test('shows every revision as it was, with its time', () => {
    const timeline = open();
    for (const goal of [1_232, 0, 1_233, 617, 616, 618, 99, 100, 999, 1_000, 5, 1_229]) {
      past.go(timeline, goal);
      expect(timeline.document.text.toString()).toBe(past.text(goal));
      expect(timeline.document.toAText()).toEqual(past.document(goal).toAText());
      expect(timeline.time).toBe(goal * SECOND);
    }
  });

  test('asks for few stretches, and not again for those it has', () => {
    const timeline = open();
    past.asked = 0;
    past.go(timeline, 617);
    expect(past.asked).toBeLessThanOrEqual(5);
    past.asked = 0;
    past.go(timeline, 1_233);
    past.go(timeline, 617);
    expect(past.asked).toBe(0);
  });

  test('asks anew when a stretch has become longer', () => {
    const young = new Past(30);
    const timeline = new Timeline(29, young.document(29), 0);
    young.go(timeline, 12);
    const older = new Past(45);
    older.go(timeline, 44);
    expect(timeline.document.text.toString()).toBe(older.text(44));
  });

  test('knows who made a revision', () => {
    const timeline = open();
    expect(timeline.facts(10)).toBeUndefined();
    past.go(timeline, 10);
    expect(timeline.facts(10)).toEqual({ author: 'a.3', delta: SECOND });
  });

  test('takes steps as long as they fit', () => {
    expect(nextStep(99_999, 0)).toEqual({ first: 99_900, span: 100, forwards: false });
    expect(nextStep(99, 500)).toEqual({ first: 100, span: 100, forwards: true });
    expect(nextStep(9, 50)).toEqual({ first: 10, span: 10, forwards: true });
    expect(nextStep(9, 12)).toEqual({ first: 10, span: 1, forwards: true });
    expect(nextStep(10, 0)).toEqual({ first: 10, span: 1, forwards: false });
  });
});

test('a restored document has its text and formatting, and new text is the visitor’s', () => {
  const pool = new Pool();
  const sets = new AttributeSets(pool);
  const [ada, bob] = (['a.ada', 'a.bob'] as const).map((id) => pool.intern(['author', id]));
  const bold = pool.intern(['bold', 'true']);
  const read = (text: string, attribs: string) => PadDocument.read({ text, attribs }, pool, sets);
  const then = read('Keep this\nBold one\nEnd\n', `*${ada}|1+a*${ada}*${bold}|1+9|1+4`);
  const now = read('Keep this\nOther\nEnd\n', `*${ada}*${bold}|1+a*${bob}|1+6|1+4`);
  const restored = now.apply(restoring(now, then, 'a.me'));
  expect(restored.text.toString()).toBe(then.text.toString());
  const attributes = (place: number) => Object.fromEntries(sets.map(restored.runs.at(place)));
  expect(attributes(0)).toEqual({ author: 'a.ada' });
  expect(attributes(10)).toEqual({ author: 'a.me', bold: 'true' });
  expect(attributes(20)).toEqual({});
});

test('how long a revision stays', () => {
  expect(pauseOf('500', 9_000)).toBe(500);
  expect(pauseOf('realTime', 9_000)).toBe(9_000);
  expect(pauseOf('original', 9_000)).toBe(2_000);
  expect(pauseOf('original', 0)).toBeGreaterThan(0);
});
