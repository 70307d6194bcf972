// The contact sheets: twelve main screens beside each other, one sheet for each look.
//
//   npm run contact-sheet, after `screenshots` and `screenshots:admin`
//   npm run contact-sheet -- REVISION, of the pictures that a commit has, to compare with
//
// Invariant: made of the pictures in docs/images/ alone, so that a sheet shows what they show.

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { launch } from '../e2e/browser.ts';
import { FOLDER, LOOKS, MAIN_SCREENS, withPalette } from './pictures.ts';

// How many are in a row, and how wide each is.
const GRIDS = {
  desktop: { columns: 3, width: 480 },
  phone: { columns: 6, width: 240 },
};
const GAP = 24;
// How tall a picture is that there was not, for its width.
const TALL = { desktop: 0.625, phone: 2.164 };

// What was shown of a screen before there was one of its name.
const EARLIER: Readonly<Record<string, string>> = { document: 'pad' };

const [revision] = process.argv.slice(2);
const start = revision ? 'sheet-before' : 'sheet';

const browser = await launch();
try {
  const page = await browser.newPage();
  for (const [look, { colorScheme }] of Object.entries(LOOKS)) {
    const size = look.startsWith('phone') ? 'phone' : 'desktop';
    const { columns, width } = GRIDS[size];
    const figures = Object.entries(MAIN_SCREENS).map(([name, words]) => {
      const picture = (read(name, look) ?? read(EARLIER[name] ?? name, look))?.toString('base64');
      const shown = picture
        ? `<img src="data:image/png;base64,${picture}" width="${width}">`
        : `<div style="height: ${Math.round(width * TALL[size])}px">–</div>`;
      return `<figure>${shown}<figcaption>${words}</figcaption></figure>`;
    });
    const [ground, ink] = colorScheme === 'dark' ? ['#33373e', '#f2f4f7'] : ['#d9dde3', '#20242b'];
    await page.setViewportSize({ width: columns * (width + GAP) + GAP, height: 400 });
    await page.setContent(`<!doctype html><style>
      body { margin: 0; padding: ${GAP}px; display: grid; gap: ${GAP}px;
        grid-template-columns: repeat(${columns}, ${width}px);
        background: ${ground}; color: ${ink}; font: 600 15px sans-serif }
      figure > div { display: grid; place-items: center; border: 1px dashed }
      figure { margin: 0 } img { display: block; border-radius: 6px } figcaption { margin-top: 8px }
      </style>${figures.join('')}`);
    const sheet = await page.screenshot({ fullPage: true });
    writeFileSync(join(FOLDER, `${start}-${look}.png`), await withPalette(page, sheet));
  }
} finally {
  await browser.close();
}

// Null: there was no picture of that then.
function read(name: string, look: string): Buffer | null {
  const file = `${name}-${look}.png`;
  if (!revision) return readFileSync(join(FOLDER, file));
  const path = `${revision}:./${file}`;
  try {
    return execFileSync('git', ['show', path], { cwd: FOLDER, stdio: 'pipe', maxBuffer: 2 ** 24 });
  } catch {
    return null;
  }
}
