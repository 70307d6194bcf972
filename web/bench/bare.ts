// The editor library with a text and nothing of ours: what the pad page is measured against.

import { defaultKeymap, history } from '@codemirror/commands';
import { EditorState } from '@codemirror/state';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';

const text = await (await fetch('text')).text();
const place = document.getElementById('place');
if (place) {
  new EditorView({
    parent: place,
    state: EditorState.create({
      doc: text,
      extensions: [
        history(),
        keymap.of(defaultKeymap),
        lineNumbers(),
        EditorView.lineWrapping,
        EditorView.theme({ '&': { height: '700px' }, '.cm-scroller': { overflow: 'auto' } }),
      ],
    }),
  });
}
