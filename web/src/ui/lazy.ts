// Parts of the page that the first paint does without.
//
// Invariant: each is loaded when it is first shown, or when the browser has nothing better to do,
// whichever is earlier: later there may be no network, and offline is when some are needed.

import { signal } from '@preact/signals';
import { type ComponentChildren, type ComponentType, h } from 'preact';
import { useEffect } from 'preact/hooks';

const waiting = new Set<() => Promise<void>>();

// If the file does not come `onMissing` is called, and the next showing asks again.
export function lazy<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): (props: Props & { onMissing?: () => void }) => ComponentChildren {
  const loaded = signal<ComponentType<Props> | null>(null);
  const fetch = async (): Promise<void> => {
    loaded.value ??= await load();
    waiting.delete(fetch);
  };
  waiting.add(fetch);
  return ({ onMissing, ...props }) => {
    const component = loaded.value;
    useEffect(() => {
      if (!component) fetch().catch(() => onMissing?.());
    }, []);
    return component && h(component, props as unknown as Props);
  };
}

export function loadWhenIdle(): void {
  // Not in every browser.
  const idle = window.requestIdleCallback ?? ((act: () => void) => setTimeout(act, 1000));
  idle(() => {
    for (const fetch of waiting) fetch().catch(() => {});
  });
}
