// Components that the first paint does without.

import { signal } from '@preact/signals';
import { type ComponentChildren, type ComponentType, h } from 'preact';
import { useEffect } from 'preact/hooks';
import { later } from '../load/later.ts';

// If the file does not come `onMissing` is called, and the next showing asks again.
export function lazy<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): (props: Props & { onMissing?: () => void }) => ComponentChildren {
  const loaded = signal<ComponentType<Props> | null>(null);
  const part = later(async () => {
    loaded.value = await load();
    return loaded.value;
  });
  return ({ onMissing, ...props }) => {
    const component = loaded.value;
    useEffect(() => {
      if (!component) part.load().catch(() => onMissing?.());
    }, []);
    return component && h(component, props as unknown as Props);
  };
}
