// Large changes in portions, because a message has a greatest size.
//
// Law: the portions in a row do what the whole does.

import { Builder, type Changeset, identity } from '../changeset/index.ts';

// A first portion of at most `limit` characters and operations, and the rest.
export function splitChange(change: Changeset, limit: number): [Changeset, Changeset] {
  if (change.bank.length <= limit && change.ops.length <= limit) {
    return [change, identity(change.newLen)];
  }
  const first = new Builder(change.oldLen);
  // Starts with everything that the first portion produces.
  const before: [chars: number, lines: number][] = [];
  const rest: ((builder: Builder) => void)[] = [];
  let bank = 0;
  let room = Math.max(limit, 1);
  let ops = 0;
  for (const { opcode, chars, lines, attribs } of change.ops) {
    // Passing over text is free: otherwise the second portion might never get to its point.
    if (opcode !== '=' || attribs !== '') ops++;
    const open = rest.length === 0 && ops <= limit && room > 0;
    if (opcode === '+') {
      const text = change.bank.slice(bank, bank + chars);
      bank += chars;
      const cut = open ? cutAt(text, room) : 0;
      const [now, later] = [text.slice(0, cut), text.slice(cut)];
      room -= now.length;
      first.insert(now, attribs);
      for (const span of spansOf(now)) before.push(span);
      if (later) rest.push((builder) => builder.insert(later, attribs));
    } else if (open && opcode === '=') {
      first.keepCounted(chars, lines, attribs);
      before.push([chars, lines]);
    } else if (open) {
      first.deleteCounted(chars, lines);
    } else if (opcode === '=') {
      rest.push((builder) => builder.keepCounted(chars, lines, attribs));
    } else {
      rest.push((builder) => builder.deleteCounted(chars, lines));
    }
  }
  const one = first.finish();
  const two = new Builder(one.newLen);
  for (const [chars, lines] of before) two.keepCounted(chars, lines);
  for (const add of rest) add(two);
  return [one, two.finish()];
}

// Not inside a pair of surrogates.
function cutAt(text: string, room: number): number {
  if (text.length <= room) return text.length;
  const unit = text.charCodeAt(room - 1);
  return unit >= 0xd800 && unit <= 0xdbff && room > 1 ? room - 1 : room;
}

function spansOf(text: string): [chars: number, lines: number][] {
  const end = text.lastIndexOf('\n') + 1;
  const lines = text.split('\n').length - 1;
  return [
    [end, lines],
    [text.length - end, 0],
  ];
}
