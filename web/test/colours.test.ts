// Colours of text and behind it: names, other spellings, and whether everybody can read them.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { COLOURS, colourOf, HIGHLIGHTS, nearestColour } from '../src/document/colours.ts';
import { formatChanges, inlineFormats } from '../src/document/inline.ts';
import { colourOfFile, highlightOfFile, inkShade, markShade } from '../src/document/shades.ts';

const TOKENS = readFileSync(join(import.meta.dirname, '../src/styles/tokens.css'), 'utf8');
const THEMES = ['light', 'dark'] as const;

function token(name: string, theme: (typeof THEMES)[number]): string {
  const [, light, dark] =
    new RegExp(`--${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(TOKENS) ?? [];
  if (!light || !dark) throw new Error(`no colour --${name}`);
  return theme === 'light' ? light : dark;
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

describe('colours', () => {
  test.each(THEMES)('all text is readable on all markers, %s', (theme) => {
    const inks = ['text', 'accent', ...COLOURS.map((name) => `ink-${name}`)];
    const grounds = ['surface', ...HIGHLIGHTS.map((name) => `mark-${name}`)];
    for (const ink of inks) {
      for (const ground of grounds) {
        const found = contrast(token(ink, theme), token(ground, theme));
        expect(found, `${ink} on ${ground}`).toBeGreaterThanOrEqual(4.5);
      }
    }
  });

  test.each([
    ['red', 'red'],
    ['#e01020', 'red'],
    ['#000000', 'black'],
    ['#888888', 'gray'],
    ['#1155cc', 'blue'],
    ['rgb(0, 128, 0)', 'green'],
    ['rgb(255 165 0 / 1)', 'orange'],
    ['#9900ff', 'purple'],
    ['teal', null],
    ['', null],
  ])('text in %j is shown as %j', (value, name) => {
    expect(nearestColour(value)).toBe(name);
  });

  test.each([
    ['#ffff00', 'yellow'],
    ['#d9ead3', 'green'],
    ['#eeeeee', null],
    ['#00ff00', 'green'],
    ['rgb(255, 0, 255)', 'pink'],
    ['#ffffff', null],
    ['rgba(255, 255, 0, 0)', null],
    ['transparent', null],
  ])('%j behind text is shown as %j', (value, name) => {
    expect(highlightOfFile(value)).toBe(name);
  });

  test('what is copied is read as what it was', () => {
    for (const name of HIGHLIGHTS) expect(highlightOfFile(markShade(name) ?? '')).toBe(name);
    for (const name of COLOURS) expect(colourOfFile(inkShade(name) ?? '', true)).toBe(name);
  });

  test.each(['color', 'colors', 'color:red', 'color_red'])('%s is read and replaced', (key) => {
    const attributes = new Map([[key, /[:_]/.test(key) ? 'true' : 'red']]);
    expect(colourOf(attributes)).toBe('red');
    const changes = formatChanges(attributes, [['color', 'blue']]);
    const after = new Map([...attributes, ...Object.entries(changes)]);
    expect([...after].filter(([, value]) => value)).toEqual([['color', 'blue']]);
  });

  test('text is not up and down at once, and what is not known is no format', () => {
    expect(formatChanges(new Map([['sup', 'true']]), [['sub', 'true']])).toEqual({
      sub: 'true',
      sup: '',
    });
    const foreign = { highlight: 'mauve', color: 'none', 'font-size': '20px', other: 'x' };
    expect([...inlineFormats(new Map(Object.entries(foreign)))]).toEqual([]);
  });
});
