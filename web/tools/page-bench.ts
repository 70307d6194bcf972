// How quickly the pad page opens and answers keys, beside a page with the bare editor library.
//
//   cargo xtask bench page
//
// Invariant: both pages hold the same text, are measured in the same browser in the same run, and
// take turns. A key's latency is from its event to the first message after the next frame, which
// is when it has been painted.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { build } from 'vite';
import { launch, SIZES, serverUrl } from '../e2e/browser.ts';
import { paste } from '../e2e/pad.ts';
import { openPad, stateIs } from '../e2e/padPage.ts';
import { type Vitals, vitalsOf, watchVitals } from '../e2e/vitals.ts';
import { DOCUMENT_HTML } from './document.ts';
import { measureHistory } from './history-bench.ts';

const OPENINGS = 5;
const KEYS = 120;
const KEY_PAUSE_MS = 80;
// A processor of a cheap phone, about.
const SLOWER = 4;
const SIZES_IN_UNITS = [1_000, 200_000, 1_000_000];

interface Opening {
  openMs: number;
  // What was asked for before one could type, the page and its connection included.
  requests: number;
  // Of these as they were sent: without the text and fonts, for which nobody waits; and of the fonts.
  bytes: number;
  fontBytes: number;
}

interface Figures extends Opening {
  // The same once more in the same browser, which has kept what it may keep.
  againMs: number;
  p50: number;
  p95: number;
  // Of the page's main thread, for a key and all that follows from it.
  workMs: number;
  heapMb: number;
  nodes: number;
}

function textOf(units: number): string {
  const line = 'The quick brown fox jumps over the lazy dog; 12 more.\n';
  return line.repeat(Math.ceil(units / line.length)).slice(0, units - 1);
}

// The editor library and nothing else, as a script of its own.
async function bareScript(): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'error',
    root: join(import.meta.dirname, '..'),
    build: { write: false, rolldownOptions: { input: 'bench/bare.ts' } },
  });
  const outputs = Array.isArray(result) ? result : [result];
  for (const { output } of outputs as { output: { type: string; code?: string }[] }[]) {
    const code = output.find((file) => file.type === 'chunk')?.code;
    if (code) return code;
  }
  throw new Error('the bare page was not built');
}

async function bareServer(texts: Map<string, string>): Promise<{ url: string; stop: () => void }> {
  const script = await bareScript();
  const page =
    '<!doctype html><title>bare</title><div id=place></div><script type=module src=bare.js></script>';
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://bare').pathname;
    const [kind, body] =
      path === '/bare.js'
        ? ['text/javascript', script]
        : path === '/text'
          ? ['text/plain', texts.get(new URL(request.headers.referer ?? '').search.slice(1)) ?? '']
          : ['text/html', page];
    response.setHeader('content-type', `${kind}; charset=utf-8`);
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, stop: () => server.close() };
}

async function makePad(name: string, text: string): Promise<void> {
  const key = process.env.PADSVC_KEY ?? '';
  const body = new URLSearchParams({ padID: name, apikey: key });
  for (const [call, more] of [
    ['createPad', {}],
    ['setText', { text }],
  ] as const) {
    const form = new URLSearchParams([...body, ...Object.entries(more)]);
    const answer = await fetch(`${serverUrl()}api/1.3.1/${call}`, { method: 'POST', body: form });
    const { code, message } = (await answer.json()) as { code: number; message: string };
    if (code !== 0) throw new Error(`${call}: ${message}`);
  }
}

// A document with every kind of formatting goes in front of the text.
async function addFormatting(browser: Browser, name: string): Promise<void> {
  const context = await browser.newContext({ ...SIZES.desktop, baseURL: serverUrl() });
  const page = await context.newPage();
  await openPad(page, name);
  await page.locator('.pad-link-card').waitFor({ state: 'attached' });
  await page.keyboard.press('Control+Home');
  await paste(page, { 'text/html': `${DOCUMENT_HTML}<p>end</p><p></p>` });
  await page.locator('.pad-quote').waitFor();
  await stateIs(page, /saved/);
  await context.close();
}

// Each key's time until it is painted, gathered in the page.
function watchKeys(): void {
  const samples: number[] = [];
  Object.assign(window, { keySamples: samples });
  addEventListener(
    'keydown',
    (event) => {
      requestAnimationFrame(() => {
        const channel = new MessageChannel();
        channel.port1.onmessage = () => samples.push(performance.now() - event.timeStamp);
        channel.port2.postMessage(null);
      });
    },
    { capture: true },
  );
}

// When one can first type, noted in the page: from outside one sees it later than what follows.
function watchOpening(): void {
  const look = () => {
    if (!document.querySelector('.cm-content[contenteditable=true] .cm-line')) return;
    watch.disconnect();
    Object.assign(window, { openAt: performance.now() });
  };
  const watch = new MutationObserver(look);
  watch.observe(document, { subtree: true, childList: true, attributes: true });
}

async function openOnce(page: Page, url: string): Promise<Opening> {
  let sockets = 0;
  const count = () => {
    sockets += 1;
  };
  page.on('websocket', count);
  const start = performance.now();
  await page.goto(url, { waitUntil: 'commit' });
  await page.waitForSelector('.cm-content[contenteditable=true] .cm-line');
  const openMs = performance.now() - start;
  // What has begun is measured when it has come.
  await page.waitForLoadState('networkidle');
  page.off('websocket', count);
  const counted = await page.evaluate(() => {
    const { openAt } = window as unknown as { openAt: number };
    const kinds = ['navigation', 'resource'];
    const all = kinds.flatMap((kind) => performance.getEntriesByType(kind));
    const early = (all as PerformanceResourceTiming[]).filter((each) => each.startTime < openAt);
    const isFont = ({ name }: PerformanceEntry) => name.endsWith('.woff2');
    const sum = (some: PerformanceResourceTiming[]) =>
      some.reduce((sum, { transferSize }) => sum + transferSize, 0);
    return {
      requests: early.length,
      bytes: sum(early.filter((each) => !isFont(each))),
      fontBytes: sum(early.filter(isFont)),
    };
  });
  return { openMs, ...counted, requests: counted.requests + Math.min(sockets, 1) };
}

async function measure(browser: Browser, url: string): Promise<Figures> {
  const openings: Opening[] = [];
  const again: number[] = [];
  let last: Page | undefined;
  for (let round = 0; round < OPENINGS; round += 1) {
    await last?.context().close();
    const context = await browser.newContext(SIZES.desktop);
    last = await context.newPage();
    await last.addInitScript(watchKeys);
    await last.addInitScript(watchOpening);
    openings.push(await openOnce(last, url));
    const next = await context.newPage();
    await next.addInitScript(watchOpening);
    again.push((await openOnce(next, url)).openMs);
    await next.close();
  }
  if (!last) throw new Error('no page was opened');
  const client = await last.context().newCDPSession(last);
  await client.send('Performance.enable');
  const metric = async (name: string) => {
    const { metrics } = await client.send('Performance.getMetrics');
    return metrics.find((entry) => entry.name === name)?.value ?? 0;
  };
  await last.locator('.cm-content').click({ position: { x: 200, y: 200 } });
  const before = await metric('ThreadTime');
  for (let key = 0; key < KEYS; key += 1) {
    await last.keyboard.press('x');
    await last.waitForTimeout(KEY_PAUSE_MS);
  }
  const samples = await last.evaluate(
    () => (window as unknown as { keySamples: number[] }).keySamples,
  );
  const workMs = (((await metric('ThreadTime')) - before) / KEYS) * 1_000;
  await client.send('HeapProfiler.collectGarbage');
  const [heap, nodes] = [await metric('JSHeapUsedSize'), await metric('Nodes')];
  await last.context().close();
  const median = (one: keyof Opening) =>
    quantile(
      openings.map((opening) => opening[one]),
      0.5,
    );
  return {
    openMs: median('openMs'),
    againMs: quantile(again, 0.5),
    requests: median('requests'),
    bytes: median('bytes'),
    fontBytes: median('fontBytes'),
    p50: quantile(samples, 0.5),
    p95: quantile(samples, 0.95),
    workMs,
    heapMb: heap / 1e6,
    nodes,
  };
}

// What Lighthouse would ask: on a slow processor, the first visit with an empty cache.
async function vitalsAt(browser: Browser, url: string, size: keyof typeof SIZES): Promise<Vitals> {
  const context = await browser.newContext(SIZES[size]);
  const page = await context.newPage();
  await watchVitals(page);
  const client = await context.newCDPSession(page);
  await client.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  await page.goto(url);
  await page.waitForSelector('.cm-content[contenteditable=true] .cm-line');
  await page.waitForLoadState('networkidle');
  await page.locator('.cm-content').click({ position: { x: 200, y: 40 } });
  for (let key = 0; key < KEYS / 4; key += 1) {
    await page.keyboard.press('x');
    await page.waitForTimeout(KEY_PAUSE_MS);
  }
  const vitals = await vitalsOf(page);
  await context.close();
  return vitals;
}

async function measureVitals(browser: Browser, old: string): Promise<void> {
  out('');
  out(
    `| processor ${SLOWER} times slower | first paint, ms | layout shift | slowest interaction, ms |`,
  );
  out('|---|---:|---:|---:|');
  for (const size of ['desktop', 'phone'] as const) {
    for (const [label, name] of [
      ['new pad', `bench-new-${Date.now().toString(36)}`],
      ['old pad', old],
    ] as const) {
      const vitals = await vitalsAt(browser, `${serverUrl()}p/${name}`, size);
      const { firstPaintMs, layoutShift, interactionMs } = vitals;
      const cells = [firstPaintMs.toFixed(0), layoutShift.toFixed(4), interactionMs.toFixed(0)];
      out(`| ${label}, ${size} | ${cells.join(' | ')} |`);
    }
  }
}

// A line that is longer than any window, beside the same text in lines.
async function measureLongLine(browser: Browser): Promise<void> {
  out('');
  out('| 1,000,000 characters | open, ms | longest task, ms |');
  out('|---|---:|---:|');
  const text = textOf(1_000_000);
  for (const [label, content] of [
    ['in one line', text.replaceAll('\n', ' ')],
    ['in lines', text],
  ] as const) {
    const name = `bench-${Date.now().toString(36)}-line`;
    await makePad(name, content);
    const openings: number[] = [];
    const tasks: number[] = [];
    for (let round = 0; round < OPENINGS; round += 1) {
      const context = await browser.newContext(SIZES.desktop);
      const page = await context.newPage();
      await watchVitals(page);
      const start = performance.now();
      await page.goto(`${serverUrl()}p/${name}`, { waitUntil: 'commit' });
      await page.waitForSelector('.cm-content[contenteditable=true] .cm-line');
      openings.push(performance.now() - start);
      await page.waitForLoadState('networkidle');
      tasks.push((await vitalsOf(page)).longestTaskMs);
      await context.close();
    }
    const cells = [openings, tasks].map((samples) => quantile(samples, 0.5).toFixed(0));
    out(`| ${label} | ${cells.join(' | ')} |`);
  }
}

// The pad that `padsvc loadtest` has typed in.
async function measureLongHistory(browser: Browser): Promise<void> {
  const key = process.env.PADSVC_KEY ?? '';
  const answer = await fetch(`${serverUrl()}api/1.3.1/listAllPads?apikey=${key}`);
  const { data } = (await answer.json()) as { data: { padIDs: string[] } };
  const name = data.padIDs.find((id) => id.startsWith('loadtest-'));
  if (!name) throw new Error('there is no pad with a long history');
  const { revisions, openMs, jumpMs } = await measureHistory(browser, name);
  out('');
  out('| page | revisions | open, ms | jump p50, ms | jump p95, ms |');
  out('|---|---:|---:|---:|---:|');
  const cells = [quantile(openMs, 0.5), quantile(jumpMs, 0.5), quantile(jumpMs, 0.95)];
  out(`| history | ${revisions} | ${cells.map((cell) => cell.toFixed(0)).join(' | ')} |`);
}

function quantile(samples: readonly number[], part: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

const texts = new Map(SIZES_IN_UNITS.map((units) => [String(units), textOf(units)]));
const bare = await bareServer(texts);
const browser = await launch();
const out = (line: string): boolean => process.stdout.write(`${line}\n`);
try {
  const columns = [
    ['page', 'text', 'open, ms', 'open again, ms', 'requests', 'kB', 'fonts, kB'],
    ['key p50, ms', 'key p95, ms', 'key work, ms', 'heap, MB', 'nodes'],
  ].flat();
  out(`| ${columns.join(' | ')} |`);
  out(`|---|${'---:|'.repeat(columns.length - 1)}`);
  let old = '';
  for (const [units, text] of texts) {
    const name = `bench-${Date.now().toString(36)}-${units}`;
    old = name;
    await makePad(name, text);
    await makePad(`${name}-all`, text);
    await addFormatting(browser, `${name}-all`);
    for (const [label, url] of [
      ['bare editor', `${bare.url}?${units}`],
      ['pad page', `${serverUrl()}p/${name}`],
      ['pad page, all formats in sight', `${serverUrl()}p/${name}-all`],
    ] as const) {
      const { openMs, againMs, requests, bytes, fontBytes, ...keys } = await measure(browser, url);
      const { p50, p95, workMs, heapMb, nodes } = keys;
      const shown = [
        ...[openMs, againMs, requests].map((cell) => cell.toFixed(0)),
        ...[bytes / 1e3, fontBytes / 1e3, p50, p95, workMs, heapMb].map((cell) => cell.toFixed(1)),
        nodes.toFixed(0),
      ];
      out(`| ${label} | ${units} | ${shown.join(' | ')} |`);
    }
  }
  await measureVitals(browser, old);
  await measureLongLine(browser);
  await measureLongHistory(browser);
} finally {
  await browser.close();
  bare.stop();
}
