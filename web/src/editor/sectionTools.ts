// What sections and code blocks need of the page around the text: words, and what it remembers.

export interface SectionTools {
  // Name of the button that folds what is under a heading.
  section(heading: string): string;
  // What stands for lines that are folded.
  folded(lines: number): string;
  copyLink(heading: string): string;
  readonly copied: string;
  readonly language: string;
  readonly noLanguage: string;
  // The address of a heading.
  address(slug: string): string;
  // Slugs of headings whose sections are folded in this browser.
  readFolds(): readonly string[];
  writeFolds(slugs: readonly string[]): void;
}
