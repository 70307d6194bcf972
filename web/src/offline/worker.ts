// What answers for the server when there is no network: pages that were kept, and their files.
//
// Invariant: a page always comes from the server when there is one, so that nobody is shown an old
// one. Nothing but pages of pads, the start page and the files under `assets/` is ever answered
// here: what the API, exports and sockets say goes past. Which pages are kept the pages say.
//
// Runs as a plain script, so it imports nothing.

// The server writes this line in front: all files of its version, and a name for them.
declare const VERSION: { readonly name: string; readonly files: readonly string[] };

interface Lasting extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface Telling extends Lasting {
  readonly data: { readonly keep: string; readonly most: number };
}

interface Asking extends Lasting {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}

interface Worker extends EventTarget {
  readonly registration: { readonly scope: string };
  readonly clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
}

const worker = globalThis as unknown as Worker;
const root = worker.registration.scope;
const PAGES = 'padsvc-pages';
const FILES = 'padsvc-files-';
const filesCache = FILES + VERSION.name;

async function install(): Promise<void> {
  const cache = await caches.open(filesCache);
  await cache.addAll(VERSION.files.map((file) => new URL(file, root).href));
  await worker.skipWaiting();
}

// Pages of the version before name files that go, so they are fetched again, or go as well.
async function activate(): Promise<void> {
  const pages = await caches.open(PAGES);
  for (const request of await pages.keys()) {
    if (!(await store(pages, request.url))) await pages.delete(request);
  }
  const old = (await caches.keys()).filter((name) => name.startsWith(FILES) && name !== filesCache);
  await Promise.all(old.map((name) => caches.delete(name)));
  await worker.clients.claim();
}

// Only what the server gives under this very address: not where it leads those it does not know.
async function store(pages: Cache, url: string): Promise<boolean> {
  const page = await fetch(url, { redirect: 'error' }).catch(() => null);
  if (page?.ok) await pages.put(url, page);
  return page?.ok === true;
}

async function keep({ keep, most }: Telling['data']): Promise<void> {
  const pages = await caches.open(PAGES);
  // What is put last is the last of the keys.
  await pages.delete(keep);
  if (!(await store(pages, root)) || !(await store(pages, keep))) return;
  const kept = (await pages.keys()).filter(({ url }) => url !== root);
  for (const request of kept.slice(0, -most)) await pages.delete(request);
}

async function page(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    const pages = await caches.open(PAGES);
    const kept = await pages.match(request, { ignoreSearch: true, ignoreVary: true });
    if (kept) return kept;
    throw error;
  }
}

async function file(request: Request): Promise<Response> {
  const files = await caches.open(filesCache);
  return (await files.match(request, { ignoreVary: true })) ?? fetch(request);
}

function on<E>(name: string, act: (event: E) => void): void {
  worker.addEventListener(name, (event) => act(event as unknown as E));
}

on<Lasting>('install', (event) => event.waitUntil(install()));
on<Lasting>('activate', (event) => event.waitUntil(activate()));
on<Telling>('message', (event) => event.waitUntil(keep(event.data)));
on<Asking>('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || !request.url.startsWith(root)) return;
  const path = request.url.slice(root.length).replace(/[?#].*$/, '');
  if (path.startsWith('assets/')) event.respondWith(file(request));
  else if (request.mode === 'navigate' && /^(?:p\/[^/]+)?$/.test(path)) {
    event.respondWith(page(request));
  }
});
