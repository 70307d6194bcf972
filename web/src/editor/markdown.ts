// Markdown as it is typed: what the characters before the caret make of a line or of some words.
//
// Invariant: pure, and cautious. What could as well be arithmetic, a name of a program or an address
// stays as it is; `fixtures/editor/markdown.json` has the cases.

import type { Inline } from '../document/inline.ts';
import { completeUrl } from '../document/links.ts';
import type { LineChange } from './lists.ts';

export interface InlineShorthand {
  // Where the marks begin and end, and what is between them.
  readonly from: number;
  readonly textFrom: number;
  readonly textTo: number;
  readonly formats: Readonly<Partial<Record<Inline, string>>>;
}

type Rule<T> = readonly [pattern: RegExp, result: (match: RegExpExecArray) => T];

// What a line becomes by characters at its start, with a blank behind them.
const AT_BLANK: readonly Rule<LineChange>[] = [
  [/^[-*]$/, () => ({ list: { kind: 'bullet', level: 1 } })],
  [
    /^(\d{1,3})[.)]$/,
    ([, start]) => ({ list: { kind: 'number', level: 1 }, start: Number(start) }),
  ],
  [/^#{1,6}$/, ([typed]) => ({ heading: typed.length })],
  [/^(?:[-*] ?)?\[ ?\]$/, () => ({ task: 'open' })],
  [/^(?:[-*] ?)?\[x\]$/i, () => ({ task: 'done' })],
  [/^>$/, () => ({ quote: true })],
];

// What a whole line becomes by Enter.
const AT_ENTER: readonly Rule<LineChange>[] = [
  [/^(?:`{3}|~{3})\s?([\w+#.-]{0,30})\s?$/, ([, lang = '']) => ({ code: true, lang })],
  [/^(?:-{3,}|\*{3,}|_{3,})$/, () => ({ rule: true })],
];

// No shorthand is longer.
export const LONGEST_SHORTHAND = 40;

function firstOf(rules: readonly Rule<LineChange>[], typed: string): LineChange | null {
  for (const [pattern, result] of rules) {
    const match = pattern.exec(typed);
    if (match) return result(match);
  }
  return null;
}

export const lineAtBlank = (typed: string) => firstOf(AT_BLANK, typed);
export const lineAtEnter = (typed: string) => firstOf(AT_ENTER, typed);

// By the marks on both sides.
const MARKS: Readonly<Record<string, Readonly<Partial<Record<Inline, string>>>>> = {
  '*': { italic: 'true' },
  _: { italic: 'true' },
  '**': { bold: 'true' },
  '***': { bold: 'true', italic: 'true' },
  '~~': { strikethrough: 'true' },
  '`': { code: 'true' },
  '``': { code: 'true' },
};

// The keys that can end a shorthand of words.
export const CLOSING = /^[*_~`)]$/;

// Scripts that are written without blanks between words.
const UNSPACED = '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Thai}\\p{sc=Hangul}';
const BEFORE_OPENING = new RegExp(
  `(?:^|[\\s\\p{Ps}\\p{Pi}"'—–,;:!?…*_~。、，：${UNSPACED}])$`,
  'u',
);
const WORD_BEHIND = /^[\p{L}\p{N}_]/u;
const UNSPACED_BEHIND = new RegExp(`^[${UNSPACED}]`, 'u');
const LINK = /(?<!!)\[([^[\]]+)\]\(([^()\s]+(?:\([^()\s]*\)[^()\s]*)*)\)$/u;

// What the words before the caret become by the mark that was typed last, if anything.
export function inlineShorthand(before: string, after: string): InlineShorthand | null {
  return before.endsWith(')') ? linkShorthand(before) : markShorthand(before, after);
}

function linkShorthand(before: string): InlineShorthand | null {
  const match = LINK.exec(before);
  if (!match) return null;
  const [, text = '', address = ''] = match;
  const url = completeUrl(address);
  const from = match.index;
  if (!url || text.trim() !== text || isInCode(before, from)) return null;
  return { from, textFrom: from + 1, textTo: from + 1 + text.length, formats: { url } };
}

function markShorthand(before: string, after: string): InlineShorthand | null {
  const char = before.slice(-1);
  const closing = runBefore(before, before.length, char);
  const mark = char.repeat(closing);
  const formats = MARKS[mark];
  const textTo = before.length - closing;
  const goesOn = WORD_BEHIND.test(after) && !UNSPACED_BEHIND.test(after);
  if (!formats || goesOn || after.startsWith(char) || /\s$/u.test(before.slice(0, textTo))) {
    return null;
  }
  for (let end = before.lastIndexOf(char, textTo - 1) + 1; end > 0; ) {
    const run = runBefore(before, end, char);
    const from = end - run;
    // What is between is neither empty nor begins with a blank.
    if (run === closing && end < textTo && /^\S/u.test(before.slice(end))) {
      const opens = BEFORE_OPENING.test(before.slice(0, from)) && !isInAddress(before, from);
      const inCode = char !== '`' && isInCode(before, from);
      return opens && !inCode ? { from, textFrom: end, textTo, formats } : null;
    }
    // Only what is no mark itself may stand between.
    if (char !== '`' && !isInert(before, from, end)) return null;
    end = from > 0 ? before.lastIndexOf(char, from - 1) + 1 : 0;
  }
  return null;
}

// With blanks on both sides: a sign, and no mark.
function isInert(text: string, from: number, end: number): boolean {
  return /(?:^|\s)$/u.test(text.slice(0, from)) && /^\s/u.test(text.slice(end));
}

function runBefore(text: string, end: number, char: string): number {
  let from = end;
  while (from > 0 && text[from - 1] === char) from--;
  return end - from;
}

// A mark of code that is still open.
function isInCode(text: string, from: number): boolean {
  return (text.slice(0, from).split('`').length - 1) % 2 === 1;
}

function isInAddress(text: string, from: number): boolean {
  return /(?::\/|\]\()\S*$/u.test(text.slice(0, from));
}
