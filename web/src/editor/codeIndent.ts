// Tab in lines of code.

import type { EditorView } from '@codemirror/view';
import { formatOf, markerAt } from '../document/lines.ts';
import { selectedLines } from './lists.ts';
import { documentOf } from './state.ts';

const INDENT = '  ';

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
