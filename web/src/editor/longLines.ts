// Text from elsewhere, with line ends as pads have them.

// A line of more units is broken, as every program for pads does.
export const LONGEST_LINE = 2_000;

export function breakLongLines(text: string): string {
  const lines = text.replace(/\r\n?/g, '\n');
  if (lines.length <= LONGEST_LINE) return lines;
  return lines.replace(new RegExp(`[^\\n]{${LONGEST_LINE}}(?=[^\\n]{10})`, 'gu'), '$&\n');
}
