// What an element of pasted HTML says: about its line, and about the characters in it.
//
// Invariant: the same answers as the server's reader of files gives (`crates/convert/src/html/`); both
// are held to `fixtures/convert/clipboard.json`.

import { HIGHLIGHTS, nearestColour } from './colours.ts';
import { FAMILIES, SIZES } from './fonts.ts';
import type { Inline, InlineFormats, Toggle } from './inline.ts';
import {
  ALIGNMENTS,
  type Align,
  DEEPEST,
  type LineFormat,
  type ListKind,
  TASKS,
  type Task,
} from './lines.ts';
import { isSafeUrl } from './links.ts';
import { colourOfFile, highlightOfFile } from './shades.ts';

export type Style = ReadonlyMap<string, string>;

// Elements that are shown as lines of their own.
const BLOCKS = new Set(
  `ADDRESS ARTICLE ASIDE BLOCKQUOTE CAPTION CENTER DD DETAILS DIALOG DIV DL DT FIELDSET FIGCAPTION
  FIGURE FOOTER FORM H1 H2 H3 H4 H5 H6 HEADER HR LEGEND LI MAIN MENU NAV OL OPTION P PRE SECTION
  SUMMARY TABLE TR UL`.split(/\s+/),
);

const SILENT = new Set(
  `AUDIO CANVAS HEAD IFRAME META NOEMBED NOFRAMES NOSCRIPT OBJECT SCRIPT STYLE SVG TEMPLATE TITLE
  VIDEO`.split(/\s+/),
);

export const isBlock = (tag: string) => BLOCKS.has(tag);

// Whether nothing of an element is read: it is not shown, or is the bullet that a program has written
// out, or where Word says that a paragraph ends.
export function isSilent(element: Element, style: Style): boolean {
  const tag = element.tagName.toUpperCase();
  if (SILENT.has(tag) || element.hasAttribute('hidden')) return true;
  if (style.get('display') === 'none' || isWordSymbol(style)) return true;
  if (/(?:^|\s)(?:Numbering_20_Symbols|Bullet_20_Symbols|EOP)(?:\s|$)/.test(element.className)) {
    return true;
  }
  return tag === 'O:P' && !element.textContent?.trim();
}

// The name under which an element's style is parsed.
export const STYLE = 'pad-style';

// Read as text: the policy of the page drops styles of what it parses.
export function styleOf(element: Element): Style {
  const style = element.getAttribute(STYLE) ?? element.getAttribute('style') ?? '';
  const declarations = style.toLowerCase().split(';');
  return new Map(
    declarations.map((declaration) => {
      const at = declaration.indexOf(':');
      return [declaration.slice(0, at).trim(), declaration.slice(at + 1).trim()] as const;
    }),
  );
}

const classes = (element: Element) => (element.getAttribute('class') ?? '').split(/\s+/);

export function alignOf(element: Element, style: Style): Align | null {
  const value = style.get('text-align') ?? element.getAttribute('align') ?? '';
  const word = value.split(/\s/)[0]?.toLowerCase();
  return ALIGNMENTS.find((align) => align === word) ?? null;
}

// Whether spaces and line ends count; null if an element does not say.
export function keepsSpaces(tag: string, style: Style): boolean | null {
  const value = style.get('white-space') ?? style.get('white-space-collapse');
  if (tag === 'PRE' || (value && /^(?:pre|break-spaces)/.test(value))) return true;
  return value && /^(?:normal|nowrap|collapse)/.test(value) ? false : null;
}

// The language of code, by a class such as `language-rust`.
export function languageOf(element: Element, prefixes = /^lang(?:uage)?-(.*)$/): string | null {
  for (const word of classes(element)) {
    const [, name = ''] = prefixes.exec(word) ?? [];
    if (/^[\w+#.-]{1,32}$/.test(name)) return name;
  }
  return null;
}

// The language that the box around code names, as GitHub writes it.
export const boxLanguage = (element: Element) => languageOf(element, /^highlight-source-(.*)$/);

// The list of a `ul` or `ol` below so many others.
export function listOf(element: Element, style: Style, depth: number): LineFormat['list'] {
  const names = element.getAttribute('class') ?? '';
  const [, kind, level] = /(?:^|\s)list-(bullet|number|indent)(\d+)(?:\s|$)/.exec(names) ?? [];
  if (kind) return listAt(kind as ListKind, Number(level));
  if (element.tagName === 'OL') return listAt('number', depth + 1);
  return listAt(isIndent(element, style) ? 'indent' : 'bullet', depth + 1);
}

export function listAt(kind: ListKind, level: number): LineFormat['list'] {
  return { kind, level: Math.min(Math.max(level, 1), DEEPEST) };
}

// Whether a list only indents: its class or style says so, or that of the first list in it that has
// a class.
function isIndent(element: Element, style: Style): boolean {
  if (/^none\b/.test(style.get('list-style-type') ?? style.get('list-style') ?? '')) return true;
  const names = element.getAttribute('class');
  if (names !== null) return names.includes('indent');
  const inner = [...element.children].find((child) => child.tagName === 'UL' && child.className);
  return inner?.className.includes('indent') ?? false;
}

// How deep an item says to be itself.
export function levelOf(item: Element): number {
  return numberIn(item, 'aria-level') ?? numberIn(item, 'data-aria-level') ?? 0;
}

export function numberIn(element: Element, attribute: string): number | null {
  const value = element.getAttribute(attribute)?.trim() ?? '';
  return /^\d{1,10}$/.test(value) && Number(value) < 2 ** 32 ? Number(value) : null;
}

// Whether an item is a task: by its class, or as an attribute says it.
export function taskOf(item: Element): Task | null {
  const key = classes(item).find((word) => word in TASKS);
  if (key) return TASKS[key] ?? null;
  const checked = item.getAttribute('role') === 'checkbox' && item.getAttribute('aria-checked');
  const value = checked || item.getAttribute('data-checked');
  return value ? (value === 'true' ? 'done' : 'open') : null;
}

// A box in front of a task, or what stands for one.
export function boxOf(element: Element): Task | null {
  if (element.tagName === 'INPUT') {
    if (element.getAttribute('type') !== 'checkbox') return null;
    return element.hasAttribute('checked') ? 'done' : 'open';
  }
  const words = classes(element);
  if (words.includes('checkbox-on')) return 'done';
  return words.includes('checkbox-off') ? 'open' : null;
}

export const isWordSymbol = (style: Style) => style.get('mso-list') === 'ignore';

// A paragraph that Word means as an item.
export function wordItem(element: Element, style: Style) {
  const [, level] = /(?:^|\s)level(\d{1,2})(?:\s|$)/.exec(style.get('mso-list') ?? '') ?? [];
  if (!level) return null;
  const symbols = [...element.querySelectorAll(`[style], [${STYLE}]`)];
  const symbol = symbols.find((each) => isWordSymbol(styleOf(each)))?.textContent?.trim() ?? '';
  const [, counter = ''] = /^([a-z0-9.]+?)[.)]+$/i.exec(symbol) ?? [];
  if (!counter) return { list: listAt('bullet', Number(level)), start: null };
  const last = counter.split('.').at(-1) ?? '';
  const number = /^\d{1,10}$/.test(last) ? Number(last) : 0;
  return { list: listAt('number', Number(level)), start: number > 0 ? number : null };
}

export const isWordQuote = (element: Element) =>
  /(?:^|\s)Mso(?:Intense)?Quote/.test(element.getAttribute('class') ?? '');

const TOGGLE_TAGS: Readonly<Record<string, Toggle>> = {
  B: 'bold',
  STRONG: 'bold',
  I: 'italic',
  EM: 'italic',
  U: 'underline',
  INS: 'underline',
  S: 'strikethrough',
  DEL: 'strikethrough',
  STRIKE: 'strikethrough',
  CODE: 'code',
  TT: 'code',
  KBD: 'code',
  SAMP: 'code',
  SUB: 'sub',
  SUP: 'sup',
};

// The formats of the characters in an element; `isDone` in an item that is done, which is struck
// through because it is.
export function formatsOf(element: Element, style: Style, outer: InlineFormats, isDone: boolean) {
  const tag = element.tagName;
  const formats = new Map(outer);
  const set = (format: Inline, on: boolean) =>
    on ? formats.set(format, 'true') : formats.delete(format);
  const url = tag === 'A' && addressOf(element);
  if (url) formats.set('url', url);
  const toggle = TOGGLE_TAGS[tag];
  if (toggle) set(toggle, true);
  const weight = style.get('font-weight') ?? '';
  if (/^(?:bold|[6-9]\d\d)/.test(weight)) set('bold', true);
  else if (/^(?:normal|lighter|[1-5]\d\d)/.test(weight)) set('bold', false);
  const slant = style.get('font-style') ?? '';
  if (/^(?:italic|oblique)/.test(slant)) set('italic', true);
  else if (slant.startsWith('normal')) set('italic', false);
  const place = style.get('vertical-align') ?? '';
  if (place === 'sub') set('sub', true);
  if (place === 'super') set('sup', true);
  const lines = `${style.get('text-decoration') ?? ''} ${style.get('text-decoration-line') ?? ''}`;
  // Links are underlined because they are links.
  if (/\bunderline\b/.test(lines) && !formats.has('url')) set('underline', true);
  if (/\bline-through\b/.test(lines) && !isDone) set('strikethrough', true);
  setColours(element, style, formats);
  setFont(element, style, formats);
  return formats;
}

function setColours(element: Element, style: Style, formats: Map<Inline, string>): void {
  const tag = element.tagName;
  const ink = style.get('color') ?? (tag === 'FONT' ? element.getAttribute('color') : null);
  const colour = colourOfFile(ink ?? '', formats.has('url'));
  // Headings have the colour of their page.
  if (colour && !/^H[1-6]$/.test(tag)) formats.set('color', colour);
  // Of blocks, a background is the look of a page.
  if (/^(?:SPAN|FONT|MARK)$/.test(tag)) {
    const behind = style.get('background-color') ?? style.get('background') ?? '';
    const highlight = highlightOfFile(behind) ?? (tag === 'MARK' ? 'yellow' : null);
    if (highlight) formats.set('highlight', highlight);
  }
  for (const word of classes(element)) {
    const [, key, value = ''] = /^(color|highlight):(.*)$/.exec(word) ?? [];
    const name = key === 'color' ? nearestColour(value) : HIGHLIGHTS.find((each) => each === value);
    if (key && name) formats.set(key as Inline, name);
  }
}

// Only by the words that pads write: other programs give all of their text a font and a size.
function setFont(element: Element, style: Style, formats: Map<Inline, string>): void {
  const family = FAMILIES.find((name) => name === style.get('font-family'));
  if (family && !formats.has('code')) formats.set('font-family', family);
  const words = classes(element);
  const size = Object.entries(SIZES).find(
    ([name, value]) => name === style.get('font-size') || words.includes(`font-size:${value}`),
  );
  if (size) formats.set('font-size', size[1]);
}

// A path would lead to this server instead of the one it was copied from.
function addressOf(element: Element): string | null {
  const url = element.getAttribute('href')?.trim() ?? '';
  return isSafeUrl(url) && !url.startsWith('/') ? url : null;
}

// Whether a text is a link to the address without saying so.
export function isWrittenOut(text: string, url: string): boolean {
  const isSame =
    text === url || (text.startsWith('www.') && url.replace(/^https?:\/\//, '') === text);
  return isSame && !/[^\w\-:@.,~%+/?=&#!;()[\]$'*\u00c0-\uffdc]|[:.,;?!)\]'*]$/.test(text);
}

// A picture that stands for a character says which one.
export function emojiOf(image: Element): string {
  const text = image.getAttribute('alt') ?? '';
  const isEmoji = text.length <= 16 && /^[\u200d-\u3299\ufe0f\u{1f000}-\u{1fbff}]+$/u.test(text);
  return isEmoji ? text : '';
}

// Whether something is lost with a picture: not with boxes of tasks, nor with those that only count
// readers.
export function isPicture(image: Element): boolean {
  if (image.getAttribute('aria-roledescription') === 'checkbox') return false;
  return !['0', '1'].includes(image.getAttribute('width') ?? '');
}
