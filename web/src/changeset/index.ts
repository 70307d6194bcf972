// The algebra of text changes: what a change is, how changes combine, and what they do to a text.
//
// Four operations and their laws carry everything else: apply, compose, follow and inverse. This is
// the twin of the Rust crate `changeset`; both run the same vectors and print the same strings.
//
// Invariant: pure, and independent of everything else in the page. No operation on changes reads
// the text they are about, so the cost of an edit does not grow with the document.

export { type AText, applyToAText, applyToText, plain } from './apply.ts';
export { Assembler, Merger } from './assemble.ts';
export { composeAttribs, followAttribs } from './attribs.ts';
export { Builder, splice } from './build.ts';
export { compose } from './compose.ts';
export { ChangesetError, type Reason } from './error.ts';
export { follow } from './follow.ts';
export { inverse } from './inverse.ts';
export {
  applyToLines,
  type DocumentLines,
  joinAttribution,
  lineMarker,
  opsWithoutFinalNewline,
  splitAttribution,
  splitLines,
  subAttribution,
} from './lines.ts';
export {
  parse,
  parseAttribs,
  parseOps,
  print,
  printAttribs,
  printNumber,
  printOp,
  printOps,
  unpack,
} from './notation.ts';
export { type Attribs, type Changeset, identity, isIdentity, type Op, type Opcode } from './op.ts';
export { type Attribute, moveChangeset, moveOps, Pool, type PoolJson } from './pool.ts';
export { followRange, type Range } from './range.ts';
