// Every setting with its value, as the server tells it.

export interface Row {
  key: string;
  value: unknown;
  default: unknown;
  allowed: string;
  help: string;
  variable: string | null;
  used: boolean;
}

export interface Section {
  title: string;
  rows: readonly Row[];
}

export interface Overview {
  sections: readonly Section[];
  // `null` where administrators may not see it.
  file: { path: string; text: string } | null;
}

export function rowsOf({ sections }: Overview): Row[] {
  return sections.flatMap(({ rows }) => rows);
}
