// Whether a text is Markdown.

// More is not looked at, and not offered to be read.
const LONGEST = 200_000;
const FIRST = 20_000;

// Each with how often it has to be there to count.
const SIGNS: readonly (readonly [RegExp, number])[] = [
  [/^#{1,6} \S/gm, 1],
  [/^ {0,3}(?:```|~~~)/gm, 2],
  [/^ *[-*+] (?:\[[ xX]\] )?\S/gm, 2],
  [/^ *\d{1,9}[.)] \S/gm, 2],
  [/^ *[-*+] \[[ xX]\] \S/gm, 1],
  [/\[[^\]\n]+\]\((?:https?:|mailto:|\/|#|\.)[^)\s]*\)/g, 1],
  [/\*\*[^\s*][^*\n]*\*\*|__[^\s_][^_\n]*__/g, 1],
  [/`[^`\n]+`/g, 2],
  [/^> \S/gm, 1],
  [/^ *\|?(?: *:?-{3,}:? *\|)+(?: *:?-{3,}:? *)?$/gm, 1],
];

// Clearly: by more than one of its signs.
export function looksLikeMarkdown(text: string): boolean {
  if (text.length > LONGEST) return false;
  const start = text.slice(0, FIRST);
  const found = SIGNS.filter(([sign, least]) => (start.match(sign)?.length ?? 0) >= least);
  return found.length > 1;
}
