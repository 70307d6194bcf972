// Colours of code, for blocks that are on the screen.
//
// Invariant: a key costs what moving the colours costs; a block is read again when typing pauses. The
// parser of a language is fetched when a block in it is first seen.

import { type Range, StateEffect } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';
import { type CodeBlock, codeBlockAt, codeLanguageAt, languageOf } from './codeBlocks.ts';
import { padChange } from './state.ts';
import type { Tokens } from './tokens.ts';

const PAUSE_MS = 150;

// A parser has come, or typing has paused.
const readAgain = StateEffect.define<null>();

const readers = new Map<string, Tokens | null>();

// The reader of a language, if it is here; calls back once it is.
function reader(id: string, arrived: () => void): Tokens | null {
  const known = readers.get(id);
  if (known !== undefined) return known;
  readers.set(id, null);
  import('./tokens.ts')
    .then((part) => part.tokensOf(id))
    .then((tokens) => {
      readers.set(id, tokens);
      arrived();
    })
    // Asked for again with the next block.
    .catch(() => readers.delete(id));
  return null;
}

const marks = new Map<string, Decoration>();

function markOf(name: string): Decoration {
  const mark = marks.get(name) ?? Decoration.mark({ class: name });
  marks.set(name, mark);
  return mark;
}

class Colours {
  decorations: DecorationSet = Decoration.none;
  readonly #view: EditorView;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #waits = false;

  constructor(view: EditorView) {
    this.#view = view;
    this.#draw();
  }

  update(update: ViewUpdate): void {
    const changed =
      update.docChanged || update.transactions.some((each) => each.annotation(padChange));
    const asked = update.transactions.some((each) =>
      each.effects.some((effect) => effect.is(readAgain)),
    );
    if (changed) {
      this.decorations = this.decorations.map(update.changes);
      this.#waits = true;
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#ask(), PAUSE_MS);
    }
    if (asked || (update.viewportChanged && !this.#waits)) this.#draw();
  }

  destroy(): void {
    clearTimeout(this.#timer);
  }

  #ask(): void {
    this.#waits = false;
    this.#view.dispatch({ effects: readAgain.of(null) });
  }

  #draw(): void {
    const { state, visibleRanges } = this.#view;
    const found: Range<Decoration>[] = [];
    let done = -1;
    for (const { from, to } of visibleRanges) {
      for (let line = state.doc.lineAt(from); ; line = state.doc.line(line.number + 1)) {
        if (line.from > done && codeLanguageAt(state, line.from)) {
          const block = codeBlockAt(state, line.from);
          if (block) this.#colour(block, Math.max(from, line.from), to, found);
          done = block?.to ?? line.to;
        }
        if (line.to >= to || line.number === state.doc.lines) break;
      }
    }
    this.decorations = Decoration.set(found, true);
  }

  #colour(block: CodeBlock, from: number, to: number, found: Range<Decoration>[]): void {
    const id = languageOf(block.language)?.id;
    const tokens = id && reader(id, () => this.#ask());
    if (!tokens) return;
    // The text as it was written, without the markers of its lines.
    const { doc } = this.#view.state;
    const lines: string[] = [];
    const starts: number[] = [];
    let length = 0;
    for (let number = block.first; number <= block.last; number++) {
      const text = doc.line(number).text.slice(1);
      starts.push(length);
      lines.push(text);
      length += text.length + 1;
    }
    // Of a place in it, which line that is; asked from top to bottom.
    let at = 0;
    tokens(lines.join('\n'), (start, end, name) => {
      while (at + 1 < starts.length && (starts[at + 1] as number) <= start) at++;
      for (let i = at; i < starts.length && (starts[i] as number) < end; i++) {
        const own = starts[i] as number;
        const shift = block.from + i + 1;
        const [a, b] = [Math.max(start, own), Math.min(end, own + (lines[i] as string).length)];
        if (a < b && b + shift > from && a + shift < to) {
          found.push(markOf(name).range(a + shift, b + shift));
        }
      }
    });
  }
}

export const syntaxColours = ViewPlugin.define((view) => new Colours(view), {
  decorations: (plugin) => plugin.decorations,
});
