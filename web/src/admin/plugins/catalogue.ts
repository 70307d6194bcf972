// The catalogue of Etherpad's plugins, as the server tells it: searched, sorted, a page at a time.

export const PAGE = 50;

export interface Plugin {
  name: string;
  description: string | null;
  version: string | null;
  // When it was last changed, as the catalogue writes it.
  time: string | null;
  official: boolean;
  // What does its work here, if something does.
  builtIn: string | null;
}

export interface Catalogue {
  // The setting because of which nothing was asked.
  off?: string;
  address?: string;
  problem?: string | null;
  // In milliseconds since 1970.
  fetched?: number | null;
  plugins?: readonly Plugin[];
}

export type Sort = 'name' | 'updated' | 'here';

export function select(
  plugins: readonly Plugin[],
  wish: { search: string; sort: Sort; descending: boolean },
): Plugin[] {
  const words = wish.search.toLowerCase().split(/\s+/).filter(Boolean);
  const found = plugins.filter(({ name, description }) => {
    const text = `${name} ${description ?? ''}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const sign = wish.descending ? -1 : 1;
  return found.sort((a, b) => sign * compare(a, b, wish.sort) || (a.name < b.name ? -1 : 1));
}

function compare(a: Plugin, b: Plugin, sort: Sort): number {
  if (sort === 'name') return a.name < b.name ? -1 : 1;
  if (sort === 'updated') return changed(a) - changed(b);
  return Number(b.builtIn !== null) - Number(a.builtIn !== null);
}

// Those that do not say are the oldest.
export function changed({ time }: Plugin): number {
  const at = Date.parse(time ?? '');
  return Number.isNaN(at) ? 0 : at;
}
