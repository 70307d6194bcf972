// Every way in which a change can be wrong, by name.
//
// Invariant: the algebra throws nothing else on bad input, and the names are those of the Rust
// crate and of the shared vectors, so that both sides can be compared line by line.

export type Reason =
  // The notation.
  | 'NOT_A_CHANGESET'
  | 'INVALID_OP'
  | 'NUMBER_TOO_LARGE'
  | 'LENGTH_OVERRUN'
  | 'BANK_TOO_SHORT'
  | 'INSERT_NEWLINE_COUNT'
  | 'INSERT_NOT_NEWLINE_TERMINATED'
  | 'LENGTH_MISMATCH'
  | 'BANK_EXCESS'
  | 'NOT_CANONICAL'
  // Applying.
  | 'APPLY_LENGTH_MISMATCH'
  | 'READ_PAST_END'
  | 'APPLY_NEWLINE_COUNT'
  | 'UNKNOWN_ATTRIBUTE'
  | 'ATTRIBUTION_MISMATCH'
  // Combining.
  | 'COMPOSE_LENGTH_MISMATCH'
  | 'COMPOSE_LINES_MISMATCH'
  | 'OP_MORE_LINES_THAN_CHARS'
  | 'FOLLOW_LENGTH_MISMATCH';

export class ChangesetError extends Error {
  readonly reason: Reason;

  constructor(reason: Reason) {
    super(`bad changeset: ${reason}`);
    this.name = 'ChangesetError';
    this.reason = reason;
  }
}

export function fail(reason: Reason): never {
  throw new ChangesetError(reason);
}
