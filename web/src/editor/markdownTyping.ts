// Formatting by typing Markdown. The marks go, and what they are about gets the format.
//
// Invariant: only what is typed here counts, never what is pasted or what others write. The typed
// characters come first, as an edit of their own, so that one undo gives them back.

import {
  ChangeSet,
  EditorSelection,
  type EditorState,
  type Extension,
  Prec,
  type Transaction,
} from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import type { Changeset } from '../changeset/index.ts';
import { changesWithoutEnd } from '../document/document.ts';
import { type Inline, type InlineFormats, inlineFormats } from '../document/inline.ts';
import { depthOf, formatOf, type LineFormat, markerAt, taskList } from '../document/lines.ts';
import { edit } from './apply.ts';
import { ChangeWriter } from './changeWriter.ts';
import { type LineChange, newLine, renumber, writeLineChange } from './lists.ts';
import {
  CLOSING,
  inlineShorthand,
  LONGEST_SHORTHAND,
  lineAtBlank,
  lineAtEnter,
} from './markdown.ts';
import { documentOf, setTypingFormats, writer } from './state.ts';

const KIND = 'shorthand';
// Longer lines are data, not prose.
const LONGEST_LINE = 10_000;

export function markdownTyping(isOn: () => boolean): Extension {
  return [
    EditorView.inputHandler.of((view, _from, _to, text, insert) => {
      const ends = text === ' ' || CLOSING.test(text);
      if (!ends || !isOn() || view.composing || view.state.readOnly) return false;
      view.dispatch(insert());
      afterTyping(view, text);
      return true;
    }),
    EditorView.domEventHandlers({
      // Accents that wait for their letter are composed, and some marks are such.
      compositionend: ({ data }, view) => {
        if (CLOSING.test(data) && isOn()) setTimeout(() => afterComposing(view, data));
      },
    }),
    Prec.high(keymap.of([{ key: 'Enter', run: (view) => isOn() && atEnter(view) }])),
  ];
}

// What was typed before this part was here counts as if it was typed now.
export function catchUp(view: EditorView, transactions: readonly Transaction[]): void {
  let typed: { at: number; text: string }[] = [];
  const moveAll = (changes: ChangeSet) => {
    typed = typed.map(({ at, text }) => ({ at: changes.mapPos(at), text }));
  };
  for (const transaction of transactions) {
    moveAll(transaction.changes);
    if (!transaction.isUserEvent('input.type')) continue;
    transaction.changes.iterChanges((_from, _to, _newFrom, at, inserted) => {
      typed.push({ at, text: inserted.toString() });
    });
  }
  for (let next = typed.shift(); next; next = typed.shift()) {
    const { at, text } = next;
    const { state } = view;
    const isThere = state.sliceDoc(Math.max(0, at - 1), at) === text;
    const change = isThere ? afterTyping(view, text, at) : null;
    if (change) moveAll(ChangeSet.of(changesWithoutEnd(change), state.doc.length));
  }
}

function afterComposing(view: EditorView, data: string): void {
  const { head } = view.state.selection.main;
  if (view.composing || view.state.readOnly || view.state.sliceDoc(head - 1, head) !== data) return;
  afterTyping(view, data);
}

// What the character before a place makes of its line or of words, as the change that was made.
function afterTyping(
  view: EditorView,
  text: string,
  place = view.state.selection.main.head,
): Changeset | null {
  const { head, empty } = view.state.selection.main;
  // Somebody who has gone on to another place stays there.
  const isHere = empty && head === place;
  if (text === ' ') return atBlank(view, place, isHere);
  return CLOSING.test(text) ? formatWords(view, place, isHere) : null;
}

function atBlank(view: EditorView, head: number, isHere: boolean): Changeset | null {
  const { state } = view;
  const line = state.doc.lineAt(head);
  const marker = markerAt(documentOf(state), line.from);
  const start = marker ? line.from + 1 : line.from;
  if (head <= start || head - start > LONGEST_SHORTHAND) return null;
  const typed = lineAtBlank(state.sliceDoc(start, head - 1));
  const change = typed && within(formatOf(marker), typed);
  if (!change) return null;
  const out = new ChangeWriter(state);
  writeLineChange(out, state, line.from, change);
  const made = out.keepTo(start).deleteTo(head).finish();
  const selection = isHere ? { selection: EditorSelection.cursor(line.from + 1) } : {};
  edit(view, made, { kind: KIND, ...selection });
  if (change.list) renumber(view, [line.number], (number) => number === line.number, KIND);
  return made;
}

// What a line becomes that is something already: a quote can hold items, and an item can be a task.
function within(format: LineFormat, change: LineChange): LineChange | null {
  const { heading, code, rule, quote, task } = format;
  if (heading || code || rule || task) return null;
  const depth = depthOf(format);
  if (depth > 0) return change.task ? { ...change, list: taskList(depth) } : null;
  return !quote || change.list || change.task ? change : null;
}

// The characters and Enter are typed like others; only then they become something.
function atEnter(view: EditorView): boolean {
  const { state } = view;
  const { head, empty } = state.selection.main;
  const line = state.doc.lineAt(head);
  if (!empty || head !== line.to || line.length > LONGEST_SHORTHAND || state.readOnly) return false;
  if (markerAt(documentOf(state), line.from)) return false;
  const change = lineAtEnter(line.text);
  if (!change || !newLine(view, false)) return false;
  const after = view.state;
  const out = new ChangeWriter(after);
  writeLineChange(out, after, line.from, change);
  // A rule stands where the characters were, and code begins there.
  out.keepTo(line.from).deleteTo(line.to + (change.rule ? 0 : 1));
  const caret = line.from + (change.rule ? 2 : 1);
  return edit(view, out.finish(), { kind: KIND, selection: EditorSelection.cursor(caret) });
}

function formatWords(view: EditorView, head: number, isHere: boolean): Changeset | null {
  const { state } = view;
  const line = state.doc.lineAt(head);
  const marker = markerAt(documentOf(state), line.from);
  if (line.length > LONGEST_LINE || formatOf(marker).code) return null;
  const start = marker ? line.from + 1 : line.from;
  const found = inlineShorthand(state.sliceDoc(start, head), state.sliceDoc(head, line.to));
  if (!found) return null;
  const [from, textFrom, textTo] = [found.from, found.textFrom, found.textTo].map(
    (place) => start + place,
  ) as [number, number, number];
  const [opening, inner, closing] = [from, textTo - 1, head - 1].map((at) => formatsOf(state, at));
  // Characters in code are what they are.
  if (!closing || opening?.has('code') || closing.has('code')) return null;
  const { sets } = state.facet(writer);
  const out = new ChangeWriter(state).keepTo(from).deleteTo(textFrom);
  out.keepTo(textTo, sets.restyleOf(found.formats)).deleteTo(head);
  // What is typed next is outside of the marks.
  const ended = [...Object.keys(found.formats), ...(inner?.keys() ?? [])] as Inline[];
  const next = new Map([...ended.map((key) => [key, ''] as const), ...closing]);
  const made = out.finish();
  const after = {
    selection: EditorSelection.cursor(from + textTo - textFrom),
    effects: [setTypingFormats.of(next)],
  };
  edit(view, made, { kind: KIND, ...(isHere ? after : {}) });
  return made;
}

function formatsOf(state: EditorState, place: number): InlineFormats {
  const { runs, sets } = documentOf(state);
  return inlineFormats(sets.map(runs.at(place)));
}
