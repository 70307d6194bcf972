// The change that makes a document what it was.
//
// Invariant: text that is still there keeps its author. The server takes new text only
// from its author, so what had gone comes back as the visitor's own.

import { type Attribs, Builder, type Changeset } from '../changeset/index.ts';
import type { SetId } from '../document/attributes.ts';
import { diff } from '../document/diff.ts';
import { type PadDocument, pushSpan } from '../document/document.ts';

export function restoring(now: PadDocument, then: PadDocument, author: string): Changeset {
  const { sets } = now;
  const out = new Builder(now.length);
  let [old, at] = [0, 0];

  const keep = (chars: number): void => {
    const back = old - at;
    then.runs.between(at, at + chars, (from, to, wanted) => {
      now.runs.between(from + back, to + back, (start, end, had) => {
        const attribs = restyle(now, had, wanted);
        pushSpan(now.text, start, end, (count, lines) => out.keepCounted(count, lines, attribs));
      });
    });
    old += chars;
    at += chars;
  };

  for (const { opcode, chars } of diff(now.text.toString(), then.text.toString()).ops) {
    if (opcode === '=') keep(chars);
    else if (opcode === '-') {
      out.delete(now.text.sliceString(old, old + chars));
      old += chars;
    } else {
      then.runs.between(at, at + chars, (from, to, id) => {
        const attributes = new Map(sets.map(id)).set('author', author);
        out.insert(then.text.sliceString(from, to), sets.insertOf(attributes));
      });
      at += chars;
    }
  }
  // What follows the last operation is kept.
  keep(now.length - old);
  return out.finish();
}

function restyle({ sets }: PadDocument, had: SetId, wanted: SetId): Attribs {
  if (had === wanted) return '';
  const [before, after] = [sets.map(had), sets.map(wanted)];
  const keys = [...new Set([...before.keys(), ...after.keys()])];
  const different = keys.filter((key) => before.get(key) !== after.get(key));
  return sets.restyleOf(Object.fromEntries(different.map((key) => [key, after.get(key) ?? ''])));
}
