// Whether a text speaks of somebody: their name as whole words, with or without `@`.

export function mentionsName(text: string, name: string): boolean {
  const words = name.trim().toLowerCase();
  if (words === '') return false;
  const lower = text.toLowerCase();
  for (let at = lower.indexOf(words); at >= 0; at = lower.indexOf(words, at + 1)) {
    const before = lower.slice(0, at);
    const after = lower.slice(at + words.length);
    if (!/[\p{L}\p{N}_]$/u.test(before) && !/^[\p{L}\p{N}_]/u.test(after)) return true;
  }
  return false;
}
