// What the server says in the page itself.

export interface Boot {
  page: string;
  // The plugin that the page is about; `null` for all others.
  plugin: string | null;
  // The way to the root of the service, e.g. `../`.
  base: string;
  language: string;
  service: string;
  version: string;
  user: string;
  darkMode: boolean;
  // Whether histories may be removed, and how much of them is usually kept.
  compaction: boolean;
  keepRevisions: number;
  // Whether personal data may be erased.
  erasure: boolean;
  // The endings of what a pad can be downloaded as.
  exports: readonly string[];
  // Whether updates are looked for.
  updates: boolean;
}

export function readBoot(json: string): Boot {
  return JSON.parse(json) as Boot;
}
