// Geometry of a chart: numbers to the path of a line, and a round number above them all.

export const WIDTH = 600;
export const HEIGHT = 120;

export type Numbers = readonly (number | null)[];

// The next of 1, 2, 5, 10, 20 … that nothing is above.
export function ceiling(lines: readonly Numbers[]): number {
  const highest = Math.max(0, ...lines.flat().map((number) => number ?? 0));
  if (highest <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(highest));
  const step = [1, 2, 5, 10].find((step) => step * power >= highest) ?? 10;
  return step * power;
}

// Lines between neighbours; where nothing is known there is a gap, and a number alone is a dot.
export function path(numbers: Numbers, top: number): string {
  const last = Math.max(numbers.length - 1, 1);
  let drawn = '';
  numbers.forEach((number, at) => {
    if (number === null) return;
    const x = Math.round((at / last) * WIDTH * 10) / 10;
    const y = Math.round((1 - number / top) * HEIGHT * 10) / 10;
    const before = at > 0 ? (numbers[at - 1] ?? null) : null;
    const after = numbers[at + 1] ?? null;
    drawn += `${before === null ? 'M' : 'L'}${x} ${y}`;
    if (before === null && after === null) drawn += 'h0';
  });
  return drawn;
}

export function newest(numbers: Numbers): number | null {
  return numbers.findLast((number) => number !== null) ?? null;
}

export function highest(numbers: Numbers): number | null {
  const known = numbers.filter((number) => number !== null);
  return known.length > 0 ? Math.max(...known) : null;
}
