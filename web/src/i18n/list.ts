// Names as people list them, in the language of the interface: "Ada, Grace and Lin".

import { language } from './text.ts';

export function listOf(names: readonly string[]): string {
  return new Intl.ListFormat(language(), { type: 'conjunction' }).format(names);
}
