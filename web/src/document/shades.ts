// The colours of files: the shade that each name of ours has in HTML, and the name that a shade of
// another program comes nearest to.
//
// Invariant: the same tables and rules as the server's (`crates/convert/src/palette.rs`), except that
// text gets one of our names where an imported file keeps its own shade.

import { COLOURS, type Colour, HIGHLIGHTS, type Highlight, nearestColour } from './colours.ts';

// Each name with its shade in files, and what CSS means by the name.
type Shades<Name extends string> = Readonly<Record<Name, readonly [file: string, css: string]>>;

const INK_SHADES: Shades<Colour> = {
  black: ['#1a1a1a', '#1a1a1a'],
  gray: ['#5f6368', '#808080'],
  red: ['#c5221f', '#ff0000'],
  orange: ['#b45309', '#ffa500'],
  yellow: ['#8a6100', '#ffff00'],
  green: ['#137333', '#008000'],
  blue: ['#1a56db', '#0000ff'],
  purple: ['#7b1fa2', '#800080'],
};

const MARK_SHADES: Shades<Highlight> = {
  yellow: ['#fff3a3', '#ffff00'],
  green: ['#c8f0cd', '#00ff00'],
  blue: ['#cfe4ff', '#00ffff'],
  pink: ['#ffd3e2', '#ff00ff'],
  orange: ['#ffdfb8', '#ffa500'],
  purple: ['#e6d6ff', '#800080'],
};

export const inkShade = (name: string) => INK_SHADES[name as Colour]?.[0];
export const markShade = (name: string) => MARK_SHADES[name as Highlight]?.[0];

// Channels that differ by less look grey.
const GREY = 0x14;
const DARK = 0x80;

// The name for the colour of a text. Greys are what text without a colour looks like, and links have
// a colour of their own; there only our own shades count.
export function colourOfFile(value: string, inLink: boolean): Colour | null {
  const rgb = cssColour(value);
  if (!rgb) return null;
  const named = COLOURS.find((name) => {
    const [file, css] = INK_SHADES[name];
    return file === rgb || (css === rgb && !inLink);
  });
  if (named || inLink || spread(rgb) < GREY) return named ?? null;
  const nearest = nearestColour(rgb);
  return nearest === 'black' || nearest === 'gray' ? null : nearest;
}

// The marker nearest to a background. Greys, white and dark ones are none.
export function highlightOfFile(value: string): Highlight | null {
  const rgb = cssColour(value);
  if (!rgb) return null;
  const exact = HIGHLIGHTS.find((name) => MARK_SHADES[name][0] === rgb);
  if (exact) return exact;
  if (spread(rgb) < GREY || Math.max(...channels(rgb)) < DARK) return null;
  const hue = hueOf(rgb);
  if (hue < 15 || hue > 290) return 'pink';
  if (hue <= 42) return 'orange';
  if (hue <= 70) return 'yellow';
  if (hue <= 165) return 'green';
  return hue <= 250 ? 'blue' : 'purple';
}

// A colour as CSS writes it, as `#rrggbb`; null for what is not seen or not known.
export function cssColour(css: string): string | null {
  const value = css.trim().toLowerCase();
  if (/^#[\da-f]{3}$/.test(value)) return value.replace(/[\da-f]/g, '$&$&');
  if (/^#[\da-f]{6}$/.test(value)) return value;
  if (/^rgba?\(/.test(value)) {
    const [red, green, blue, opacity] = value.match(/[\d.]+/g) ?? [];
    const parts = [red, green, blue].map(Number);
    if (opacity === '0' || !parts.every((part) => Number.isInteger(part) && part < 256))
      return null;
    return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
  }
  if (value === 'black') return null;
  return INK_SHADES[value as Colour]?.[1] ?? MARK_SHADES[value as Highlight]?.[1] ?? null;
}

function channels(rgb: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(rgb.slice(at, at + 2), 16));
}

function spread(rgb: string): number {
  const parts = channels(rgb);
  return Math.max(...parts) - Math.min(...parts);
}

// In whole degrees, as the server counts them.
function hueOf(rgb: string): number {
  const [red = 0, green = 0, blue = 0] = channels(rgb);
  const most = Math.max(red, green, blue);
  const sixth = (first: number, second: number, from: number) =>
    from + Math.trunc((60 * (first - second)) / Math.max(spread(rgb), 1));
  if (most === red) return (sixth(green, blue, 0) + 360) % 360;
  return most === green ? sixth(blue, red, 120) : sixth(red, green, 240);
}
