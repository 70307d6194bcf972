// What the server says in the page itself, before any connection.

import type { Key } from '../i18n/text.ts';
import type { ButtonName, HistoryButtonName } from './buttonNames.ts';

// Each has a text with a hint.
type ExportFormat = FormatOf<Key>;
type FormatOf<Name> = Name extends `files.${infer Format}Hint` ? Format : never;

export interface Boot {
  padId: string;
  // What the pad is called, apart from its address.
  title: string;
  // The way to the root of the service, e.g. `../`.
  base: string;
  language: string;
  nonce: string;
  service: string;
  // Not told to everybody everywhere.
  version: string | null;
  cookiePrefix: string;
  recentPads: boolean;
  darkMode: boolean;
  // Whether the visitor is signed in as an administrator.
  admin: boolean;
  // How pads look to those who have not chosen, by the names that addresses have for it.
  padOptions: Readonly<Record<string, unknown>>;
  // Names of buttons, in groups; null is as the page is made.
  toolbar: {
    readonly left: readonly ButtonName[][] | null;
    readonly right: readonly ButtonName[][] | null;
    readonly timeslider: readonly HistoryButtonName[][] | null;
  };
  // After how long a page that was sent away loads again; 0 is never.
  reconnectSeconds: number;
  // Texts in the operator's own words, by language.
  texts: Readonly<Record<string, Readonly<Record<string, string>>>>;
  // What the server may or may not offer.
  versionStatus: boolean;
  // The largest file that can be imported.
  importMaxBytes: number;
  // The endings of files that can be imported, other endings of the same, and the formats that pads
  // can be exported as.
  imports: readonly string[];
  importAliases: readonly string[];
  exports: readonly ExportFormat[];
  view: 'pad' | 'history';
}

export function readBoot(json: string): Boot {
  return JSON.parse(json) as Boot;
}
