// Walking through the past of a pad, against a server that cuts it into steps as ours does.

import { describe, expect, test } from 'vitest';
import { type Changeset, inverse, Pool, print, splice } from '../src/changeset/index.ts';
import { AttributeSets } from '../src/document/attributes.ts';
import { PadDocument } from '../src/document/document.ts';
import { named } from '../src/history/address.ts';
import { pauseOf } from '../src/history/player.ts';
import { restoring } from '../src/history/restore.ts';
import { type Place, STEPS, Timeline } from '../src/history/timeline.ts';
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

  steps(start: number): PastStretch {
    this.asked++;
    const steps = this.changes.slice(start, start + STEPS).map((change, i) => {
      const backwards = inverse(change, this.document(start + i - 1).toAText(), this.pool);
      return { forwards: print(change), backwards: print(backwards) };
    });
    return {
      start,
      granularity: 1,
      forwards: steps.map((step) => step.forwards),
      backwards: steps.map((step) => step.backwards),
      deltas: steps.map(() => SECOND),
      pool: this.pool.toJson(),
    };
  }

  place(revision: number): Place {
    this.asked++;
    const author = `a.${revision % 7}`;
    return { revision, document: this.document(revision), time: revision * SECOND, author };
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
    for (let piece = timeline.walk(goal); piece; piece = timeline.walk(goal)) {
      if (piece.kind === 'steps') timeline.add(this.steps(piece.start));
      else timeline.land(this.place(piece.revision));
    }
  }
}

describe('a timeline', () => {
  const past = new Past(1_234);
  const open = () => new Timeline({ ...past.place(1_233), author: undefined });

  test('shows every revision as it was, with its time', () => {
    const timeline = open();
    for (const goal of [1_232, 0, 1_233, 617, 616, 618, 99, 100, 999, 1_000, 5, 1_229]) {
      past.go(timeline, goal);
      const { revision, document, time } = timeline.place;
      expect(revision).toBe(goal);
      expect(document.text.toString()).toBe(past.text(goal));
      expect(document.toAText()).toEqual(past.document(goal).toAText());
      expect(time).toBe(goal * SECOND);
    }
  });

  test('asks for at most two pieces, however far it is, and not again for steps it has', () => {
    const timeline = open();
    for (const goal of [1_133, 617, 0, 100, 1_233, 1_150]) {
      past.asked = 0;
      past.go(timeline, goal);
      expect(past.asked).toBeLessThanOrEqual(2);
    }
    past.asked = 0;
    past.go(timeline, 1_200);
    past.go(timeline, 1_150);
    expect(past.asked).toBe(0);
  });

  test('asks again when a stretch has become longer', () => {
    const young = new Past(30);
    const timeline = new Timeline(young.place(29));
    young.go(timeline, 12);
    const older = new Past(45);
    older.go(timeline, 44);
    expect(timeline.place.document.text.toString()).toBe(older.text(44));
  });

  test('knows who made a revision, once it has the steps or landed there', () => {
    const timeline = open();
    expect(timeline.place.author).toBeUndefined();
    timeline.add(past.steps(1_200));
    expect(timeline.place.author).toBe('a.1');
    past.go(timeline, 1_230);
    expect(timeline.place.author).toBe('a.5');
    expect(timeline.deltaOf(1_231)).toBe(SECOND);
    past.go(timeline, 10);
    expect(timeline.place.author).toBe('a.3');
    expect(timeline.deltaOf(11)).toBeUndefined();
  });
});

test('an address names a revision, or two', () => {
  expect(named('#40')).toEqual({ revision: 40, other: null });
  expect(named('#12..40')).toEqual({ revision: 40, other: 12 });
  for (const wrong of ['', '#', '#x', '#-1', '#1..', '#..2', '#1.2'])
    expect(named(wrong)).toBeNull();
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
