// What the frame shows about the caret: formats.

import { Direction, type EditorView } from '@codemirror/view';
import { type ReadonlySignal, signal } from '@preact/signals';
import type { Align } from '../../document/lines.ts';
import { directionByLine, directionOf } from '../../editor/direction.ts';
import { caretFormats } from '../../editor/formatting.ts';
import type { PadEditor } from '../../editor/setup.ts';
import type { Formats } from '../live.ts';

const PLAIN: Formats = {
  bold: false,
  italic: false,
  underline: false,
  strikethrough: false,
  code: false,
  sub: false,
  sup: false,
  highlight: null,
  color: null,
  'font-family': null,
  'font-size': null,
  list: null,
  heading: 0,
  quote: false,
  codeBlock: false,
  link: false,
  task: false,
  align: 'left',
};

// The side where a line starts, by the beginning of its text.
function startOf({ state, textDirection }: EditorView): Align {
  const { text } = state.doc.lineAt(state.selection.main.head);
  const direction = state.facet(directionByLine) ? directionOf(text.slice(0, 300)) : null;
  return (direction ?? textDirection) === Direction.RTL ? 'right' : 'left';
}

export class CaretFacts {
  readonly #formats = signal<Formats>(PLAIN);

  get formats(): ReadonlySignal<Formats> {
    return this.#formats;
  }

  update(editor: PadEditor): void {
    const { state } = editor.view;
    const { inline, line } = caretFormats(state);
    const formats: Formats = {
      bold: inline.has('bold'),
      italic: inline.has('italic'),
      underline: inline.has('underline'),
      strikethrough: inline.has('strikethrough'),
      code: inline.has('code'),
      sub: inline.has('sub'),
      sup: inline.has('sup'),
      highlight: inline.get('highlight') ?? null,
      color: inline.get('color') ?? null,
      'font-family': inline.get('font-family') ?? null,
      'font-size': inline.get('font-size') ?? null,
      list: line.list,
      heading: line.heading,
      quote: line.quote,
      codeBlock: line.code,
      link: inline.has('url'),
      task: line.task !== null,
      align: line.align ?? startOf(editor.view),
    };
    if (JSON.stringify(formats) !== JSON.stringify(this.#formats.peek())) {
      this.#formats.value = formats;
    }
  }
}
