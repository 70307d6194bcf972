// Readers of programming languages: what is a keyword, a text, a comment in a piece of code.
//
// Invariant: each parser is a file of its own. Shell and SQL have no parser that comes alone:
// patterns tell their words apart.

import { classHighlighter, highlightTree } from '@lezer/highlight';
import type { LRParser } from '@lezer/lr';

export type Visit = (from: number, to: number, name: string) => void;
// Visits the parts of a text that have a colour, from top to bottom.
export type Tokens = (text: string, visit: Visit) => void;

const PARSERS: Readonly<Record<string, () => Promise<LRParser>>> = {
  c: async () => (await import('@lezer/cpp')).parser,
  cpp: async () => (await import('@lezer/cpp')).parser,
  css: async () => (await import('@lezer/css')).parser,
  go: async () => (await import('@lezer/go')).parser,
  html: async () => (await import('@lezer/html')).parser,
  java: async () => (await import('@lezer/java')).parser,
  javascript: async () => (await import('@lezer/javascript')).parser.configure({ dialect: 'jsx' }),
  json: async () => (await import('@lezer/json')).parser,
  python: async () => (await import('@lezer/python')).parser,
  rust: async () => (await import('@lezer/rust')).parser,
  typescript: async () =>
    (await import('@lezer/javascript')).parser.configure({ dialect: 'ts jsx' }),
};

const SQL_WORDS =
  'add|all|alter|and|as|asc|begin|between|by|case|cast|check|column|commit|constraint|create|cross|default|delete|desc|distinct|drop|else|end|except|exists|false|foreign|from|full|group|having|if|in|index|inner|insert|intersect|into|is|join|key|left|like|limit|not|null|offset|on|or|order|outer|primary|references|returning|right|rollback|select|set|table|then|true|truncate|union|unique|update|using|values|view|when|where|with';
const SHELL_WORDS =
  'alias|break|case|continue|declare|do|done|elif|else|esac|eval|exec|exit|export|fi|for|function|if|in|local|readonly|return|select|set|shift|source|then|trap|unset|until|while';

// The name of the first group that matched is the kind of the token.
const PATTERNS: Readonly<Record<string, RegExp>> = {
  sql: new RegExp(
    `(?<comment>--[^\\n]*|/\\*[^]*?(?:\\*/|$))|(?<string>'(?:[^']|'')*'?)|(?<name>"[^"\\n]*"?|\`[^\`\\n]*\`?)|(?<number>\\b\\d+(?:\\.\\d+)?\\b)|(?<keyword>\\b(?:${SQL_WORDS})\\b)`,
    'gi',
  ),
  shell: new RegExp(
    `(?<comment>(?<=^|[\\s;])#[^\\n]*)|(?<string>'[^']*'?|"(?:[^"\\\\]|\\\\[^])*"?)|(?<variableName>\\$(?:\\w+|\\{[^}\\n]*\\}|[@#?$!*-]))|(?<keyword>(?<![\\w-])(?:${SHELL_WORDS})(?![\\w-]))|(?<number>(?<![\\w-])\\d+\\b)`,
    'gm',
  ),
};

function byPattern(pattern: RegExp): Tokens {
  return (text, visit) => {
    for (const { index, 0: word, groups } of text.matchAll(pattern)) {
      const kind = Object.entries(groups ?? {}).find(([, value]) => value !== undefined)?.[0];
      if (kind) visit(index, index + word.length, `tok-${kind}`);
    }
  };
}

export async function tokensOf(id: string): Promise<Tokens> {
  const pattern = PATTERNS[id];
  if (pattern) return byPattern(pattern);
  const parser = await PARSERS[id]?.();
  if (!parser) return () => {};
  return (text, visit) => highlightTree(parser.parse(text), classHighlighter, visit);
}
