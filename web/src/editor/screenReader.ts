// Full-text rendering for screen readers. They read only what is in the page, and the editor renders
// no more than is in sight.
//
// Invariant: only while the text is short. Every line costs at every key: 1,000 lines are painted
// in some 30 ms, 20,000 would take a second.

import { Facet } from '@codemirror/state';
import { type EditorView, ViewPlugin } from '@codemirror/view';

export const wholeText = Facet.define<boolean, boolean>({ combine: ([on]) => on ?? false });

const MOST_LINES = 1_000;

// The editor does the same by itself when it is printed. There is no public way to ask for it, so
// the library is pinned, and a browser test counts lines.
interface Printing {
  readonly viewState: { printing: boolean };
}

function keep(view: EditorView): void {
  const { viewState } = view as unknown as Printing;
  const whole = view.state.facet(wholeText) && view.state.doc.lines <= MOST_LINES;
  if (viewState.printing === whole) return;
  viewState.printing = whole;
  view.requestMeasure();
}

export const showWhole = ViewPlugin.define((view) => {
  keep(view);
  return { update: (update) => keep(update.view) };
});
