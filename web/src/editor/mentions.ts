// People who are mentioned in the text: a name that knows whom it means.

import { RangeSetBuilder } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';
import { addStyles } from '../load/styles.ts';
import styles from './mentions.css?inline';
import { documentOf, padChangeOf, writer } from './state.ts';

addStyles(styles);

const MARK = Decoration.mark({ class: 'pad-mention' });
const ME = Decoration.mark({ class: 'pad-mention pad-mention-me' });

function draw({ state, visibleRanges }: EditorView): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  const { runs, sets } = documentOf(state);
  const { author } = state.facet(writer);
  for (const { from, to } of visibleRanges) {
    runs.between(from, to, (start, end, id) => {
      const mentioned = sets.map(id).get('mention');
      if (mentioned) builder.add(start, end, mentioned === author ? ME : MARK);
    });
  }
  return builder.finish();
}

export const mentions = ViewPlugin.define(
  (view) => ({
    decorations: draw(view),
    update(update: ViewUpdate) {
      const restyled = update.transactions.some((each) => padChangeOf(each) !== null);
      const changed = update.docChanged || update.viewportChanged || restyled;
      if (changed) this.decorations = draw(update.view);
    },
  }),
  { decorations: (plugin) => plugin.decorations },
);
