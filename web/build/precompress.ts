// A Vite plugin that writes `.br` and `.gz` siblings of every text asset at build time.
//
// Invariant: a sibling always holds exactly the bytes of the file beside it, so the server may
// send whichever the browser accepts without ever compressing anything itself.

import { readdir, readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';
import type { Plugin } from 'vite';

const TEXT = new Set(['.js', '.css', '.svg', '.json', '.html', '.txt', '.map', '.webmanifest']);

const brotli = promisify(brotliCompress);
const deflate = promisify(gzip);

export function precompress(): Plugin {
  let folder = '';
  return {
    name: 'precompress',
    apply: 'build',
    configResolved(config) {
      folder = join(config.root, config.build.outDir, config.build.assetsDir);
    },
    // `closeBundle` rather than a bundle hook: by then the files have their final bytes.
    async closeBundle() {
      const names = await readdir(folder, { recursive: true });
      const texts = names.filter((name) => TEXT.has(extname(name)));
      await Promise.all(texts.map((name) => compress(join(folder, name))));
    },
  };
}

async function compress(path: string): Promise<void> {
  const bytes = await readFile(path);
  const [br, gz] = await Promise.all([
    brotli(bytes, {
      params: {
        [zlib.BROTLI_PARAM_MODE]: zlib.BROTLI_MODE_TEXT,
        [zlib.BROTLI_PARAM_QUALITY]: zlib.BROTLI_MAX_QUALITY,
        [zlib.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
    deflate(bytes, { level: zlib.Z_BEST_COMPRESSION }),
  ]);
  await Promise.all([writeFile(`${path}.br`, br), writeFile(`${path}.gz`, gz)]);
}
