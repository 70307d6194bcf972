// The formats of characters that this page knows, by the names of their attributes.
//
// Invariant: one spelling is written; the spellings of other programs are read as well. What is not
// known here stays on the text untouched.

import { colourKeys, colourOf, highlightOf } from './colours.ts';
import { familyKeys, familyOf, sizeKeys, sizeOf } from './fonts.ts';
import { linkOf } from './links.ts';

// Those that are on or off.
export const TOGGLES = [
  'bold',
  'italic',
  'underline',
  'strikethrough',
  'code',
  'sub',
  'sup',
] as const;
export type Toggle = (typeof TOGGLES)[number];

// Those of which one value of several holds.
export const CHOICES = ['highlight', 'color', 'font-family', 'font-size'] as const;
export type Choice = (typeof CHOICES)[number];

export const INLINE = [...TOGGLES, ...CHOICES, 'url'] as const;
export type Inline = (typeof INLINE)[number];

// The value of each format that holds; `true` for those that are on or off.
export type InlineFormats = ReadonlyMap<Inline, string>;

export const NO_FORMATS: InlineFormats = new Map();

export const OPPOSITES: Readonly<Record<string, Toggle>> = { sub: 'sup', sup: 'sub' };

const known = new WeakMap<ReadonlyMap<string, string>, InlineFormats>();

// What a set of attributes means.
export function inlineFormats(attributes: ReadonlyMap<string, string>): InlineFormats {
  const before = known.get(attributes);
  if (before) return before;
  const formats = new Map<Inline, string>();
  for (const key of TOGGLES) if (attributes.get(key) === 'true') formats.set(key, 'true');
  const values = {
    highlight: highlightOf(attributes),
    color: colourOf(attributes),
    'font-family': familyOf(attributes),
    'font-size': sizeOf(attributes),
    url: linkOf(attributes),
  };
  for (const [key, value] of Object.entries(values)) if (value) formats.set(key as Inline, value);
  known.set(attributes, formats);
  return formats;
}

// Those that other programs have more keys for.
const KEYS: Partial<Record<string, (attributes: ReadonlyMap<string, string>) => string[]>> = {
  color: colourKeys,
  'font-family': familyKeys,
  'font-size': sizeKeys,
  url: () => ['hyperlink'],
};

// The attributes that change some formats of text that has a set of attributes; an empty value takes
// one away, in every spelling.
export function formatChanges(
  attributes: ReadonlyMap<string, string>,
  wanted: Iterable<readonly [string, string]>,
): Record<string, string> {
  const changes: Record<string, string> = {};
  const set = (key: string, value: string) => {
    if ((attributes.get(key) ?? '') !== value) changes[key] = value;
  };
  for (const [key, value] of wanted) {
    set(key, value);
    // Not up and down at once.
    if (value && key in OPPOSITES) set(OPPOSITES[key] ?? '', '');
    for (const other of KEYS[key]?.(attributes) ?? []) if (other !== key) set(other, '');
  }
  return changes;
}
