// Every language says everything, with the same places to fill, and nothing is said for nobody.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CODES, chooseLanguage, direction, nameOfLanguage } from '../src/i18n/languages.ts';
import { argumentNames, format } from '../src/i18n/message.ts';

const FOLDERS = { pads: '../locales', 'the admin area': '../src/admin/texts' };

describe.each(Object.entries(FOLDERS))('the languages of %s', (_, name) => {
  const folder = join(import.meta.dirname, name);
  const read = (code: string): Record<string, string> =>
    JSON.parse(readFileSync(join(folder, `${code}.json`), 'utf8'));
  const english = read('en');

  test('those in the menu are those that are there', () => {
    const files = readdirSync(folder).map((name) => name.replace('.json', ''));
    expect(files.sort()).toEqual(CODES);
  });

  for (const code of CODES) {
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

test.each(CODES)('guests have forty different names in %s', (code) => {
  const file = join(import.meta.dirname, FOLDERS.pads, `${code}.json`);
  const names = JSON.parse(readFileSync(file, 'utf8'))['guest.names'].split('|');
  expect([names.length, new Set(names).size]).toEqual([40, 40]);
});

describe('the language of a page', () => {
  test('has its own name in the menu', () => {
    const names = ['de', 'fr', 'pt-BR', 'ja'].map(nameOfLanguage);
    expect(names).toEqual(['Deutsch', 'Français', 'Português (Brasil)', '日本語']);
  });

  test('the first wish that can be met is met', () => {
    expect(chooseLanguage([undefined, 'tlh', 'fr-CA', 'de'])).toBe('fr');
    expect(chooseLanguage(['pt', 'ES'])).toBe('pt-BR');
    expect(chooseLanguage(['pt_BR'])).toBe('pt-BR');
    expect(chooseLanguage(['zh-CN'])).toBe('zh-Hans');
    expect(chooseLanguage(['zh-TW', 'de-AT'])).toBe('de');
    expect(chooseLanguage(['no such', 'nl'])).toBe('nl');
    expect(chooseLanguage([null, ''])).toBe('en');
    expect(chooseLanguage(['arc'])).toBe('en');
    expect([direction('ar'), direction('he-IL'), direction('ja')]).toEqual(['rtl', 'rtl', 'ltr']);
  });
});

describe('sentences', () => {
  test('take values, numbers in the manner of the language', () => {
    expect(format('Hello {name}', { name: 'Ada {x}' }, 'en')).toBe('Hello Ada {x}');
    expect(format('{n}', { n: 1234.5 }, 'de')).toBe('1.234,5');
    expect(format('no places', {}, 'en')).toBe('no places');
  });

  test('choose by number: exact ones first, then the rules of the language', () => {
    const people = '{n, plural, =0 {nobody} one {# person} other {# people: {names}}}';
    expect(format(people, { n: 0 }, 'en')).toBe('nobody');
    expect(format(people, { n: 1 }, 'en')).toBe('1 person');
    expect(format(people, { n: 2000, names: 'A' }, 'en')).toBe('2,000 people: A');
    const arabic = '{n, plural, two {2} few {f} many {m} other {o}}';
    expect([2, 3, 11, 100].map((n) => format(arabic, { n }, 'ar'))).toEqual(['2', 'f', 'm', 'o']);
  });

  test('choose by word', () => {
    const kind = '{kind, select, chat {in the chat} other {somewhere}}';
    expect(format(kind, { kind: 'chat' }, 'en')).toBe('in the chat');
    expect(format(kind, { kind: 'x' }, 'en')).toBe('somewhere');
  });

  test('that cannot be read are shown as they stand', () => {
    for (const odd of ['{', 'a } b', '{n, plural, one {x}', '{n, nonsense, x {y}}']) {
      expect(format(odd, { n: 1 }, 'en')).toBe(odd);
    }
  });
});
