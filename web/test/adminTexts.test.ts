// The sentences of the admin area: all there in every language, with the same places to fill.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { LANGUAGES } from '../src/i18n/languages.ts';
import { argumentNames, format } from '../src/i18n/message.ts';

const FOLDER = join(import.meta.dirname, '../src/admin/texts');
const read = (code: string): Record<string, string> =>
  JSON.parse(readFileSync(join(FOLDER, `${code}.json`), 'utf8'));
const english = read('en');

describe('the languages of the admin area', () => {
  test('are those of the pads', () => {
    const files = readdirSync(FOLDER).map((name) => name.replace('.json', ''));
    expect(files.sort()).toEqual(LANGUAGES.map(({ code }) => code).sort());
  });

  for (const { code } of LANGUAGES) {
    test(`${code} is complete, has a place for every value, and can count`, () => {
      const own = read(code);
      expect(Object.keys(own)).toEqual(Object.keys(english));
      for (const [key, sentence] of Object.entries(own)) {
        expect(sentence, key).not.toBe('');
        const names = [...argumentNames(sentence)].sort();
        expect(names, `${code} ${key}`).toEqual([...argumentNames(english[key] ?? '')].sort());
        for (const number of [0, 1, 2, 5, 11, 100]) {
          const values = Object.fromEntries(names.map((name) => [name, number]));
          expect(format(sentence, values, code), `${key} ${number}`).not.toMatch(/[{}#]/);
        }
      }
    });
  }
});
