// Page cache of the service worker: adds the page of a pad, or clears all pages.

import { forgetCopies, MOST_PADS } from './copies.ts';

export async function cachePage(base: string): Promise<void> {
  const script = new URL(`${base}offline.js`, location.href);
  await navigator.serviceWorker.register(script, { updateViaCache: 'none' });
  const { active } = await navigator.serviceWorker.ready;
  const page = new URL(location.pathname, location.href);
  active?.postMessage({ keep: page.href, most: MOST_PADS });
}

export async function clearPages(base: string): Promise<void> {
  const root = new URL(base, location.href).href;
  await (await navigator.serviceWorker.getRegistration(root))?.unregister();
  // As the worker names what it keeps.
  const names = (await caches.keys()).filter((name) => name.startsWith('padsvc-'));
  await Promise.all(names.map((name) => caches.delete(name)));
  await forgetCopies();
}
