// What counts as a change of the settings, and whom a problem concerns.

import { describe, expect, test } from 'vitest';
import { change, current, notesOf } from '../src/admin/settings/changes.ts';
import { found, type Row } from '../src/admin/settings/overview.ts';
import { permitted, translated } from '../src/admin/settings/texts.ts';

function row(parts: Partial<Row>): Row {
  return {
    key: 'mail.port',
    kind: 'whole',
    value: 587,
    next: 587,
    default: 587,
    allowed: '',
    help: 'The port.',
    variable: null,
    overruled: null,
    locked: false,
    given: false,
    written: null,
    placeholder: null,
    ...parts,
  };
}

describe('changes', () => {
  test('are kept only if the file would change', () => {
    const plain = row({});
    expect(change({}, plain, 25)).toEqual({ 'mail.port': 25 });
    expect(change({ 'mail.port': 25, title: 'A' }, plain, 587)).toEqual({ title: 'A' });
    expect(change({}, plain, null)).toEqual({});
    expect(change({ 'mail.port': 25 }, plain, undefined)).toEqual({});
    const given = row({ given: true, written: 26, next: 26 });
    expect(change({}, given, null)).toEqual({ 'mail.port': null });
    expect(change({}, given, 26)).toEqual({});
    // What a variable gives is something else than the same value, written.
    const filled = row({ given: true, written: `\${PORT:26}`, placeholder: 'PORT', next: 26 });
    expect(change({}, filled, 26)).toEqual({ 'mail.port': 26 });
    const secret = row({ kind: 'secret', given: true, next: '(hidden)' });
    expect(change({}, secret, '(hidden)')).toEqual({ 'mail.port': '(hidden)' });
  });

  test('are what is shown, and the default after going back to it', () => {
    const given = row({ given: true, written: 26, next: 26 });
    expect(current(given, {})).toBe(26);
    expect(current(given, { 'mail.port': 25 })).toBe(25);
    expect(current(given, { 'mail.port': null })).toBe(587);
    expect(current(row({ given: true, written: `\${A}`, placeholder: 'A', next: 7 }), {})).toBe(7);
  });
});

test('a problem is shown where its key or something inside of it is', () => {
  const notes = ['mail', 'mail.port', 'mail.portal', 'mail.port[0].x', 'mail.port.a', ''].map(
    (key) => ({ key, line: null, text: key }),
  );
  const keys = notesOf(row({}), notes).map(({ key }) => key);
  expect(keys).toEqual(['mail.port', 'mail.port[0].x', 'mail.port.a']);
});

test('settings are found by key and by help', () => {
  const sections = [
    { title: 'Mail', rows: [row({})] },
    { title: 'Other', rows: [row({ key: 'title', help: 'The name.' })] },
  ];
  const titles = (words: string): string[] => found(sections, words).map(({ title }) => title);
  expect(titles('PORT ')).toEqual(['Mail']);
  expect(titles('name')).toEqual(['Other']);
  expect(titles('')).toEqual(['Mail', 'Other']);
});

test('settings are found by what they are called in the language of the reader', () => {
  const rows = [row({}), row({ key: 'new.key' })];
  const texts = {
    sections: { Mail: 'E-Mail' },
    settings: { 'mail.port': { label: 'Mailport', help: 'Der Port.' } },
  };
  const sections = translated([{ title: 'Mail', rows }], texts, 'de');
  expect(found(sections, 'mailport')[0]).toMatchObject({
    heading: 'E-Mail',
    rows: [{ key: 'mail.port', help: 'Der Port.', lang: 'de' }],
  });
  // What nobody has translated yet is in the words of the server.
  expect(found(sections, 'new.key')[0]?.rows[0]).toEqual(row({ key: 'new.key' }));
});

test('a hint says what may be written where the field does not show it', () => {
  expect(permitted(row({ least: 1, most: 65535 }))).toBe('1 – 65535');
  expect(permitted(row({ kind: 'choice', options: ['a', 'b'] }))).toBe('a, b');
  expect(permitted(row({ kind: 'flag', allowed: 'true or false' }))).toBe('');
  expect(permitted(row({ kind: 'list', allowed: 'a list' }))).toBe('a list');
});
