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

export const SORTS = ['name', 'updated', 'here'] as const;
export type Sort = (typeof SORTS)[number];

// Those that have all of the words, in the order of names, the newest first, or those first whose
// work is done here.
export function select(plugins: readonly Plugin[], search: string, sort: Sort): Plugin[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const found = plugins.filter(({ name, description }) => {
    const text = `${name} ${description ?? ''}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const rank = (plugin: Plugin): number => {
    if (sort === 'updated') return changed(plugin);
    return sort === 'here' && plugin.builtIn !== null ? 1 : 0;
  };
  return found.sort((a, b) => rank(b) - rank(a) || (a.name < b.name ? -1 : 1));
}

// Those that do not say are the oldest.
export function changed({ time }: Plugin): number {
  const at = Date.parse(time ?? '');
  return Number.isNaN(at) ? 0 : at;
}
