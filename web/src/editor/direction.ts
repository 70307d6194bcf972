// Which way a line runs: that of its first letter.

import { Facet } from '@codemirror/state';

// Off where the whole text is told to run one way.
export const directionByLine = Facet.define<boolean, boolean>({ combine: ([on]) => on ?? true });

const LETTER = /\p{L}/u;
const SCRIPTS = 'Arabic Hebrew Syriac Thaana Nko Adlam Mandaic Samaritan'.split(' ');
const RIGHT_TO_LEFT = new RegExp(`[${SCRIPTS.map((name) => `\\p{Script=${name}}`).join('')}]`, 'u');

export function isRightToLeft(text: string): boolean {
  const [letter] = LETTER.exec(text) ?? [];
  return letter !== undefined && RIGHT_TO_LEFT.test(letter);
}
