// A Vite plugin that builds the admin area as a bundle of its own, beside the one of the pads.
//
// Invariant: nothing of the admin area changes a file that people who write are sent. In one bundle
// both would share files: either pads take three kilobytes more, or the admin area takes an editor
// that it has no use for. The manifest names the files of both; keys of this one begin with `admin:`.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type Plugin, type ResolvedConfig } from 'vite';
import { pageTexts } from './pageTexts.ts';
import { plainImports } from './plainImports.ts';

const MANIFEST = '.vite/manifest.json';
const OWN_MANIFEST = '.vite/admin.json';

interface Chunk {
  imports?: string[];
  dynamicImports?: string[];
}

export function adminBundle(): Plugin {
  let config: ResolvedConfig;
  return {
    name: 'admin-bundle',
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
            manifest: OWN_MANIFEST,
            modulePreload: false,
            reportCompressedSize: false,
            rolldownOptions: { input: { admin: 'src/admin/main.ts' } },
          },
          plugins: [pageTexts(), plainImports()],
        });
        await addManifest(join(root, outDir));
      },
    },
  };
}

async function addManifest(folder: string): Promise<void> {
  const read = async (name: string): Promise<Record<string, Chunk>> =>
    JSON.parse(await readFile(join(folder, name), 'utf8'));
  const own = Object.entries(await read(OWN_MANIFEST)).map(([key, chunk]) => [
    renamed(key),
    {
      ...chunk,
      ...(chunk.imports ? { imports: chunk.imports.map(renamed) } : {}),
      ...(chunk.dynamicImports ? { dynamicImports: chunk.dynamicImports.map(renamed) } : {}),
    },
  ]);
  const all = { ...(await read(MANIFEST)), ...Object.fromEntries(own) };
  await writeFile(join(folder, MANIFEST), JSON.stringify(all, null, 2));
}

function renamed(key: string): string {
  return `admin:${key}`;
}
