// Colours of people.
//
// Invariant: a colour reaches the page only as a custom property set through the style object, and
// only if it is one; the style sheet derives readable shades from it.

const HEX = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i;

export function isColour(text: string | undefined): text is string {
  return text !== undefined && HEX.test(text);
}

// As the fields of browsers and the wire want it: `#rrggbb`.
export function longColour(text: string): string {
  const short = /^#(.)(.)(.)$/.exec(text);
  return (
    short
      ? `#${short
          .slice(1)
          .map((digit) => digit + digit)
          .join('')}`
      : text
  ).toLowerCase();
}

// For a `ref`.
export function tint(colour: string): (element: HTMLElement | SVGElement | null) => void {
  return (element) => {
    if (element && isColour(colour)) element.style.setProperty('--author', colour);
  };
}

// The letters in a round of the person's colour: of the first word, and of the last if there are more.
export function initials(name: string): string {
  const words = name.trim().split(/\s+/u);
  const chosen = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return chosen
    .map((word) => [...(word ?? '')][0] ?? '?')
    .join('')
    .toLocaleUpperCase();
}
