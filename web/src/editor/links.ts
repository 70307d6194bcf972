// Links: addresses in the text are shown as such, links are opened with Ctrl or ⌘ and a click or Enter, and by a card.

import { type EditorState, type Extension, RangeSetBuilder } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  EditorView,
  keymap,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';
import { type Link, linkSpans } from '../document/links.ts';
import { documentOf } from './state.ts';

const SCHEMES = '(?:https?|ftps?|sftp|ssh|ircs?|nfs|svn|git)://|(?:mailto|tel|xmpp|geo|sips?):';
const MAIL =
  '(?<![\\p{L}\\p{N}._%+@/-])[\\p{L}\\p{N}._%+-]{1,64}@(?:[\\p{L}\\p{N}-]{1,63}\\.){1,8}\\p{L}{2,63}' +
  // Neither a part of something longer nor the start of a path of git.
  '(?![\\p{L}\\p{N}@_-]|[:/]\\S)';
const ADDRESS = new RegExp(`(?:${SCHEMES}|www\\.)[^\\s<>"'\`\\\\^{}|]+|${MAIL}`, 'giu');
const SCHEME = new RegExp(`^(?:${SCHEMES})`, 'i');
const TRAILING = /[.,;:!?*_~)\]}'"’”»]+$/u;
// Longer lines are shown without links: they are data, not prose.
const LONGEST_LINE = 10_000;

// The addresses in a line of text, positions counted from its start.
export function linksIn(text: string): Link[] {
  const links: Link[] = [];
  if (text.length > LONGEST_LINE) return links;
  for (const match of text.matchAll(ADDRESS)) {
    const before = text[match.index - 1];
    if (before && /[\p{L}\p{N}]/u.test(before)) continue;
    const address = trimmed(match[0]);
    if (/[:/.]$/.test(address)) continue;
    const href = completed(address);
    links.push({ from: match.index, to: match.index + address.length, href });
  }
  return links;
}

function completed(address: string): string {
  if (SCHEME.test(address)) return address;
  return /^www\./i.test(address) ? `https://${address}` : `mailto:${address}`;
}

// Punctuation at the end belongs to the sentence; a bracket only if none was opened.
function trimmed(address: string): string {
  let text = address;
  for (;;) {
    const [tail] = TRAILING.exec(text) ?? [];
    if (!tail) return text;
    const last = tail.at(-1) ?? '';
    const opening = { ')': '(', ']': '[', '}': '{' }[last];
    if (opening && count(text, opening) >= count(text, last)) return text;
    text = text.slice(0, -1);
  }
}

function count(text: string, char: string): number {
  return text.split(char).length - 1;
}

const MARK = Decoration.mark({ class: 'pad-link' });

function draw(view: EditorView): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  for (const { from, to } of view.visibleRanges) {
    for (let line = view.state.doc.lineAt(from); ; line = view.state.doc.line(line.number + 1)) {
      for (const link of linksIn(line.text)) {
        builder.add(line.from + link.from, line.from + link.to, MARK);
      }
      if (line.to >= to || line.number === view.state.doc.lines) break;
    }
  }
  return builder.finish();
}

// The named link that a place is in or beside.
export function namedLinkAt(state: EditorState, place: number): Link | null {
  const line = state.doc.lineAt(place);
  const spans = linkSpans(documentOf(state), line.from, line.to);
  return spans.find(({ from, to }) => from <= place && place <= to) ?? null;
}

// The same of an address that is in the text itself; a name goes before it.
export function linkAt(state: EditorState, place: number): Link | null {
  const named = namedLinkAt(state, place);
  if (named) return named;
  const { from: start, text } = state.doc.lineAt(place);
  const column = place - start;
  const link = linksIn(text).find(({ from, to }) => from <= column && column <= to);
  return link ? { ...link, from: start + link.from, to: start + link.to } : null;
}

// The name of a heading on this very page that an address leads to.
export function headingOfPage(href: string): string | null {
  if (!URL.canParse(href, document.baseURI)) return null;
  const { origin, pathname, hash } = new URL(href, document.baseURI);
  const here = origin === location.origin && pathname === location.pathname;
  return here && hash.length > 1 ? hash : null;
}

function open(link: Link | null): boolean {
  const page = link && headingOfPage(link.href);
  // Listened to by those who go to the heading.
  if (page) location.hash = page;
  else if (link) window.open(link.href, '_blank', 'noopener,noreferrer');
  return link !== null;
}

export const links: Extension = [
  ViewPlugin.define(
    (view) => ({
      decorations: draw(view),
      update(update: ViewUpdate) {
        if (update.docChanged || update.viewportChanged) this.decorations = draw(update.view);
      },
    }),
    { decorations: (plugin) => plugin.decorations },
  ),
  EditorView.domEventHandlers({
    click(event, view) {
      const wanted = event.ctrlKey || event.metaKey || view.state.readOnly;
      const on = event.target instanceof Element && event.target.closest('.pad-link') !== null;
      if (!wanted || !on || event.button !== 0) return false;
      const place = view.posAtCoords({ x: event.clientX, y: event.clientY });
      return place !== null && open(linkAt(view.state, place));
    },
  }),
  keymap.of([
    { key: 'Mod-Enter', run: ({ state }) => open(linkAt(state, state.selection.main.head)) },
  ]),
];
