// Quotes, code and rules, lines that are set apart, where lines stand, and clearing formats: loaded
// after the text.

import { EditorSelection } from '@codemirror/state';
import { Direction, type EditorView } from '@codemirror/view';
import { CHOICES, TOGGLES } from '../document/inline.ts';
import { type Align, formatOf, markerAt } from '../document/lines.ts';
import { edit } from './apply.ts';
import { ChangeWriter } from './changeWriter.ts';
import { restyle, stretches } from './formatting.ts';
import { changeLines, newMarker, selectedLines } from './lists.ts';
import { documentOf } from './state.ts';
import { ownAttribs, writeText } from './typed.ts';

export type Block = 'quote' | 'code' | 'rule';

// Makes the selected lines a quote or code, and plain lines if they are that already.
export function setBlock(view: EditorView, block: Block): boolean {
  if (block === 'rule') return insertRule(view);
  const document = documentOf(view.state);
  const lines = selectedLines(view.state);
  const all = lines.every((line) => formatOf(markerAt(document, line.from))[block]);
  if (all) return changeLines(view, () => ({ [block]: false }));
  return changeLines(view, () =>
    block === 'code'
      ? { code: true, quote: false, list: null, task: null }
      : { quote: true, code: false, heading: 0 },
  );
}

// Below the caret's line, or in its place if nothing is in it; the caret goes on below the rule.
function insertRule(view: EditorView): boolean {
  const { state } = view;
  const line = state.doc.lineAt(state.selection.main.head);
  const out = new ChangeWriter(state).keepTo(line.to);
  if (line.length > 0) writeText(out, state, '\n');
  out.insert('*', ownAttribs(state, newMarker({ rule: true })));
  writeText(out, state, '\n');
  const caret = line.to + (line.length > 0 ? 3 : 2);
  return edit(view, out.finish(), { kind: 'lines', selection: EditorSelection.cursor(caret) });
}

// Nothing is written about a line whose text starts at that side anyway.
export function setAlign(view: EditorView, align: Align): boolean {
  return changeLines(view, (_format, line) => {
    const side = view.textDirectionAt(line.from) === Direction.RTL ? 'right' : 'left';
    return { align: align === side ? null : align };
  });
}

export function clearFormatting(view: EditorView): boolean {
  // First, because markers that go move the text behind them.
  changeLines(view, () => ({ heading: 0, code: false, quote: false, align: null }));
  const { main } = view.state.selection;
  const line = view.state.doc.lineAt(main.head);
  const { from, to } = main.empty ? line : main;
  const nothing = Object.fromEntries([...TOGGLES, ...CHOICES].map((format) => [format, '']));
  return restyle(view, stretches(view.state, from, to), nothing);
}

// Of the selection, or of everything; nobody is the author then.
export function clearAuthorship(view: EditorView, everywhere: boolean): boolean {
  const { state } = view;
  const { from, to } = everywhere ? { from: 0, to: state.doc.length } : state.selection.main;
  return restyle(view, [[from, to]], { author: '' });
}
