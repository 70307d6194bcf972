// What the text gets a moment after it is there: addresses that open, where the others are, and
// what happens by typing.

import type { Extension } from '@codemirror/state';
import type { Authors } from './authors.ts';
import { cursorMarks } from './cursorMarks.ts';
import { headings } from './headings.ts';
import { type LinkWords, linkCard } from './linkCard.ts';
import { links } from './links.ts';
import { markdownTyping } from './markdownTyping.ts';

interface LateWords extends LinkWords {
  readonly unnamed: string;
}

// What the visitor wants to happen while typing.
export interface TypingAids {
  readonly markdown: boolean;
}

interface LateConfig {
  readonly authors: Authors;
  readonly words: LateWords;
  readonly actions: { editLink(): void };
  // Absent where nobody types.
  aids?(): TypingAids;
}

export function lateExtension({ authors, words, actions, aids }: LateConfig): Extension {
  return [
    headings,
    links,
    linkCard(words, () => actions.editLink()),
    cursorMarks(authors, words.unnamed),
    aids ? markdownTyping(() => aids().markdown) : [],
  ];
}
