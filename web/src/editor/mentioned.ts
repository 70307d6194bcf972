// What the editor tells the page about a mention of its visitor that somebody else has written.

export const MENTIONED = 'pad-mentioned';

export interface MentionDetail {
  // Who wrote it, if known.
  readonly author: string | undefined;
  // Whether it is on the screen, and somebody looks at it.
  readonly isSeen: boolean;
  // Goes to where it is now.
  show(): void;
}
