// What changes between two texts, line by line.
//
// Invariant: pure; following the lines of one kind gives that text back. Texts are of thousands of
// lines at most: what is the same at both ends is set aside, and of the rest the longest common part
// is kept, unless it is so long that all of it counts as changed.

export interface Line {
  kind: 'same' | 'old' | 'new';
  text: string;
}

const MOST_CELLS = 4_000_000;

export function lineDiff(before: string, after: string): Line[] {
  const [a, b] = [before.split('\n'), after.split('\n')];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) {
    end += 1;
  }
  const same = (text: string): Line => ({ kind: 'same', text });
  return [
    ...a.slice(0, start).map(same),
    ...middle(a.slice(start, a.length - end), b.slice(start, b.length - end)),
    ...a.slice(a.length - end).map(same),
  ];
}

function middle(a: readonly string[], b: readonly string[]): Line[] {
  const old = (text: string): Line => ({ kind: 'old', text });
  const fresh = (text: string): Line => ({ kind: 'new', text });
  if (a.length * b.length > MOST_CELLS) return [...a.map(old), ...b.map(fresh)];
  // How long the longest common part of what follows two places is.
  const width = b.length + 1;
  const common = new Uint16Array((a.length + 1) * width);
  const at = (i: number, j: number): number => common[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const longest = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
      common[i * width + j] = longest;
    }
  }
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const [one, other] = [a[i], b[j]];
    if (one !== undefined && one === other) {
      lines.push({ kind: 'same', text: one });
      i += 1;
      j += 1;
    } else if (other === undefined || (one !== undefined && at(i + 1, j) >= at(i, j + 1))) {
      lines.push(old(one ?? ''));
      i += 1;
    } else {
      lines.push(fresh(other));
      j += 1;
    }
  }
  return lines;
}

// Only what changes, with a few lines around it; `null` stands for what is left out.
export function excerpt(lines: readonly Line[], around: number): (Line | null)[] {
  const near = (index: number): boolean =>
    lines
      .slice(Math.max(0, index - around), index + around + 1)
      .some(({ kind }) => kind !== 'same');
  const shown: (Line | null)[] = [];
  for (const [index, line] of lines.entries()) {
    if (near(index)) shown.push(line);
    else if (shown.at(-1) !== null) shown.push(null);
  }
  return shown;
}
