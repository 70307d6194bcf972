// Every setting with its value, as the server tells it.

import type { Note } from './verdict.ts';

export type Kind = 'flag' | 'whole' | 'text' | 'secret' | 'choice' | 'list' | 'object';

export interface Row {
  key: string;
  // What people call it; without one, its key.
  label?: string;
  // The language of the label, the help and what is allowed, unless it is English.
  lang?: string;
  kind: Kind;
  // In force now, and after another start.
  value: unknown;
  next: unknown;
  default: unknown;
  allowed: string;
  help: string;
  variable: string | null;
  // What has another say than the file: a variable, or an option of the command line.
  overruled: string | null;
  // Whether only the file itself can change it.
  locked: boolean;
  // Whether the file has it, as which value, and the variable that it names instead of one.
  given: boolean;
  written: unknown;
  placeholder: string | null;
  least?: number;
  most?: number;
  options?: readonly string[];
}

export interface Section {
  // In English; in the reader's language.
  title: string;
  heading?: string;
  rows: readonly Row[];
}

export interface Overview {
  sections: readonly Section[];
  // `null` where administrators may not see it; without a text where it cannot be read.
  file: { path: string; text: string } | { path: string; text: null; problems: Note[] } | null;
}

export function rowsOf({ sections }: Overview): Row[] {
  return sections.flatMap(({ rows }) => rows);
}

// Those of which the key, the name or the help has the words, by section.
export function found(sections: readonly Section[], words: string): Section[] {
  const wanted = words.trim().toLowerCase();
  const matches = ({ key, label, help }: Row): boolean =>
    `${key} ${label ?? ''} ${help}`.toLowerCase().includes(wanted);
  return sections
    .map((section) => ({ ...section, rows: section.rows.filter(matches) }))
    .filter(({ rows }) => rows.length > 0);
}
