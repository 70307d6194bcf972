// Plugins as the server tells of them, and the words for what they may do.

import { language } from '../../i18n/text.ts';
import type { Api } from '../api.ts';
import { say, type Word } from '../words.ts';

export interface Granted {
  permission: string;
  // Not granted to the version that is installed.
  added?: boolean;
}

interface About {
  name: string;
  version: string;
  title: string;
  description: string;
  permissions: readonly Granted[];
  // Its code runs in the browsers of those who open a pad.
  browsers: boolean;
}

export type Value = string | number | boolean;

export interface Setting {
  key: string;
  title: string;
  // `null` for a secret.
  value: Value | null;
  isSet: boolean;
  schema: {
    type: 'string' | 'number' | 'integer' | 'boolean';
    description?: string;
    default: Value;
    minimum?: number;
    maximum?: number;
    maxLength?: number;
    enum?: readonly string[];
    secret?: boolean;
  };
}

// What a field of the form begins with: what was changed in it, or what is set. A key may have any name, also
// one that all objects have something under.
export function shownValue(
  changed: Readonly<Record<string, Value>>,
  { key, value }: Pick<Setting, 'key' | 'value'>,
): Value {
  return (Object.hasOwn(changed, key) ? changed[key] : value) ?? '';
}

export interface Health {
  state: 'idle' | 'running' | 'waiting' | 'off';
  reason: string | null;
  hooks: Readonly<Record<string, HookHealth>>;
  // Hooks that were left out, and notices that found no room.
  skipped: number;
  dropped: number;
  // The most it had allocated, in bytes.
  peakMemory: number;
  // What the kernel keeps its process from; `null` before its first start.
  sandbox: Sandbox | null;
  log: readonly { time: number; level: string; text: string }[];
}

// `true` is safe; each was seen by trying.
export interface Sandbox {
  noFiles: boolean;
  noNetwork: boolean;
  noProcesses: boolean;
  // Files that the service has open, and its process too.
  inherited: number;
}

export interface HookHealth {
  calls: number;
  failures: number;
  // Processor time.
  micros: number;
  longestMicros: number;
}

export interface Installed extends About {
  enabled: boolean;
  settings: readonly Setting[];
  // Patterns of the names of pads that it is switched on for.
  pads: readonly string[];
  // It has a page of its own.
  page: boolean;
  // How it does; `null` if nothing of it runs.
  health: Health | null;
}

export interface Review extends About {
  // The version that it takes the place of.
  installed: string | null;
  // Code in browsers, and none of the installed version.
  browsersAdded: boolean;
  // Of the package.
  sha256: string;
}

export interface Overview {
  plugins: readonly Installed[];
  // The reason, by name.
  unusable: Readonly<Record<string, string>>;
}

// Where a plugin comes from: a file or a folder of the administrator's, or the catalogue.
export type Source = Blob | FormData | { name: string; version: string };

export const overview = (api: Api): Promise<Overview> =>
  api.get<Overview>(`api/plugins/installed?language=${language()}`);

export const review = (api: Api, source: Source): Promise<Review> =>
  send<Review>(api, 'review', source, {});

// What was shown is what is agreed to: the server refuses another package, and one that asks for
// anything else.
export const install = (
  api: Api,
  source: Source,
  { sha256, permissions, browsersAdded }: Review,
): Promise<unknown> => {
  const added = permissions.filter(({ added }) => added).map(({ permission }) => permission);
  return send(api, 'install', source, {
    sha256,
    granted: added.join(' '),
    browsers: `${browsersAdded}`,
  });
};

function send<T>(
  api: Api,
  action: string,
  source: Source,
  query: Record<string, string>,
): Promise<T> {
  const isSent = source instanceof Blob || source instanceof FormData;
  const wanted = new URLSearchParams({ ...(isSent ? {} : source), ...query });
  return api.send<T>(`api/plugins/${action}?${wanted}`, isSent ? source : new Blob());
}

// Patterns as they are edited: each on a line of its own.
export const padLines = (text: string): string[] => text.split(/\s+/).filter(Boolean);

export const isEverywhere = (pads: readonly string[]): boolean => pads.includes('*');

const MEANINGS: Readonly<Record<string, Word>> = {
  'pads:read': 'plugins.may.padsRead',
  'pads:write': 'plugins.may.padsWrite',
  chat: 'plugins.may.chat',
  'authors:names': 'plugins.may.authorsNames',
  routes: 'plugins.may.routes',
  storage: 'plugins.may.storage',
  timers: 'plugins.may.timers',
};

// What a permission lets a plugin do. One that this page does not know is shown as it is written.
export function meaning(permission: string): string {
  const host = /^http:fetch\((.+)\)$/.exec(permission)?.[1];
  if (host) return say('plugins.may.httpFetch', { host });
  const word = MEANINGS[permission];
  return word ? say(word) : permission;
}
