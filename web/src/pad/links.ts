// Addresses inside a message, told apart from the words around them.
//
// Invariant: only http, https and mailto become links, and joining the parts gives the text back.

export type Part = { text: string; href?: string };

const ADDRESS = /\b(?:https?:\/\/|mailto:|www\.)[^\s<>"']+/giu;

export function splitLinks(text: string): Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const match of text.matchAll(ADDRESS)) {
    const address = withoutTail(match[0]);
    if (match.index > end) parts.push({ text: text.slice(end, match.index) });
    const href = address.toLowerCase().startsWith('www.') ? `https://${address}` : address;
    parts.push(URL.canParse(href) ? { text: address, href } : { text: address });
    end = match.index + address.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end) });
  return parts;
}

// The full stop after an address belongs to the sentence, and so does a bracket it did not open.
function withoutTail(address: string): string {
  let trimmed = address.replace(/[.,;:!?…]+$/u, '');
  const opened = trimmed.split('(').length;
  const closed = trimmed.split(')').length;
  if (trimmed.endsWith(')') && closed > opened) trimmed = withoutTail(trimmed.slice(0, -1));
  return trimmed;
}
