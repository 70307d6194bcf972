// What the text gets a moment after it is there: addresses that open, and where the others are.

import type { Extension } from '@codemirror/state';
import type { Authors } from './authors.ts';
import { cursorMarks } from './cursorMarks.ts';
import { type LinkWords, linkCard } from './linkCard.ts';
import { links } from './links.ts';

interface LateWords extends LinkWords {
  readonly unnamed: string;
}

export function lateExtension(authors: Authors, words: LateWords, editLink: () => void): Extension {
  return [links, linkCard(words, editLink), cursorMarks(authors, words.unnamed)];
}
