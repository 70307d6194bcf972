// Find and replace, loaded when it is first asked for.

import { openSearchPanel, search, searchKeymap } from '@codemirror/search';
import { EditorState, StateEffect, StateField } from '@codemirror/state';
import { type EditorView, keymap } from '@codemirror/view';

// Says of a state that search is part of it.
const present = StateField.define({ create: () => true, update: (value) => value });

export function openSearch(view: EditorView, words: Readonly<Record<string, string>>): void {
  if (!view.state.field(present, false)) {
    const phrases = EditorState.phrases.of(words);
    const extension = [present, phrases, search({ top: true }), keymap.of(searchKeymap)];
    view.dispatch({ effects: StateEffect.appendConfig.of(extension) });
  }
  openSearchPanel(view);
}
