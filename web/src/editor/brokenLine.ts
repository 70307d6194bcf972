// Lines in pieces, none of them longer than a pad's.

import type { Piece } from '../document/html.ts';
import { LONGEST_LINE } from './longLines.ts';

const TOLERATED = 10;

// Breaks a line that is too long, between characters.
export function brokenLine(pieces: readonly Piece[]): readonly Piece[] {
  const length = pieces.reduce((sum, piece) => sum + piece.text.length, 0);
  if (length <= LONGEST_LINE + TOLERATED) return pieces;
  let column = 0;
  return pieces.map(({ text, formats }) => {
    let broken = '';
    for (const character of text) {
      if (column + character.length > LONGEST_LINE) {
        broken += '\n';
        column = 0;
      }
      broken += character;
      column += character.length;
    }
    return { text: broken, formats };
  });
}
