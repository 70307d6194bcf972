// Sentences with places to fill, in a small part of ICU's notation:
//
//   {name}
//   {count, plural, =0 {nobody} one {# person} other {# people}}
//   {kind, select, chat {…} other {…}}
//
// Invariant: pure, and the answer is plain text. A sentence that cannot be read is shown as it
// stands, because a page with one odd line is better than a page that stops.

export type Arguments = Readonly<Record<string, string | number>>;

type Part = string | { name: string; kind: 'argument' | 'plural' | 'select'; cases: Cases };
type Cases = Map<string, Part[]>;

export function format(message: string, values: Arguments, locale: string): string {
  if (!message.includes('{')) return message;
  try {
    return fill(parse(message), values, locale, '');
  } catch {
    return message;
  }
}

// The names a sentence has places for, so that translations can be compared with the original.
export function argumentNames(message: string): Set<string> {
  const names = new Set<string>();
  const look = (parts: Part[]): void => {
    for (const part of parts) {
      if (typeof part === 'string') continue;
      names.add(part.name);
      for (const inner of part.cases.values()) look(inner);
    }
  };
  look(parse(message));
  return names;
}

function fill(parts: Part[], values: Arguments, locale: string, count: string): string {
  return parts.map((part) => fillOne(part, values, locale, count)).join('');
}

function fillOne(part: Part, values: Arguments, locale: string, count: string): string {
  if (typeof part === 'string') return part.replaceAll('#', () => count || '#');
  const value = values[part.name] ?? '';
  const shown = typeof value === 'number' ? new Intl.NumberFormat(locale).format(value) : value;
  if (part.kind === 'argument') return shown;
  const chosen =
    part.kind === 'plural' ? pluralCase(part.cases, Number(value), locale) : `${value}`;
  const inner = part.cases.get(chosen) ?? part.cases.get('other') ?? [];
  return fill(inner, values, locale, part.kind === 'plural' ? shown : count);
}

function pluralCase(cases: Cases, value: number, locale: string): string {
  const exact = `=${value}`;
  return cases.has(exact) ? exact : new Intl.PluralRules(locale).select(value);
}

function parse(message: string): Part[] {
  let at = 0;

  const parts = (): Part[] => {
    const found: Part[] = [];
    while (at < message.length && message[at] !== '}') {
      if (message[at] === '{') found.push(place());
      else found.push(until(/[{}]/g));
    }
    return found;
  };

  const until = (stop: RegExp): string => {
    stop.lastIndex = at;
    const end = stop.exec(message)?.index ?? message.length;
    const text = message.slice(at, end);
    at = end;
    return text;
  };

  const expect = (character: string): void => {
    if (message[at] !== character) throw new SyntaxError(`expected ${character} at ${at}`);
    at += 1;
  };

  const place = (): Part => {
    expect('{');
    const name = until(/[,}]/g).trim();
    if (message[at] === '}') {
      at += 1;
      return { name, kind: 'argument', cases: new Map() };
    }
    expect(',');
    const kind = until(/[,}]/g).trim();
    if (kind !== 'plural' && kind !== 'select') throw new SyntaxError(`unknown kind ${kind}`);
    expect(',');
    const cases: Cases = new Map();
    for (let word = until(/[{}]/g).trim(); word; word = until(/[{}]/g).trim()) {
      expect('{');
      cases.set(word, parts());
      expect('}');
    }
    expect('}');
    return { name, kind, cases };
  };

  const all = parts();
  if (at < message.length) throw new SyntaxError(`unexpected } at ${at}`);
  return all;
}
