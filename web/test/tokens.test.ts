// The colours of code in every language of the list.

import { expect, test } from 'vitest';
import { LANGUAGES, languageOf } from '../src/editor/codeBlocks.ts';
import { tokensOf } from '../src/editor/tokens.ts';

// A piece of code, and what must be told apart in it.
const CASES: Readonly<Record<string, readonly [code: string, tokens: Record<string, string>]>> = {
  c: ['int f() { return 1; } // x', { return: 'keyword', '1': 'number', '// x': 'comment' }],
  cpp: ['class A { }; /* x */', { class: 'keyword', '/* x */': 'comment' }],
  css: ['a { color: "x" } /* y */', { '"x"': 'string', '/* y */': 'comment' }],
  go: ['func f() { return "x" }', { func: 'keyword', '"x"': 'string' }],
  html: ['<a href="x">y</a><!-- z -->', { '"x"': 'string', '<!-- z -->': 'comment' }],
  java: ['class A { int x = 1; }', { class: 'keyword', '1': 'number' }],
  javascript: ['const x = `y`; // z', { const: 'keyword', '// z': 'comment' }],
  json: ['{"a": "b", "c": 1}', { '"b"': 'string', '1': 'number' }],
  python: ['def f(): return "x" # y', { def: 'keyword', '"x"': 'string', '# y': 'comment' }],
  rust: ['fn f() -> u8 { 1 } // x', { fn: 'keyword', '// x': 'comment' }],
  shell: ['if x; then echo "$y" 1; fi # z', { if: 'keyword', fi: 'keyword', '# z': 'comment' }],
  sql: [
    "SELECT a FROM b WHERE c = 'd' -- e",
    { SELECT: 'keyword', "'d'": 'string', '-- e': 'comment' },
  ],
  typescript: ['let x: number = 1', { let: 'keyword', number: 'typeName', '1': 'number' }],
};

test('every language of the list has a case', () => {
  expect(Object.keys(CASES)).toEqual(LANGUAGES.map(({ id }) => id));
});

test.each(Object.entries(CASES))('%s', async (id, [code, expected]) => {
  const tokens = await tokensOf(id);
  const found = new Map<string, string>();
  let last = 0;
  tokens(code, (from, to, name) => {
    expect(from).toBeGreaterThanOrEqual(last);
    last = to;
    found.set(code.slice(from, to), name);
  });
  for (const [word, kind] of Object.entries(expected)) {
    expect(found.get(word)?.split(' '), word).toContain(`tok-${kind}`);
  }
});

test('other spellings are read, and what is unknown has no colours', () => {
  expect(['JS', 'ts', 'c++', 'bash', 'py'].map((name) => languageOf(name)?.id)).toEqual([
    'javascript',
    'typescript',
    'cpp',
    'shell',
    'python',
  ]);
  expect(languageOf('klingon')).toBeNull();
});
