// What the reader of settings says of a text.

export interface Note {
  // The full path of the key; empty if it is about the file as a whole.
  key: string;
  line: number | null;
  text: string;
}

export interface Verdict {
  // With one of these the service does not start.
  problems: readonly Note[];
  warnings: readonly Note[];
}
