// Fonts and sizes of text: every spelling, and what is written in place of it.

import { describe, expect, test } from 'vitest';
import { FAMILIES, nearestFamily, SIZES, sizeName } from '../src/document/fonts.ts';
import { formatChanges, inlineFormats } from '../src/document/inline.ts';

const formats = (attributes: Record<string, string>) =>
  Object.fromEntries(inlineFormats(new Map(Object.entries(attributes))));

describe('fonts', () => {
  test.each([
    [{ 'font-family': 'serif' }, { 'font-family': 'serif' }],
    [{ 'font-family': 'Georgia, Arial, serif' }, { 'font-family': 'serif' }],
    [{ FontFamily: 'Times New Roman' }, { 'font-family': 'serif' }],
    [{ 'fontavant-garde': 'true' }, { 'font-family': 'sans-serif' }],
    [{ fontmonospace: 'true' }, { 'font-family': 'monospace' }],
    [{ 'font-family': 'serif', fontarial: 'true' }, { 'font-family': 'serif' }],
    [{ 'font-size': '20' }, { 'font-size': '20' }],
    [{ fs14: 'true' }, { 'font-size': '14' }],
    [{ size: 'fs60' }, { 'font-size': '60' }],
    [{ sizes: '8' }, { 'font-size': '8' }],
    [{ 'size:30': 'true' }, { 'font-size': '30' }],
    [{ 'font-size:30': 'true', 'font-size': '12' }, { 'font-size': '12' }],
  ])('%j is read', (attributes, expected) => {
    expect(formats(attributes)).toEqual(expected);
  });

  test.each([
    { 'font-family': 'Wingdings' },
    { 'font-family': '"><script>' },
    { fontweight: 'true' },
    { 'font-size': '20px' },
    { 'font-size': '7' },
    { 'font-size': '61' },
    { 'font-size': '9999999999' },
    { 'font-size': '1e1' },
  ])('%j is none', (attributes) => {
    expect(formats(attributes)).toEqual({});
  });

  test('all spellings give way to the one that is written', () => {
    const old = new Map(
      Object.entries({ fontarial: 'true', FontFamily: 'x', fs14: 'true', size: '9', fontly: 'x' }),
    );
    expect(formatChanges(old, [['font-family', 'serif']])).toEqual({
      'font-family': 'serif',
      fontarial: '',
      FontFamily: '',
    });
    expect(formatChanges(old, [['font-size', '']])).toEqual({ fs14: '', size: '' });
    expect(formatChanges(new Map([['font-size', '20']]), [['font-size', '20']])).toEqual({});
  });

  test('those of the menu are themselves', () => {
    for (const family of FAMILIES) expect(nearestFamily(family)).toBe(family);
    for (const [name, size] of Object.entries(SIZES)) expect(sizeName(size)).toBe(name);
    expect([sizeName('16'), sizeName(null), sizeName('60')]).toEqual([null, null, 'xx-large']);
  });
});
