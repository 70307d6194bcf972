// What changes without the visitor's doing, said to screen readers.
//
// Invariant: one live region, and at most one sentence in a second and a half: a crowd that joins
// is one breath, not twenty. The newest of equal sentences wins, nothing is said twice in a row.

const PAUSE_MS = 1500;
const LIMIT = 5;

let region: HTMLElement | undefined;
let speaking = false;
let waiting: string[] = [];

export function announce(sentence: string): void {
  waiting = [...waiting.filter((other) => other !== sentence), sentence].slice(-LIMIT);
  region ??= createRegion();
  if (speaking) return;
  speaking = true;
  // A region must be there before its words, or some readers miss them.
  setTimeout(speak);
}

function speak(): void {
  if (region) region.textContent = waiting.join(' ');
  waiting = [];
  setTimeout(() => {
    if (waiting.length > 0) speak();
    else speaking = false;
  }, PAUSE_MS);
}

function createRegion(): HTMLElement {
  const element = document.createElement('div');
  element.className = 'only-heard';
  element.setAttribute('aria-live', 'polite');
  element.id = 'announcer';
  document.body.append(element);
  return element;
}
