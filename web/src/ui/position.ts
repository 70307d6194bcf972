// Position of floating elements: beside their anchor, inside the window.
//
// Invariant: coordinates go through the element's style object, which the policy of the page
// allows; style attributes would be refused.

const GAP = 6;

export function positionBeside(
  floating: HTMLElement,
  anchor: Element,
  align: 'start' | 'middle',
): void {
  const around = anchor.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = floating;
  const rightToLeft = getComputedStyle(anchor).direction === 'rtl';
  let left = rightToLeft ? around.right - width : around.left;
  if (align === 'middle') left = around.left + (around.width - width) / 2;
  const below = around.bottom + GAP;
  const top = below + height > innerHeight - GAP ? around.top - GAP - height : below;
  floating.style.left = `${within(left, innerWidth - width)}px`;
  floating.style.top = `${within(top, innerHeight - height)}px`;
}

function within(value: number, most: number): number {
  return Math.max(GAP, Math.min(value, most - GAP));
}
