// The contact sheets: twelve main screens beside each other, one sheet for each look.
//
//   npm run contact-sheet, after `screenshots` and `screenshots:admin`
//
// Invariant: made of the pictures in docs/images/ alone, so that a sheet shows what they show.

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

const browser = await launch();
try {
  const page = await browser.newPage();
  for (const [look, { colorScheme }] of Object.entries(LOOKS)) {
    const { columns, width } = look.startsWith('phone') ? GRIDS.phone : GRIDS.desktop;
    const figures = Object.entries(MAIN_SCREENS).map(([name, words]) => {
      const picture = readFileSync(join(FOLDER, `${name}-${look}.png`)).toString('base64');
      const source = `data:image/png;base64,${picture}`;
      return `<figure><img src="${source}" width="${width}"><figcaption>${words}</figcaption></figure>`;
    });
    const [ground, ink] = colorScheme === 'dark' ? ['#33373e', '#f2f4f7'] : ['#d9dde3', '#20242b'];
    await page.setViewportSize({ width: columns * (width + GAP) + GAP, height: 400 });
    await page.setContent(`<!doctype html><style>
      body { margin: 0; padding: ${GAP}px; display: grid; gap: ${GAP}px;
        grid-template-columns: repeat(${columns}, ${width}px);
        background: ${ground}; color: ${ink}; font: 600 15px sans-serif }
      figure { margin: 0 } img { display: block; border-radius: 6px } figcaption { margin-top: 8px }
      </style>${figures.join('')}`);
    const sheet = await page.screenshot({ fullPage: true });
    writeFileSync(join(FOLDER, `sheet-${look}.png`), await withPalette(page, sheet));
  }
} finally {
  await browser.close();
}
