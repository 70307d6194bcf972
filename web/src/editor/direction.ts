// Which way a line runs: that of its first letter.

import { Facet } from '@codemirror/state';

// Off where the whole text is told to run one way.
export const directionByLine = Facet.define<boolean, boolean>({ combine: ([on]) => on ?? true });

const LETTER = /\p{L}/u;
const RIGHT_TO_LEFT =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}\p{Script=Mandaic}\p{Script=Samaritan}]/u;

export function isRightToLeft(text: string): boolean {
  const [letter] = LETTER.exec(text) ?? [];
  return letter !== undefined && RIGHT_TO_LEFT.test(letter);
}
