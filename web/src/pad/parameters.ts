// URL parameters of a pad, for pages that embed it.
//
// Invariant: names and values are Etherpad's, so that its embedding pages keep working: `true` and
// `false`, anything else is as if it were not there.

import { isColour, longColour } from '../theme/colour.ts';

export interface Parameters {
  showControls?: boolean;
  showMenuRight?: boolean;
  showChat?: boolean;
  showLineNumbers?: boolean;
  useMonospaceFont?: boolean;
  rtl?: boolean;
  noColors?: boolean;
  alwaysShowChat?: boolean;
  chatAndUsers?: boolean;
  fadeInactiveAuthorColors?: boolean;
  enforceReadableAuthorColors?: boolean;
  // Not one of Etherpad's.
  showFonts?: boolean;
  userName?: string;
  userColor?: string;
  lang?: string;
  // What the pad starts with, if this visit creates it.
  template?: string;
  // What the pad is called, if this visit creates it.
  title?: string;
}

// What a visit says of itself, and of a pad that it creates.
export interface Wishes {
  readonly userName?: string;
  // `#rrggbb`
  readonly userColour?: string;
  readonly template?: string;
  readonly title?: string;
}

const FLAGS = [
  'showControls',
  'showMenuRight',
  'showChat',
  'showLineNumbers',
  'useMonospaceFont',
  'rtl',
  'noColors',
  'alwaysShowChat',
  'chatAndUsers',
  'fadeInactiveAuthorColors',
  'enforceReadableAuthorColors',
  'showFonts',
] as const;
const WORDS = ['userName', 'userColor', 'lang', 'template', 'title'] as const;

export function readParameters(query: string): Parameters {
  const given = new URLSearchParams(query);
  const found: Parameters = {};
  for (const name of FLAGS) {
    const value = given.get(name);
    if (value === 'true' || value === 'false') found[name] = value === 'true';
  }
  for (const name of WORDS) {
    const value = given.get(name)?.trim();
    if (value && value !== 'false' && value !== 'true') found[name] = value;
  }
  return found;
}

export function wishesOf({ userName, userColor, template, title }: Parameters): Wishes {
  return {
    ...(template ? { template } : {}),
    ...(title ? { title } : {}),
    ...(userName ? { userName } : {}),
    ...(isColour(userColor) ? { userColour: longColour(userColor) } : {}),
  };
}

// It has done its work: a page that is loaded again has nothing to say about it, and the address that
// people copy does not carry it on.
export function forgetParameter(name: 'template' | 'title'): void {
  const address = new URL(location.href);
  if (!address.searchParams.has(name)) return;
  address.searchParams.delete(name);
  history.replaceState(history.state, '', address);
}

// The same options, as the administrator has set them for all pads.
export function readServerOptions(options: Readonly<Record<string, unknown>>): Parameters {
  const entries = Object.entries(options).map(([name, value]) => [name, String(value ?? '')]);
  return readParameters(new URLSearchParams(entries as [string, string][]).toString());
}
