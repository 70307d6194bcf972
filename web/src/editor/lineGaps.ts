// Gaps that the editor leaves in lines too long to be drawn whole.
//
// A new editor draws them as if lines were not wrapped: as wide as what is left out, and two pixels high. It then
// takes the part that is drawn for the whole line, and draws a million characters to fill the window. Once it
// has forgotten them, an update draws them as high as what is left out. There is no public way to ask for
// it, so the library is pinned, and the page bench measures it.

import type { EditorView } from '@codemirror/view';

interface WithGaps {
  readonly viewState: { lineGaps: readonly unknown[] };
}

export function redrawGaps(view: EditorView): void {
  const { viewState } = view as unknown as WithGaps;
  if (viewState.lineGaps.length === 0) return;
  viewState.lineGaps = [];
  view.update([view.state.update({})]);
}
