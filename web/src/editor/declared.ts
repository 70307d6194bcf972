// Attributes that plugins declare: how they look in the text, and how they are set. Loaded where
// there is a plugin that has some.
//
// Invariant: only visible lines are looked at, and only declared values have a look. All others are
// kept in the text as ever.

import { Compartment, type EditorState, Facet, type Range, StateEffect } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';
import { markerAt } from '../document/lines.ts';
import { edit } from './apply.ts';
import { ChangeWriter } from './changeWriter.ts';
import { restyle, stretches } from './formatting.ts';
import { selectedLines, writeLineChange } from './lists.ts';
import { documentOf, loadRuns, padChange } from './state.ts';

export interface DeclaredAttribute {
  readonly key: string;
  readonly kind: 'inline' | 'line';
  readonly values: readonly string[];
}

const declared = Facet.define<readonly DeclaredAttribute[], readonly DeclaredAttribute[]>({
  combine: (lists) => lists.flat(),
});

const compartments = new WeakMap<EditorView, Compartment>();

// Those that have a look from now on, in place of others.
export function showDeclared(view: EditorView, attributes: readonly DeclaredAttribute[]): void {
  const known = compartments.get(view);
  const extension = declared.of(attributes);
  if (known) {
    view.dispatch({ effects: known.reconfigure(extension) });
    return;
  }
  const compartment = new Compartment();
  compartments.set(view, compartment);
  view.dispatch({ effects: StateEffect.appendConfig.of([compartment.of(extension), drawing]) });
}

// One step to undo. An empty value takes the attribute away.
export function setDeclared(view: EditorView, { key, kind }: DeclaredAttribute, value: string) {
  const { state } = view;
  const { from, to } = state.selection.main;
  const step = `${key} ${value}`;
  if (kind === 'inline') {
    restyle(view, stretches(state, from, to), { [key]: value }, step);
    return;
  }
  const out = new ChangeWriter(state);
  for (const line of selectedLines(state))
    writeLineChange(out, state, line.from, { others: { [key]: value } });
  edit(view, out.finish(), { kind: step });
}

// At the caret, or where the selection begins.
export function declaredAt(state: EditorState, { key, kind }: DeclaredAttribute): string | null {
  const document = documentOf(state);
  const { from, empty } = state.selection.main;
  if (kind === 'line') {
    return markerAt(document, state.doc.lineAt(from).from)?.get(key) ?? null;
  }
  const at = empty ? Math.max(from - 1, 0) : from;
  return document.sets.map(document.runs.at(at)).get(key) ?? null;
}

const drawing = ViewPlugin.define(
  (view) => {
    const plugin = {
      decorations: decorationsOf(view),
      update(update: ViewUpdate) {
        const isOther =
          update.docChanged ||
          update.viewportChanged ||
          update.startState.facet(declared) !== update.state.facet(declared) ||
          update.transactions.some(
            (each) =>
              each.annotation(padChange) || each.effects.some((effect) => effect.is(loadRuns)),
          );
        if (isOther) plugin.decorations = decorationsOf(update.view);
      },
    };
    return plugin;
  },
  { decorations: (plugin) => plugin.decorations },
);

function decorationsOf({ state, visibleRanges }: EditorView): DecorationSet {
  const attributes = state.facet(declared);
  const document = documentOf(state);
  const found: Range<Decoration>[] = [];
  const classesOf = (kind: string, map: ReadonlyMap<string, string>): string =>
    attributes
      .filter((each) => each.kind === kind && each.values.includes(map.get(each.key) ?? ''))
      .map(({ key }) => `plugin-${key} plugin-${key}-${map.get(key)}`)
      .join(' ');
  for (const { from, to } of attributes.length > 0 ? visibleRanges : []) {
    for (let at = from; at <= to; ) {
      const line = state.doc.lineAt(at);
      const marker = markerAt(document, line.from);
      const ofLine = marker ? classesOf('line', marker) : '';
      if (ofLine) found.push(Decoration.line({ class: ofLine }).range(line.from));
      const start = Math.max(at, marker ? line.from + 1 : line.from);
      document.runs.between(start, Math.min(line.to, to), (a, b, id) => {
        const inline = classesOf('inline', document.sets.map(id));
        if (inline && a < b) found.push(Decoration.mark({ class: inline }).range(a, b));
      });
      at = line.to + 1;
    }
  }
  return Decoration.set(found, true);
}
