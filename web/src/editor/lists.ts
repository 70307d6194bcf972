// Lists, tasks and headings: what changes a line as a whole.
//
// Invariant: after every edit here the numbers of ordered items are stored as other programs expect
// them; what is shown is counted separately.

import { EditorSelection, type EditorState, type Line } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import type { Attribute } from '../changeset/index.ts';
import {
  type Align,
  DEEPEST,
  depthOf,
  formatOf,
  type LineFormat,
  listValue,
  markerAt,
  PLAIN,
  storedStarts,
  TASKS,
  type Task,
  taskList,
} from '../document/lines.ts';
import { edit } from './apply.ts';
import { ChangeWriter } from './changeWriter.ts';
import { documentOf, setTypingFormats, writer } from './state.ts';
import { formatsAt, ownAttribs, writeText } from './typed.ts';

export interface LineChange {
  // Of plugins; empty ones are taken away.
  readonly others?: Readonly<Record<string, string>>;
  readonly list?: LineFormat['list'];
  readonly heading?: number;
  readonly task?: Task | null;
  readonly code?: boolean;
  readonly quote?: boolean;
  readonly rule?: boolean;
  readonly align?: Align | null;
  // The number of an item, and the language of code.
  readonly start?: number;
  readonly lang?: string;
}

const KIND = 'lines';
// How far to look for the ends of a list.
const FARTHEST = 2_000;

export function selectedLines(state: EditorState): Line[] {
  const { from, to } = state.selection.main;
  const lines: Line[] = [];
  for (let at = from; at <= to; ) {
    const line = state.doc.lineAt(at);
    lines.push(line);
    at = line.to + 1;
  }
  return lines;
}

// Changes the selected lines, each as `decide` says.
export function changeLines(
  view: EditorView,
  decide: (format: LineFormat, line: Line) => LineChange,
): boolean {
  const { state } = view;
  const lines = selectedLines(state);
  const out = new ChangeWriter(state);
  const document = documentOf(state);
  for (const line of lines) {
    const change = decide(formatOf(markerAt(document, line.from)), line);
    writeLineChange(out, state, line.from, change);
  }
  const changed = edit(view, out.finish(), { kind: KIND });
  const numbers = lines.map((line) => line.number);
  if (changed) renumber(view, numbers, (number) => beginsList(state, number));
  return changed;
}

export function writeLineChange(
  out: ChangeWriter,
  state: EditorState,
  from: number,
  change: LineChange,
): void {
  const { sets } = state.facet(writer);
  const marker = markerAt(documentOf(state), from);
  const wanted = attributesOf(change);
  if (!marker) {
    const attributes = newMarker(change);
    if (attributes.length > 0) out.keepTo(from).insert('*', ownAttribs(state, attributes));
    return;
  }
  const after = new Map(marker);
  for (const [key, value] of Object.entries(wanted)) {
    if (value === '') after.delete(key);
    else after.set(key, value);
  }
  const needed = [...after.keys()].some(
    (key) => !['author', 'lmkr', 'insertorder', 'start'].includes(key),
  );
  out.keepTo(from);
  if (!needed) {
    out.deleteTo(from + 1);
    return;
  }
  const differing = Object.entries(wanted).filter(
    ([key, value]) => (marker.get(key) ?? '') !== value,
  );
  out.keepTo(from + 1, sets.restyleOf(Object.fromEntries(differing)));
}

// The attributes of the marker that makes a plain line such a line; none if it stays plain.
export function newMarker(change: LineChange): Attribute[] {
  const attributes = Object.entries(attributesOf(change)).filter(([, value]) => value !== '');
  return attributes.length > 0 ? [...MARKER, ...attributes] : [];
}

const MARKER = [
  ['insertorder', 'first'],
  ['lmkr', '1'],
] as const;

function attributesOf(change: LineChange): Record<string, string> {
  const { list, heading, task, code, quote, rule, align, start, lang } = change;
  const attributes: Record<string, string> = {};
  if (list !== undefined) attributes.list = list ? listValue(list.kind, list.level) : '';
  if (list === null) attributes.start = '';
  if (start !== undefined) attributes.start = String(start);
  if (task !== undefined) Object.assign(attributes, taskAttributes(task));
  // Code is a kind of heading to other programs.
  if (heading || code === false) attributes.lang = '';
  if (heading !== undefined || code !== undefined) {
    attributes.heading = heading ? `h${heading}` : code ? 'code' : '';
  }
  if (quote !== undefined) attributes.quote = quote ? 'true' : '';
  if (rule !== undefined) attributes.hr = rule ? 'true' : '';
  if (align !== undefined) attributes.align = align ?? '';
  if (lang !== undefined) attributes.lang = lang;
  return Object.assign(attributes, change.others);
}

function taskAttributes(task: Task | null): Record<string, string> {
  const written = Object.keys(TASKS).find((key) => TASKS[key] === task);
  return Object.fromEntries(Object.keys(TASKS).map((key) => [key, key === written ? key : '']));
}

export function toggleList(view: EditorView, kind: 'bullet' | 'number'): boolean {
  const document = documentOf(view.state);
  const formats = selectedLines(view.state).map((line) => formatOf(markerAt(document, line.from)));
  const all = formats.every((format) => format.list?.kind === kind && !format.task);
  return changeLines(view, (format) => {
    const level = depthOf(format) || 1;
    if (!all) return { list: { kind, level }, heading: 0, code: false, task: null };
    // Off: what is deeper stays where it is, without bullet or number.
    return { list: level > 1 ? { kind: 'indent', level } : null };
  });
}

export function toggleTasks(view: EditorView): boolean {
  const document = documentOf(view.state);
  const lines = selectedLines(view.state);
  const all = lines.every((line) => formatOf(markerAt(document, line.from)).task);
  return changeLines(view, (format) => {
    if (all) return { task: null };
    const list = taskList(depthOf(format));
    return { task: format.task ?? 'open', list, heading: 0, code: false };
  });
}

// Ticks the selected tasks, or unticks them if all are done.
export function tick(view: EditorView): boolean {
  const document = documentOf(view.state);
  const tasks = selectedLines(view.state)
    .map((line) => formatOf(markerAt(document, line.from)).task)
    .filter((task) => task !== null);
  if (tasks.length === 0) return false;
  const to = tasks.includes('open') ? 'done' : 'open';
  return changeLines(view, ({ task }) => (task ? { task: to } : {}));
}

// The task of one line, wherever the caret is.
export function tickAt(view: EditorView, place: number): boolean {
  const { state } = view;
  const { from } = state.doc.lineAt(place);
  const { task } = formatOf(markerAt(documentOf(state), from));
  if (!task) return false;
  const out = new ChangeWriter(state);
  writeLineChange(out, state, from, { task: task === 'open' ? 'done' : 'open' });
  return edit(view, out.finish(), { kind: KIND, scroll: false });
}

export function shiftLevel(view: EditorView, by: 1 | -1): boolean {
  return changeLines(view, (format) => {
    const { list, heading, task, code } = format;
    const level = Math.min(depthOf(format) + by, DEEPEST);
    if (level < 0 || heading > 0 || code) return {};
    if (task) return level === 0 ? { task: null } : { list: taskList(level) };
    return { list: level === 0 ? null : { kind: list?.kind ?? 'indent', level } };
  });
}

export function setHeading(view: EditorView, level: number): boolean {
  const change = { heading: level, code: false, quote: false };
  return changeLines(view, () => (level > 0 ? { ...change, list: null, task: null } : change));
}

// Tab: every line goes deeper, as far as it can. Out of the text lead Escape and then Tab, and
// Shift+Tab where nothing is indented.
export function indentWithTab(view: EditorView, by: 1 | -1): boolean {
  return shiftLevel(view, by) || (by > 0 && !view.state.readOnly);
}

// Enter: a list goes on, an empty item leaves it level by level, a heading ends. With `indents`, a
// plain line begins where the one before does, or deeper if that opens something.
export function newLine(view: EditorView, indents: boolean): boolean {
  const { state } = view;
  if (state.readOnly) return false;
  const { from, to } = state.selection.main;
  const line = state.doc.lineAt(from);
  const marker = markerAt(documentOf(state), line.from);
  const format = formatOf(marker);
  const { list, heading, code, quote, align } = format;
  const isItem = depthOf(format) > 0;
  const isEmpty = from === to && line.length === 1;
  if (isEmpty && ((quote && !isItem) || (code && endsCode(state, line)))) {
    return changeLines(view, () => ({ quote: false, code: false }));
  }
  if (isItem && isEmpty) return shiftLevel(view, -1);
  // What is written below a heading is not part of it.
  const goesOn = isItem || code || quote || (heading > 0 ? to < line.to : align !== null);
  const formats = formatsAt(state, from);
  const out = new ChangeWriter(state).keepTo(from).deleteTo(to);
  writeText(out, state, '\n');
  let caret = from + 1;
  if (goesOn && marker) {
    out.insert('*', ownAttribs(state, continued(marker)));
    const [blanks = ''] = code ? (/^[ \t]*/.exec(state.sliceDoc(line.from + 1, from)) ?? []) : [];
    writeText(out, state, blanks);
    caret += 1 + blanks.length;
  } else if (indents) {
    const before = state.sliceDoc(line.from, from);
    const [own = ''] = /^[ \t]*/.exec(before) ?? [];
    const spaces = /[[(:{]\s*$/.test(before) ? `${own}    ` : own;
    writeText(out, state, spaces);
    caret += spaces.length;
  }
  const change = removeMarkerAt(out, state, to);
  edit(view, change, {
    kind: KIND,
    selection: EditorSelection.cursor(caret),
    userEvent: 'input',
    // What was bold goes on being bold.
    effects: [setTypingFormats.of(formats)],
  });
  if (list) {
    renumber(view, [line.number, line.number + 1], (number) => beginsList(state, number));
  }
  return true;
}

// Two empty lines at the end of code are the way out of it.
function endsCode(state: EditorState, { number }: Line): boolean {
  const document = documentOf(state);
  const codeAt = (at: number) => {
    if (at < 1 || at > state.doc.lines) return null;
    const line = state.doc.line(at);
    return formatOf(markerAt(document, line.from)).code ? line : null;
  };
  return codeAt(number - 1)?.length === 1 && codeAt(number + 1) === null;
}

// The marker of the line that Enter begins: the next task is not done.
function continued(marker: ReadonlyMap<string, string>): Attribute[] {
  const attributes = new Map(marker);
  for (const key of ['author', 'start', ...Object.keys(TASKS)]) attributes.delete(key);
  const { task } = formatOf(marker);
  const next = Object.entries(task ? taskAttributes('open') : {}).filter(([, value]) => value);
  return [...attributes, ...next];
}

// What follows a deleted selection may be a line that had a marker of its own.
function removeMarkerAt(out: ChangeWriter, state: EditorState, place: number) {
  const line = state.doc.lineAt(place);
  const marked = line.from === place && markerAt(documentOf(state), place) !== null;
  return (marked ? out.deleteTo(place + 1) : out).finish();
}

// Backspace at the start of an item or heading: one level less, then plain text.
export function deleteMarkerBackward(view: EditorView): boolean {
  const { state } = view;
  const { head, empty } = state.selection.main;
  const line = state.doc.lineAt(head);
  const marker = markerAt(documentOf(state), line.from);
  if (!empty || !marker || head !== line.from + 1) return false;
  const format = formatOf(marker);
  const depth = depthOf(format);
  if (depth > 1) return shiftLevel(view, -1);
  const { heading, code, quote, rule, align } = format;
  if (depth || heading || code || quote || rule || align) {
    const { start: _, ...plain } = PLAIN;
    return changeLines(view, () => plain);
  }
  // A marker of which we know nothing goes with its line.
  return false;
}

// The format of a line that is an item with a bullet or a number.
export function listAt(state: EditorState, number: number): LineFormat | null {
  if (number < 1 || number > state.doc.lines) return null;
  const format = formatOf(markerAt(documentOf(state), state.doc.line(number).from));
  return format.list && format.list.kind !== 'indent' ? format : null;
}

export function beginsList(state: EditorState, number: number): boolean {
  return listAt(state, number) !== null && listAt(state, number - 1) === null;
}

// Renumbers ordered items in the lists around some lines. The first item of a list has its own number
// if `keeps` says so, and is 1 if not.
export function renumber(
  view: EditorView,
  lines: readonly number[],
  keeps: (line: number) => boolean,
  kind = KIND,
): void {
  const { state } = view;
  const { sets } = state.facet(writer);
  const numbers = lines.filter((number) => number <= state.doc.lines);
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  let first = least;
  while (listAt(state, first - 1) && least - first < FARTHEST) first--;
  let last = most;
  while (listAt(state, last + 1) && last - most < FARTHEST) last++;
  const out = new ChangeWriter(state);
  for (let number = first; number <= last; number++) {
    const block: LineFormat[] = [];
    for (; number <= last; number++) {
      const format = listAt(state, number);
      if (!format) break;
      block.push(format);
    }
    const begin = number - block.length;
    const starts = storedStarts(
      block.map(({ list }) => list ?? { kind: 'bullet', level: 1 }),
      keeps(begin) ? block[0]?.start : null,
    );
    block.forEach(({ list, start }, i) => {
      if (list?.kind !== 'number' || start === starts[i]) return;
      const { from } = state.doc.line(begin + i);
      out.keepTo(from).keepTo(from + 1, sets.restyleOf({ start: String(starts[i]) }));
    });
  }
  edit(view, out.finish(), { kind, scroll: false });
}
