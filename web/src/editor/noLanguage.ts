// What the editor's commands ask of a programming language, answered for text that is in none.
//
// The build puts this in the place of `@codemirror/language` and the parser below it, which would
// be a tenth of the page. Invariant: answers only for what keymap.ts uses; the commands that need
// more than this are not part of the page.

// Backspace in leading spaces takes one of them.
export function getIndentUnit(): number {
  return 1;
}

// Named by commands that are left out of the page.
export class IndentContext {}
export const getIndentation = (): null => null;
export const indentString = (): string => '';
export const matchBrackets = (): null => null;
export const syntaxTree = (): null => null;
export const indentUnit = null;
export class NodeProp {}
