// The first word on a connection of a pad's page: who comes to which pad, and what the page knows.

import type { Json } from './messages.ts';

const EXTENSIONS = ['cursors', 'titles', 'plugins', 'windows', 'batches'];

export interface Visitor {
  readonly name?: string | null | undefined;
  // `#rrggbb`
  readonly colour?: string | undefined;
  readonly window: string;
  readonly endWindows: readonly string[];
}

// `more` is about a pad that this visit creates, or one that the page knows already.
export function clientReady(padId: string, visitor: Visitor, more: Json): Json {
  const { name, colour, window, endWindows } = visitor;
  return {
    component: 'pad',
    type: 'CLIENT_READY',
    padId,
    userInfo: { name: name || null, colorId: colour ?? null },
    extensions: EXTENSIONS,
    window,
    endWindows,
    ...more,
  };
}
