// New text in its sender's name, because the server takes no other. What was moved is given back the
// names of its authors by a second change.
//
// Law: the two in a row do what the whole does.

import {
  Builder,
  type Changeset,
  composeAttribs,
  identity,
  type Pool,
} from '../changeset/index.ts';

// The change with all inserts by `author`, and what puts the other names back.
export function splitNames(change: Changeset, author: string, pool: Pool): [Changeset, Changeset] {
  const named = change.ops.map(({ opcode, attribs }) =>
    opcode === '+' ? (pool.valueOf(attribs, 'author') ?? '') : author,
  );
  if (named.every((name) => name === author)) return [change, identity(change.newLen)];
  const nameAs = (name: string) => `*${pool.intern(['author', name]).toString(36)}`;
  const own = nameAs(author);
  const first = new Builder(change.oldLen);
  const second = new Builder(change.newLen);
  let bank = 0;
  change.ops.forEach(({ opcode, chars, lines, attribs }, i) => {
    const name = named[i] as string;
    if (opcode === '+') {
      const text = change.bank.slice(bank, bank + chars);
      bank += chars;
      first.insert(text, composeAttribs(attribs, own, false, pool));
      second.keepCounted(chars, lines, name === author ? '' : nameAs(name));
    } else if (opcode === '=') {
      first.keepCounted(chars, lines, attribs);
      second.keepCounted(chars, lines);
    } else {
      first.deleteCounted(chars, lines);
    }
  });
  return [first.finish(), second.finish()];
}
