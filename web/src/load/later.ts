// Parts of the page that the first paint does without.
//
// Invariant: each is fetched when it is first asked for, or when the browser has nothing better to
// do, whichever is earlier: later there may be no network, and offline is when some are needed.

export interface Later<T> {
  // The part, if it is here.
  readonly now: T | null;
  // A part that does not come is asked for again the next time.
  load(): Promise<T>;
}

const waiting = new Set<Later<unknown>>();

export function later<T>(fetch: () => Promise<T>): Later<T> {
  let now: T | null = null;
  let coming: Promise<T> | null = null;
  const arrive = async (): Promise<T> => {
    try {
      now = await fetch();
      waiting.delete(part);
      return now;
    } finally {
      coming = null;
    }
  };
  const part: Later<T> = {
    get now() {
      return now;
    },
    load: () => {
      if (now !== null) return Promise.resolve(now);
      coming ??= arrive();
      return coming;
    },
  };
  waiting.add(part);
  return part;
}

// A page that nobody sees does not paint.
const UNSEEN_MS = 1_000;

// Once what is in the page now has been painted: for parts that come by themselves with the text, of which
// none stands in its way.
export function afterPaint(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
    setTimeout(resolve, UNSEEN_MS);
  });
}

export function loadWhenIdle(): void {
  // Not in every browser.
  const idle = window.requestIdleCallback ?? ((act: () => void) => setTimeout(act, 1000));
  idle(() => {
    for (const part of waiting) part.load().catch(() => {});
  });
}
