// A part of the page's source as one script, for tests that call it in a browser.

import { fileURLToPath } from 'node:url';
import { build } from 'vite';

// The exports of a file become a global of that name.
export async function bundled(file: string, name: string): Promise<string> {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const noLanguage = fileURLToPath(new URL('../src/editor/noLanguage.ts', import.meta.url));
  const result = await build({
    root,
    configFile: false,
    logLevel: 'error',
    resolve: { alias: { '@codemirror/language': noLanguage, '@lezer/common': noLanguage } },
    build: { write: false, minify: false, lib: { entry: file, formats: ['iife'], name } },
  });
  const [{ output }] = result as { output: { code: string }[] }[] as [
    { output: { code: string }[] },
  ];
  return output[0]?.code ?? '';
}
