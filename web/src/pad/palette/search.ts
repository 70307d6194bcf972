// Finding things by words of their names, as they come to mind.
//
// Invariant: pure. Every word of the query is in what is found; the closest is first.

export interface Searchable {
  readonly label: string;
  // Other words it is known by, which count less.
  readonly words?: string;
}

export function plain(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

// Without `loose` only what words begin with counts.
export function search<T extends Searchable>(
  items: readonly T[],
  query: string,
  loose = true,
): T[] {
  const words = plain(query).split(/\s+/u).filter(Boolean);
  return items
    .map((item, at) => ({ item, at, cost: costOf(item, words) }))
    .filter(({ cost }) => cost < (loose ? Number.POSITIVE_INFINITY : 4))
    .sort((a, b) => a.cost - b.cost || a.at - b.at)
    .map(({ item }) => item);
}

function costOf({ label, words = '' }: Searchable, query: readonly string[]): number {
  const names = plain(label);
  const others = plain(words);
  return query.reduce((sum, word) => {
    return sum + Math.min(wordCost(names, word), wordCost(others, word) + 1);
  }, 0);
}

// At the start, at the start of a word, inside of one, letters in this order.
function wordCost(text: string, word: string): number {
  const at = text.indexOf(word);
  if (at === 0) return 0;
  if (at > 0) return text.split(/[\s\-_:(]+/u).some((part) => part.startsWith(word)) ? 2 : 4;
  return word.length > 1 && isSubsequence(text, word) ? 8 : Number.POSITIVE_INFINITY;
}

function isSubsequence(text: string, word: string): boolean {
  let from = 0;
  for (const letter of word) {
    from = text.indexOf(letter, from) + 1;
    if (from === 0) return false;
  }
  return true;
}
