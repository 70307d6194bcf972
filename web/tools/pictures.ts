// Pictures of pages as files: how they look, where they are kept, and how they become small.
//
// Invariant: a picture has 256 colours at most, which is enough for pages and a third of the bytes.
// Each colour that is left out is shown as the nearest one that is not.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { animationsDone, SIZES } from '../e2e/browser.ts';

export const FOLDER = join(import.meta.dirname, '../../docs/images');

export const LOOKS: Record<string, BrowserContextOptions> = {
  light: { ...SIZES.desktop, colorScheme: 'light' },
  dark: { ...SIZES.desktop, colorScheme: 'dark' },
  'phone-light': { ...SIZES.phone, colorScheme: 'light' },
  'phone-dark': { ...SIZES.phone, colorScheme: 'dark' },
};

// What the contact sheets show.
export const MAIN_SCREENS: Readonly<Record<string, string>> = {
  home: 'Start page',
  'new-pad': 'New pad',
  document: 'Document',
  outline: 'Outline',
  chat: 'Chat',
  share: 'Share',
  history: 'History',
  settings: 'Settings of a reader',
  'api-docs': 'API, with calls from the page',
  'admin-overview': 'Overview for operators',
  'admin-pads': 'List of pads',
  'admin-settings': 'Settings of the service',
};

// The main screens have all looks; of the others one is enough to see what they are.
export const isKept = (name: string, look: string): boolean =>
  name in MAIN_SCREENS || look === 'light';

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const BITS_PER_PIXEL = 8;
const WITH_PALETTE = 3;

// What the window shows, once nothing moves any more.
export async function takePicture(page: Page, name: string, look: string): Promise<void> {
  await animationsDone(page);
  const png = await page.screenshot({ caret: 'hide' });
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, `${name}-${look}.png`), await withPalette(page, png));
}

export async function withPalette(page: Page, png: Buffer): Promise<Buffer> {
  const { browser } = contextOf(page);
  const context = await browser.newContext();
  try {
    const reader = await context.newPage();
    const source = `data:image/png;base64,${png.toString('base64')}`;
    return encode(await reader.evaluate(reduceColours, source));
  } finally {
    await context.close();
  }
}

function contextOf(page: Page): { browser: Browser } {
  const browser = page.context().browser();
  if (!browser) throw new Error('the page belongs to no browser');
  return { browser };
}

interface Reduced {
  width: number;
  height: number;
  // Three numbers for each colour.
  palette: number[];
  // The colours of all pixels, in base64.
  pixels: string;
}

// Runs in the browser, which can read pictures.
async function reduceColours(source: string): Promise<Reduced> {
  const blob = await (await fetch(source)).blob();
  const bitmap = await createImageBitmap(blob);
  const { width, height } = bitmap;
  const context = new OffscreenCanvas(width, height).getContext('2d');
  if (!context) throw new Error('there is no canvas');
  context.drawImage(bitmap, 0, 0);
  const { data } = context.getImageData(0, 0, width, height);
  const keys = new Uint32Array(width * height);
  const counts = new Map<number, number>();
  for (let i = 0; i < keys.length; i++) {
    const [red = 0, green = 0, blue = 0] = data.subarray(i * 4, i * 4 + 3);
    const key = (red << 16) | (green << 8) | blue;
    keys[i] = key;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const channels = (key: number) => [key >> 16, (key >> 8) & 255, key & 255];
  const distance = (one: number, other: number): number => {
    const [a, b] = [channels(one), channels(other)];
    return a.reduce((sum, value, i) => sum + (value - (b[i] ?? 0)) ** 2, 0);
  };
  const wanted = [...counts].sort(([, a], [, b]) => b - a).map(([key]) => key);
  // What is seen most, and of the rest what is like nothing that is there.
  const kept = wanted.slice(0, 96);
  for (const least of [600, 150, 40, 12, 0]) {
    for (const key of wanted) {
      if (kept.length === 256) break;
      if (kept.every((other) => distance(key, other) > least)) kept.push(key);
    }
  }
  const nearest = new Map<number, number>();
  for (const key of wanted) {
    let best = 0;
    for (let i = 1; i < kept.length; i++) {
      if (distance(key, kept[i] ?? 0) < distance(key, kept[best] ?? 0)) best = i;
    }
    nearest.set(key, best);
  }
  let pixels = '';
  for (const key of keys) pixels += String.fromCharCode(nearest.get(key) ?? 0);
  return { width, height, palette: kept.flatMap(channels), pixels: btoa(pixels) };
}

function encode({ width, height, palette, pixels }: Reduced): Buffer {
  const bytes = Buffer.from(pixels, 'base64');
  const rows = Array.from({ length: height }, (_, row) =>
    // Each begins with the name of its filter, which is none.
    Buffer.concat([Buffer.from([0]), bytes.subarray(row * width, (row + 1) * width)]),
  );
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([BITS_PER_PIXEL, WITH_PALETTE], 8);
  return Buffer.concat([
    Buffer.from(SIGNATURE),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette)),
    chunk('IDAT', deflateSync(Buffer.concat(rows), { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(kind: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(kind, 'latin1'), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}
