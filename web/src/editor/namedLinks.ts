// Making, changing and removing named links.

import { EditorSelection, type EditorState } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { edit } from './apply.ts';
import { ChangeWriter } from './changeWriter.ts';
import { commonFormats, restyle, stretches } from './formatting.ts';
import { linkAt, namedLinkAt } from './links.ts';
import { formatsAt, writeText } from './typed.ts';

const KIND = 'link';

// A link as one edits it.
export interface LinkDraft {
  // Null for the words of several lines, which only get an address.
  readonly text: string | null;
  readonly url: string;
  readonly exists: boolean;
}

// What a link would be about: the selection, or the link that the caret is in.
function target(state: EditorState): { from: number; to: number } {
  const { main } = state.selection;
  return main.empty ? (linkAt(state, main.head) ?? main) : main;
}

export function linkDraft(state: EditorState): LinkDraft {
  const { from, to } = target(state);
  const parts = stretches(state, from, to);
  const named = commonFormats(state, parts).get('url');
  const inText = from < to ? linkAt(state, from) : null;
  const url = named ?? (inText?.from === from && inText.to === to ? inText.href : '');
  const [only] = parts;
  const text = parts.length > 1 ? null : only ? state.sliceDoc(...only) : '';
  return { text, url, exists: named !== undefined };
}

export function setLink(view: EditorView, text: string | null, url: string): boolean {
  const { state } = view;
  const { from, to } = target(state);
  const parts = stretches(state, from, to);
  const [only] = parts;
  const same = text === null || (only && parts.length === 1 && state.sliceDoc(...only) === text);
  if (same) return restyle(view, parts, { url }, KIND);
  const [start, end] = only ?? [from, from];
  const words = text || url;
  const formats = new Map(only ? commonFormats(state, parts) : formatsAt(state, start));
  const out = new ChangeWriter(state).keepTo(start).deleteTo(end);
  writeText(out, state, words, formats.set('url', url));
  const selection = EditorSelection.cursor(start + words.length);
  return edit(view, out.finish(), { kind: KIND, selection });
}

export function removeLink(view: EditorView): boolean {
  const { main } = view.state.selection;
  const { from, to } = main.empty ? (namedLinkAt(view.state, main.head) ?? main) : main;
  return restyle(view, stretches(view.state, from, to), { url: '' }, KIND);
}
