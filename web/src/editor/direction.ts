// Which way a line runs: that of its first letter. One without letters runs like the page.

import { Facet } from '@codemirror/state';
import { Direction } from '@codemirror/view';

// Off where a setting fixes the direction of the whole text.
export const directionByLine = Facet.define<boolean, boolean>({ combine: ([on]) => on ?? true });

const LETTER = /\p{L}/u;
const SCRIPTS = 'Arabic Hebrew Syriac Thaana Nko Adlam Mandaic Samaritan'.split(' ');
const RIGHT_TO_LEFT = new RegExp(`[${SCRIPTS.map((name) => `\\p{Script=${name}}`).join('')}]`, 'u');

export function directionOf(text: string): Direction | null {
  const [letter] = LETTER.exec(text) ?? [];
  if (letter === undefined) return null;
  return RIGHT_TO_LEFT.test(letter) ? Direction.RTL : Direction.LTR;
}
