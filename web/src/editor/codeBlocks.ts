// Code blocks: neighbouring lines of code in one language, and which language that is.

import type { EditorState } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { formatOf, markerAt } from '../document/lines.ts';
import { edit } from './apply.ts';
import { ChangeWriter } from './changeWriter.ts';
import { documentOf, writer } from './state.ts';

export interface Language {
  // As it is written in pads and files.
  readonly id: string;
  // The same in every language people speak.
  readonly name: string;
  // Other spellings that are read.
  readonly also: readonly string[];
}

const language = (id: string, name: string, ...also: string[]): Language => ({ id, name, also });

export const LANGUAGES: readonly Language[] = [
  language('c', 'C', 'h'),
  language('cpp', 'C++', 'c++', 'cc', 'hpp', 'cxx'),
  language('css', 'CSS'),
  language('go', 'Go', 'golang'),
  language('html', 'HTML', 'htm', 'xml', 'svg'),
  language('java', 'Java'),
  language('javascript', 'JavaScript', 'js', 'jsx', 'mjs'),
  language('json', 'JSON'),
  language('python', 'Python', 'py', 'python3'),
  language('rust', 'Rust', 'rs'),
  language('shell', 'Shell', 'sh', 'bash', 'zsh', 'console'),
  language('sql', 'SQL', 'mysql', 'postgresql', 'sqlite'),
  language('typescript', 'TypeScript', 'ts', 'tsx'),
];

// More than this is data: it is shown without colours, and changed only as far.
export const MOST_UNITS = 200_000;

export function languageOf(name: string): Language | null {
  const wanted = name.toLowerCase();
  return LANGUAGES.find(({ id, also }) => id === wanted || also.includes(wanted)) ?? null;
}

// The language of a line of code, '' if it says none; null for other lines.
export function codeLanguageAt(state: EditorState, from: number): string | null {
  const marker = markerAt(documentOf(state), from);
  return formatOf(marker).code ? (marker?.get('lang') ?? '') : null;
}

export interface CodeBlock {
  // Numbers of its first and last line.
  readonly first: number;
  readonly last: number;
  readonly from: number;
  readonly to: number;
  readonly language: string;
}

// The block that a line is in; null for lines that are no code, and for blocks that are too long.
export function codeBlockAt(state: EditorState, place: number): CodeBlock | null {
  const line = state.doc.lineAt(place);
  const language = codeLanguageAt(state, line.from);
  if (language === null) return null;
  let [first, last] = [line, line];
  const next = (number: number) => {
    if (number < 1 || number > state.doc.lines) return null;
    const other = state.doc.line(number);
    return codeLanguageAt(state, other.from) === language ? other : null;
  };
  for (let other = next(first.number - 1); other; other = next(first.number - 1)) {
    first = other;
    if (last.to - first.from > MOST_UNITS) return null;
  }
  for (let other = next(last.number + 1); other; other = next(last.number + 1)) {
    last = other;
    if (last.to - first.from > MOST_UNITS) return null;
  }
  return { first: first.number, last: last.number, from: first.from, to: last.to, language };
}

// Says of all lines of a block which language they are in; '' takes it away.
export function setLanguage(view: EditorView, place: number, value: string): boolean {
  const { state } = view;
  const block = codeBlockAt(state, place);
  if (!block || block.language === value) return false;
  const { sets } = state.facet(writer);
  const out = new ChangeWriter(state);
  for (let number = block.first; number <= block.last; number++) {
    const { from } = state.doc.line(number);
    out.keepTo(from).keepTo(from + 1, sets.restyleOf({ lang: value }));
  }
  return edit(view, out.finish(), { kind: `language ${value}`, scroll: false });
}
