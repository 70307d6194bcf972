// What the editor tells the page about something that was pasted.

export const PASTED = 'pad-pasted';

export interface PasteDetail {
  // How many pictures were left out.
  readonly pictures?: number;
}
