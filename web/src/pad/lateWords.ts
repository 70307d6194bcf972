// What the editor shows of words a moment after the text is there.

export { searchTools } from './find/tools.ts';
export { sectionTools } from './sectionTools.ts';
