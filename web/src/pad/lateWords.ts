// What the editor shows of words a moment after the text is there.

export { searchWords } from './searchWords.ts';
export { sectionTools } from './sectionTools.ts';
