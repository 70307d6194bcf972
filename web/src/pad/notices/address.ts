// An address from the settings of the server, if it is one that a link may lead to.

export function safeAddress(address: string | null): string | null {
  if (!address || !URL.canParse(address)) return null;
  return /^(?:https?|mailto):$/.test(new URL(address).protocol) ? address : null;
}
