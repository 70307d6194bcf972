// Addresses that name a heading: the page goes there, when it opens and whenever the name changes.

import type { Frame } from './frame.ts';

export function followHeadings({ live }: Frame): void {
  const go = async (): Promise<void> => {
    const slug = slugOfAddress();
    if (!slug) return;
    const outline = await live.outline();
    outline?.jump(slug);
    outline?.close();
  };
  addEventListener('hashchange', () => void go());
  void go();
}

function slugOfAddress(): string | null {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    // Not written by us.
    return null;
  }
}
