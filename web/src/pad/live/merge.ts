// Unsent changes brought to another version of the text than they were made for.
//
// Invariant: nothing is dropped without a word. Where too much of what the changes were about is
// gone, the caller knows and can offer both versions.

import {
  type Changeset,
  compose,
  follow,
  identity,
  moveChangeset,
  Pool,
  type PoolJson,
  parse,
} from '../../changeset/index.ts';
import { diff, weight } from '../../document/diff.ts';
import { PadDocument } from '../../document/document.ts';
import type { FoundDraft, UnsentChanges } from '../../draft/journal.ts';

// Of what the changes touched, so much may be gone.
const LOST_SHARE = 0.3;

export interface Merge {
  // What leads from the old base to the new document, and what is still to be sent, counted from
  // the old base.
  readonly theirs: Changeset;
  readonly ours: Changeset;
  readonly safe: boolean;
}

export function mergeOnto({ base, inFlight, pending }: UnsentChanges, now: PadDocument): Merge {
  const { pool } = base.sets;
  const text = now.text.toString();
  // Any of it may have been stored, its answer lost: then the new text is closer to what it made of
  // the base than to the base itself.
  const stages = inFlight ? [inFlight, pending] : [pending];
  let stage = base;
  let best = { stored: 0, theirs: diff(base.text.toString(), text) };
  stages.forEach((change, i) => {
    stage = stage.apply(change);
    const theirs = diff(stage.text.toString(), text);
    if (weight(theirs) < weight(best.theirs)) best = { stored: i + 1, theirs };
  });
  const ours = stages
    .slice(best.stored)
    .reduce((all, change) => compose(all, change, pool), identity(best.theirs.oldLen));
  return { theirs: best.theirs, ours, safe: isSafe(best.theirs, ours) };
}

// Whether the text around our changes is still there.
function isSafe(theirs: Changeset, ours: Changeset): boolean {
  const gone = deletedIn(theirs);
  const touched = touchedBy(ours);
  if (touched.length === 0) return true;
  const lost = touched.filter((place) =>
    gone.some(([from, to]) => from < place && place < to),
  ).length;
  return lost / touched.length <= LOST_SHARE;
}

function deletedIn(change: Changeset): [number, number][] {
  const spans: [number, number][] = [];
  let at = 0;
  for (const { opcode, chars } of change.ops) {
    if (opcode === '-') spans.push([at, at + chars]);
    if (opcode !== '+') at += chars;
  }
  return spans;
}

function touchedBy(change: Changeset): number[] {
  const places: number[] = [];
  let at = 0;
  for (const { opcode, chars, attribs } of change.ops) {
    if (opcode !== '=' || attribs !== '') places.push(at);
    if (opcode !== '+') at += chars;
  }
  return places;
}

// What a tab left behind, in the numbers of the running page; null if the document is not there.
export function unsentOf(
  { row, base }: FoundDraft,
  sets: PadDocument['sets'],
): UnsentChanges | null {
  if (!base || base.rev !== row.rev) return null;
  const document = PadDocument.read(base.atext, Pool.fromJson(base.pool), sets);
  const read = (notation: string) => readChange(notation, row.pool, sets.pool);
  return {
    base: document,
    inFlight: row.inFlight === null ? null : read(row.inFlight),
    pending: read(row.pending),
  };
}

function readChange(notation: string, pool: PoolJson, to: Pool): Changeset {
  return moveChangeset(parse(notation), Pool.fromJson(pool), to);
}

// Our changes on top of theirs.
export function rebased({ theirs, ours }: Merge, pool: Pool): Changeset {
  return follow(theirs, ours, true, pool);
}
