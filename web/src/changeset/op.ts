// Operations and changesets as plain data.
//
// A changeset walks the old text from its start. `=` and `-` consume old text, `=` and `+` produce
// new text; whatever follows the last operation is kept. Invariant of canonical changes: `lines`
// is the number of newlines in the span, and a span with newlines ends in one, so a stretch such as
// "ab\ncd" takes two operations.

export type Opcode = '=' | '+' | '-';

// Numbers of attributes in a pool as they are written, `*0*1`: ascending by key, not by number, and
// without leading zeros. Kept as a string because that is what is compared and printed most; it is
// taken apart only where two lists meet.
export type Attribs = string;

export interface Op {
  readonly opcode: Opcode;
  readonly chars: number;
  readonly lines: number;
  // On `+` all attributes of the new text, on `=` what to change about the old one.
  readonly attribs: Attribs;
}

export interface Changeset {
  readonly oldLen: number;
  readonly newLen: number;
  readonly ops: readonly Op[];
  // The characters of all inserts, in order.
  readonly bank: string;
}

export function identity(len: number): Changeset {
  return { oldLen: len, newLen: len, ops: [], bank: '' };
}

// Whether this is written as the identity. A keep whose attributes happen to change nothing is not:
// that depends on the document.
export function isIdentity(change: Changeset): boolean {
  return change.ops.length === 0 && change.oldLen === change.newLen;
}
