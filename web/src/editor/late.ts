// What the text gets a moment after it is there: addresses that open, where the others are, and
// what happens by typing.

import { Compartment, type Extension, type Transaction } from '@codemirror/state';
import { type EditorView, ViewPlugin } from '@codemirror/view';
import type { Authors } from './authors.ts';
import { cursorMarks } from './cursorMarks.ts';
import { headings } from './headings.ts';
import { type LinkWords, linkCard } from './linkCard.ts';
import { links } from './links.ts';
import { listStarts } from './listStarts.ts';
import { markdownPaste } from './markdownPaste.ts';
import { catchUp, markdownTyping } from './markdownTyping.ts';
import { mentions } from './mentions.ts';
import type { SectionTools } from './sectionTools.ts';
import { type SuggestionSource, suggestions } from './suggest.ts';
import { tabLeaves } from './tabLeaves.ts';

interface LateWords extends LinkWords {
  unnamed(author: string): string;
  sections(): Promise<SectionTools>;
}

// What the visitor wants to happen while typing.
export interface TypingAids {
  markdown(): boolean;
  sources(authors: Authors): Promise<readonly SuggestionSource[]>;
}

interface LateConfig {
  readonly authors: Authors;
  readonly words: LateWords;
  readonly actions: { editLink(): void };
  // Absent where nobody types.
  readonly aids?: TypingAids;
}

export function lateExtension({ authors, words, actions, aids }: LateConfig): Extension {
  return [
    headings,
    lateSections(() => words.sections()),
    links,
    linkCard(words, () => actions.editLink()),
    cursorMarks(authors, words.unnamed),
    mentions,
    tabLeaves,
    listStarts,
    aids
      ? [markdownTyping(aids.markdown), markdownPaste, suggestions(() => aids.sources(authors))]
      : [],
  ];
}

// After the extension is in place, with what was done before.
export function catchUpOn(
  view: EditorView,
  { aids }: LateConfig,
  done: readonly Transaction[],
): void {
  if (aids?.markdown() && !view.composing && !view.state.readOnly) catchUp(view, done);
}

// Folding and code blocks, with the words that come after those of the first paint.
function lateSections(tools: () => Promise<SectionTools>): Extension {
  const place = new Compartment();
  const arriving = ViewPlugin.define((view) => {
    let gone = false;
    Promise.all([import('./sections.ts'), tools()])
      .then(([part, words]) => {
        if (!gone) view.dispatch({ effects: place.reconfigure(part.sectionExtension(words)) });
      })
      .catch(() => {});
    return {
      destroy: () => {
        gone = true;
      },
    };
  });
  return [place.of([]), arriving];
}
