// The headings of a text and the sections under them.
//
// Invariant: found by the attributes, so that plain text costs nothing to look through. A slug is
// the name of a heading in addresses; equal headings are numbered from top to bottom. The server
// has the same rule, and both are held to `fixtures/convert/slugs.json`.

import { depthOf, formatOf, type Marked, markerAt } from './lines.ts';

export interface Heading {
  // Where its line starts.
  readonly from: number;
  // Where its line ends.
  readonly to: number;
  // 1 to 6.
  readonly level: number;
  readonly text: string;
  readonly slug: string;
}

const HEADING = /^h?[1-6]$/;
const LONGEST_TEXT = 200;
const LONGEST_SLUG = 80;
const UNNAMED = 'section';

export function headingsOf(document: Marked): Heading[] {
  const { text, runs, sets } = document;
  const found: Heading[] = [];
  const slugs = new Slugs();
  runs.between(0, text.length, (from, _to, id) => {
    if (!HEADING.test(sets.map(id).get('heading') ?? '')) return;
    const format = formatOf(markerAt(document, from));
    if (format.heading === 0 || depthOf(format) > 0) return;
    const line = text.lineAt(from);
    if (line.from !== from) return;
    const words = line.text.slice(1, LONGEST_TEXT + 1).trim();
    const { to } = line;
    found.push({ from, to, level: format.heading, text: words, slug: slugs.next(words) });
  });
  return found;
}

// How much is looked through at a time.
const STRIDE = 20_000;

// Where the section of a heading ends whose line ends at a place: before the newline in front of the
// next heading that is not deeper.
export function sectionEnd(document: Marked, lineEnd: number, level: number): number {
  const { text, runs, sets } = document;
  for (let at = lineEnd + 1; at < text.length; at += STRIDE) {
    let end = -1;
    runs.between(at, Math.min(at + STRIDE, text.length), (from, _to, id) => {
      if (end >= 0 || !HEADING.test(sets.map(id).get('heading') ?? '')) return;
      const format = formatOf(markerAt(document, from));
      const ends = format.heading > 0 && format.heading <= level && depthOf(format) === 0;
      if (ends && text.lineAt(from).from === from) end = from - 1;
    });
    if (end >= 0) return end;
  }
  return text.length;
}

// Gives each heading its name, from top to bottom.
export class Slugs {
  readonly #taken = new Set<string>();
  readonly #counts = new Map<string, number>();

  next(heading: string): string {
    const slug = slugOf(heading);
    let count = this.#counts.get(slug) ?? 1;
    let name = count === 1 ? slug : `${slug}-${count}`;
    while (this.#taken.has(name)) name = `${slug}-${++count}`;
    this.#counts.set(slug, count + 1);
    this.#taken.add(name);
    return name;
  }
}

export function slugOf(heading: string): string {
  const words = heading.toLowerCase().replace(/[^\p{Alphabetic}\p{N}]+/gu, '-');
  const short = [...words.replace(/^-/, '')].slice(0, LONGEST_SLUG).join('');
  return short.replace(/-$/, '') || UNNAMED;
}

// The heading after the section of another, subsections included; as many as there are if it is the last.
export function nextSection(headings: readonly Heading[], index: number): number {
  const level = headings[index]?.level ?? 0;
  const next = headings.findIndex((heading, at) => at > index && heading.level <= level);
  return next === -1 ? headings.length : next;
}

// The heading that a place is under; -1 before the first.
export function headingAt(headings: readonly Heading[], place: number): number {
  let [low, high] = [0, headings.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((headings[middle] as Heading).from <= place) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

// Where `Alt` and an arrow take a section: before which heading it goes. Its neighbour of the same
// parent is passed, or else the border of the parent; null at the ends.
export function stepTarget(headings: readonly Heading[], index: number, by: 1 | -1): number | null {
  const { level } = headings[index] as Heading;
  if (by < 0) {
    let before = index - 1;
    while (before > 0 && (headings[before] as Heading).level > level) before--;
    return before < 0 ? null : before;
  }
  const next = nextSection(headings, index);
  const passed = headings[next];
  if (!passed) return null;
  // Into the next section above it, or behind the next one of its own kind.
  return passed.level < level ? next + 1 : nextSection(headings, next);
}
