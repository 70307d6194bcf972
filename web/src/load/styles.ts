// Styles of parts that are loaded later, given as text (`?inline`): those of the first paint stay few.
//
// Invariant: a sheet of the page's own, so its policy needs no exception; each is added once.

const added = new Set<string>();

export function addStyles(text: string): void {
  if (added.has(text)) return;
  added.add(text);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  document.adoptedStyleSheets.push(sheet);
}
