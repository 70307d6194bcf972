// The outline of a running pad: its headings as signals, and what one can do with their sections.
//
// Invariant: entries are found again by their slug before anything is done to them, because the text
// may have changed since they were shown.

import { EditorView } from '@codemirror/view';
import { signal } from '@preact/signals';
import { headingAt, nextSection } from '../../document/headings.ts';
import { headingList } from '../../editor/headings.ts';
import { moveLines } from '../../editor/moveSection.ts';
import type { Outline, OutlineEntry } from '../live.ts';

// As far below the top of the window as one reads comfortably.
const MARGIN = 24;

export function outlineOf(view: EditorView): Outline {
  const list = headingList(view);
  const entries = signal<readonly OutlineEntry[]>([]);
  const current = signal(-1);
  const find = (slug: string) => list.now.findIndex((heading) => heading.slug === slug);
  const update = () => {
    const now = list.now.map(({ level, text, slug }) => ({ level, text, slug }));
    if (JSON.stringify(now) !== JSON.stringify(entries.peek())) entries.value = now;
    current.value = headingAt(list.now, view.state.selection.main.head);
  };
  update();
  return {
    entries,
    current,
    jump: (slug) => jump(view, slug),
    move: (slug, before) => {
      const index = find(slug);
      const target = before === null ? list.now.length : find(before);
      const heading = list.now[index];
      if (!heading || target === -1) return false;
      const end = view.state.doc.length + 1;
      const start = (at: number) => list.now[at]?.from ?? end;
      const lines = { from: heading.from, to: start(nextSection(list.now, index)) - 1 };
      const moved = moveLines(view, lines, start(target));
      if (moved) update();
      return moved;
    },
    close: list.listen(update),
  };
}

// Puts the caret at the end of a heading and the heading at the top. Says whether there is such a one.
export function jump(view: EditorView, slug: string): boolean {
  const heading = headingList(view).now.find((each) => each.slug === slug);
  if (!heading) return false;
  view.dispatch({
    selection: { anchor: heading.to },
    effects: EditorView.scrollIntoView(heading.from, { y: 'start', yMargin: MARGIN }),
  });
  view.focus();
  return true;
}
