// The way out of the text without a mouse: Escape, and then Tab.
//
// Invariant: there is no hurry. Tab leads out until something else is typed or the text is left;
// CodeMirror alone would wait for two seconds.

import type { Extension } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';

const WAITING = ['Escape', 'Tab', 'Shift', 'Control', 'Alt', 'Meta'];

export const tabLeaves: Extension = [
  keymap.of([
    {
      key: 'Escape',
      run: (view) => {
        view.setTabFocusMode(true);
        return false;
      },
    },
  ]),
  EditorView.domEventHandlers({
    keydown: ({ key }, view) => {
      if (!WAITING.includes(key)) view.setTabFocusMode(false);
    },
    blur: (_, view) => view.setTabFocusMode(false),
  }),
];
