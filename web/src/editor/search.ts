// Find and replace, loaded when it is first asked for.

import { openSearchPanel, type SearchQuery, search, searchKeymap } from '@codemirror/search';
import { EditorState, StateEffect, StateField } from '@codemirror/state';
import { EditorView, keymap, type Panel } from '@codemirror/view';

// What the page gives: its words by the names that CodeMirror has for them, and its box.
export interface SearchTools {
  readonly phrases: Readonly<Record<string, string>>;
  readonly box: (view: EditorView) => Panel;
}

export interface Match {
  readonly from: number;
  readonly to: number;
}

// Says of a state that search is part of it.
const present = StateField.define({ create: () => true, update: (value) => value });

// More are not counted: the number tells nobody anything.
export const MOST_MATCHES = 1000;

export function openSearch(view: EditorView, { phrases, box }: SearchTools): void {
  if (!view.state.field(present, false)) {
    const extension = [
      present,
      EditorState.phrases.of(phrases),
      search({
        top: true,
        createPanel: box,
        // Away from the box, which lies over the text.
        scrollToMatch: (range) => EditorView.scrollIntoView(range, { y: 'center' }),
      }),
      keymap.of(searchKeymap),
    ];
    view.dispatch({ effects: StateEffect.appendConfig.of(extension) });
  }
  openSearchPanel(view);
}

// In order, and at most one more than are counted.
export function matchesOf(query: SearchQuery, state: EditorState): Match[] {
  const matches: Match[] = [];
  if (!query.valid) return matches;
  const cursor = query.getCursor(state);
  for (let next = cursor.next(); !next.done; next = cursor.next()) {
    matches.push({ from: next.value.from, to: next.value.to });
    if (matches.length > MOST_MATCHES) break;
  }
  return matches;
}
