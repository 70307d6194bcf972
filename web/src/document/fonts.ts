// Fonts and sizes of text: a few of each.
//
// Invariant: only those of the menu are written. Others, of pads from elsewhere, are shown as the one
// that is nearest; a size stays the number that it is when somebody types on.

export const FAMILIES = ['sans-serif', 'serif', 'monospace'] as const;
export type Family = (typeof FAMILIES)[number];

// By the words of CSS; in pixels of a page whose text has 16.
export const SIZES = { small: '12', large: '20', 'x-large': '28', 'xx-large': '40' } as const;
export type Size = keyof typeof SIZES;

const FAMILY_WORDS: readonly (readonly [Family, RegExp])[] = [
  ['monospace', /mono|courier|consol/],
  ['sans-serif', /sans|arial|helvet|calibri|avant/],
  ['serif', /serif|times|georgia|garam|palat|bookm/],
];
const SIZE_KEY = /^(?:font-size|sizes?|fs)(?::?(\d+))?$/;

export function nearestFamily(name: string): Family | null {
  for (const word of name.toLowerCase().split(',')) {
    const found = FAMILY_WORDS.find(([, pattern]) => pattern.test(word));
    if (found) return found[0];
  }
  return null;
}

// All attributes of a set that give its text a font. A plugin has a key for each of its own.
export function familyKeys(attributes: ReadonlyMap<string, string>): string[] {
  const isPlugins = (key: string) => /^font[a-z]/.test(key) && nearestFamily(key);
  return [...attributes.keys()].filter((key) => /^font-?family$/i.test(key) || isPlugins(key));
}

export function familyOf(attributes: ReadonlyMap<string, string>): Family | null {
  const named = attributes.get('font-family') || attributes.get('FontFamily');
  return nearestFamily(named || familyKeys(attributes)[0] || '');
}

export function sizeKeys(attributes: ReadonlyMap<string, string>): string[] {
  return [...attributes.keys()].filter((key) => SIZE_KEY.test(key)).sort();
}

// A number; null for none that text can have.
export function sizeOf(attributes: ReadonlyMap<string, string>): string | null {
  const [key] = sizeKeys(attributes);
  if (!key) return null;
  const number = SIZE_KEY.exec(key)?.[1] ?? attributes.get(key)?.replace('fs', '') ?? '';
  return /^\d+$/.test(number) && Number(number) >= 8 && Number(number) <= 60 ? number : null;
}

// The nearest one of the menu; null for the size that all text has.
export function sizeName(size: string | null | undefined): Size | null {
  const pixels = Number(size ?? 16);
  if (pixels < 18) return pixels < 14 ? 'small' : null;
  return pixels < 24 ? 'large' : pixels < 34 ? 'x-large' : 'xx-large';
}
