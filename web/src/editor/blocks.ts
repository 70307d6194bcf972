// Quotes, code and rules: lines that are set apart.

import { EditorSelection } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { formatOf, markerAt } from '../document/lines.ts';
import { edit } from './apply.ts';
import { ChangeWriter } from './changeWriter.ts';
import { changeLines, newMarker, selectedLines } from './lists.ts';
import { documentOf } from './state.ts';
import { ownAttribs, writeText } from './typed.ts';

export type Block = 'quote' | 'code' | 'rule';

const INDENT = '  ';

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

// Tab in code: blanks at the caret, or before all selected lines; Shift+Tab takes them away. Says
// whether this is code.
export function indentCode(view: EditorView, by: 1 | -1): boolean {
  const { state } = view;
  const document = documentOf(state);
  const lines = selectedLines(state);
  if (!lines.every((line) => formatOf(markerAt(document, line.from)).code)) return false;
  if (state.readOnly) return true;
  if (by > 0 && state.selection.main.empty) {
    view.dispatch(state.replaceSelection(INDENT), { userEvent: 'input', scrollIntoView: true });
    return true;
  }
  const changes = lines.map(({ from, text }) => {
    const [blanks = ''] = by < 0 ? (/^ {0,2}/.exec(text.slice(1)) ?? []) : [];
    return { from: from + 1, to: from + 1 + blanks.length, insert: by > 0 ? INDENT : '' };
  });
  view.dispatch({ changes, userEvent: 'input', scrollIntoView: true });
  return true;
}
