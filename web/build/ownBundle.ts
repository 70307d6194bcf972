// A Vite plugin that builds an entry as a bundle of its own, beside the one of the pads.
//
// Invariant: nothing of such an entry changes a file that people who write are sent. In one bundle both
// would share files: with the admin area either pads take three kilobytes more, or the admin area takes
// an editor that it has no use for. The manifest names the files of all; keys of another bundle begin
// with its name, as in `admin:`.

import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type Plugin, type ResolvedConfig } from 'vite';
import { pageTexts } from './pageTexts.ts';
import { plainImports } from './plainImports.ts';

const MANIFEST = '.vite/manifest.json';

interface Chunk {
  imports?: string[];
  dynamicImports?: string[];
}

interface Own {
  readonly name: string;
  readonly input: string;
  // One file that is no module, for a script element that holds it.
  readonly isPlain?: boolean;
}

export function ownBundle({ name, input, isPlain = false }: Own): Plugin {
  const manifest = `.vite/${name}.json`;
  let config: ResolvedConfig;
  return {
    name: `own-bundle-${name}`,
    apply: 'build',
    configResolved(resolved) {
      config = resolved;
    },
    closeBundle: {
      // Before the files are compressed.
      order: 'pre',
      sequential: true,
      async handler() {
        const { root, base, logLevel } = config;
        const { outDir, assetsDir, assetsInlineLimit, target } = config.build;
        await build({
          configFile: false,
          root,
          base,
          ...(logLevel ? { logLevel } : {}),
          build: {
            outDir,
            assetsDir,
            assetsInlineLimit,
            target,
            emptyOutDir: false,
            manifest,
            modulePreload: false,
            reportCompressedSize: false,
            rolldownOptions: {
              input: { [name]: input },
              ...(isPlain ? { output: { format: 'iife' } } : {}),
            },
          },
          plugins: [pageTexts(), plainImports()],
        });
        await addManifest(join(root, outDir), manifest, name);
      },
    },
  };
}

async function addManifest(folder: string, manifest: string, name: string): Promise<void> {
  const renamed = (key: string): string => `${name}:${key}`;
  const read = async (file: string): Promise<Record<string, Chunk>> =>
    JSON.parse(await readFile(join(folder, file), 'utf8'));
  const own = Object.entries(await read(manifest)).map(([key, chunk]) => [
    renamed(key),
    {
      ...chunk,
      ...(chunk.imports ? { imports: chunk.imports.map(renamed) } : {}),
      ...(chunk.dynamicImports ? { dynamicImports: chunk.dynamicImports.map(renamed) } : {}),
    },
  ]);
  const all = { ...(await read(MANIFEST)), ...Object.fromEntries(own) };
  await writeFile(join(folder, MANIFEST), JSON.stringify(all, null, 2));
  await rm(join(folder, manifest));
}
