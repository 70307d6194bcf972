// The addresses of named links.
//
// Invariant: an address that `safeUrl` refuses is never followed nor written anywhere: its text stays
// as text. The server has the same check, and both are held to `fixtures/convert/links.json`.

import type { Marked } from './lines.ts';

export interface Link {
  readonly from: number;
  readonly to: number;
  readonly href: string;
}

const LONGEST = 2_000;
const SCHEMES = /^(?:https?:\/\/[^/?#\\]|(?:mailto|tel):.)/i;
// Inside the service; with a second slash it would be another server.
const PATH = /^\/(?![/\\])/;
const SPACE_OR_CONTROL = /[\p{Cc}\p{White_Space}]/u;

export function isSafeUrl(url: string): boolean {
  if (url.length > LONGEST || SPACE_OR_CONTROL.test(url)) return false;
  return SCHEMES.test(url) || PATH.test(url);
}

// What somebody has typed as an address: a host or a mail address alone lacks its scheme.
export function completeUrl(typed: string): string | null {
  const text = typed.trim();
  const url = isSafeUrl(text) || /^[a-z][a-z0-9+-]*:(?!\d)/i.test(text) ? text : completed(text);
  return isSafeUrl(url) ? url : null;
}

function completed(text: string): string {
  if (/^[^\s@/]+@[^\s@/]+\.[^\s@/]+$/.test(text)) return `mailto:${text}`;
  return /^[^\s/]+\.[^\s/.]{2,}|^localhost\b/.test(text) ? `https://${text}` : text;
}

// The address on a text, in any of the spellings there are; null for none that may be followed.
export function linkOf(attributes: ReadonlyMap<string, string>): string | null {
  const stored = attributes.get('url') || attributes.get('hyperlink');
  if (!stored) return null;
  const url = stored.startsWith('url-') ? withoutEcho(stored.slice(4)) : stored;
  return isSafeUrl(url) ? url : null;
}

// One program writes an address twice, with a comma between.
function withoutEcho(url: string): string {
  const half = (url.length - 1) / 2;
  const first = url.slice(0, half);
  return Number.isInteger(half) && url === `${first},${first}` ? first : url;
}

// The named links between two places of a line, each in one piece whatever else its words are.
export function linkSpans({ runs, sets }: Marked, from: number, to: number): Link[] {
  const links: Link[] = [];
  runs.between(from, to, (start, end, id) => {
    const href = linkOf(sets.map(id));
    if (!href) return;
    const last = links.at(-1);
    if (last?.to === start && last.href === href) links[links.length - 1] = { ...last, to: end };
    else links.push({ from: start, to: end, href });
  });
  return links;
}
