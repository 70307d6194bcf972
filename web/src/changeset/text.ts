// Newlines in text. U+000A alone ends a line; U+000D, U+2028 and the like are ordinary characters.
//
// Invariant: lengths are UTF-16 units, which is what a JavaScript string counts anyway.

export const NEWLINE = '\n';

export function countNewlines(text: string): number {
  let count = 0;
  for (let at = text.indexOf(NEWLINE); at !== -1; at = text.indexOf(NEWLINE, at + 1)) count++;
  return count;
}

// Where the whole lines of a text end: behind its last newline, or at 0. No operation of a
// canonical change reaches over that border.
export function endOfLines(text: string): number {
  return text.lastIndexOf(NEWLINE) + 1;
}

// Hands out a text from left to right.
export class TextReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  // The next characters; undefined, and nothing taken, if there are not as many.
  take(chars: number): string | undefined {
    const end = this.#at + chars;
    if (end > this.#text.length) return undefined;
    const taken = this.#text.slice(this.#at, end);
    this.#at = end;
    return taken;
  }

  startsWithNewline(): boolean {
    return this.#text[this.#at] === NEWLINE;
  }

  rest(): string {
    return this.#text.slice(this.#at);
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length;
  }
}
