// A Vite plugin that leaves out what Vite puts around every `import()` to fetch styles first.
//
// Invariant: no part that is loaded later has styles of its own; a build where one has fails. All
// styles of a page are in the file that the page links to.

import type { Plugin } from 'vite';

const HELPER = '\0vite/preload-helper.js';

export function plainImports(): Plugin {
  return {
    name: 'plain-imports',
    apply: 'build',
    enforce: 'pre',
    load: {
      filter: { id: /vite\/preload-helper\.js$/ },
      handler: (id) =>
        id === HELPER ? 'export const __vitePreload = (load) => load();' : undefined,
    },
    generateBundle(_options, bundle) {
      const first = new Set<string>();
      const follow = (name: string): void => {
        const chunk = bundle[name];
        if (chunk?.type !== 'chunk' || first.has(name)) return;
        first.add(name);
        for (const other of chunk.imports) follow(other);
      };
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      for (const { isEntry, fileName } of chunks) if (isEntry) follow(fileName);
      for (const { fileName, viteMetadata } of chunks) {
        const [style] = viteMetadata?.importedCss ?? [];
        if (style && !first.has(fileName)) {
          this.error(`${fileName} is loaded later and cannot have ${style}`);
        }
      }
    },
  };
}
