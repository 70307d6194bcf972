// What the settings are called and mean, in the reader's language.
//
// Invariant: texts/en.json says what the table of settings says; every language has the same keys
// (crates/settings/src/tests/texts.rs). What is missing is in the words of the server, in English.

import type { Row, Section } from './overview.ts';

export interface SettingTexts {
  // By the English title.
  sections: Record<string, string>;
  settings: Record<string, { label: string; help: string; allowed?: string }>;
}

const chunks = import.meta.glob<SettingTexts>('./texts/*.json', { import: 'default' });

export async function loadTexts(code: string): Promise<SettingTexts | undefined> {
  const load = chunks[`./texts/${code}.json`];
  return load?.().catch(() => undefined);
}

export function translated(
  sections: readonly Section[],
  texts: SettingTexts,
  code: string,
): Section[] {
  return sections.map((section) => ({
    ...section,
    heading: texts.sections[section.title] ?? section.title,
    rows: section.rows.map((row) => translatedRow(row, texts, code)),
  }));
}

function translatedRow(row: Row, texts: SettingTexts, code: string): Row {
  const text = texts.settings[row.key];
  // Texts without a description of what is allowed are those where everything is.
  return text ? { ...row, lang: code, allowed: '', ...text } : row;
}

// What may be written into a field that does not show it by itself.
export function permitted(row: Row): string {
  if (row.kind === 'whole') return `${row.least} – ${row.most}`;
  if (row.kind === 'choice') return row.options?.join(', ') ?? '';
  return row.kind === 'flag' || row.kind === 'secret' ? '' : row.allowed;
}
