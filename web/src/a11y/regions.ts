// F6 walks through the regions of the page: header, formatting, text, panel.
//
// Invariant: a region is an element with data-region; its first focusable element is where one
// lands, or the one named by data-region-start.

export function focusNextRegion(backwards: boolean): void {
  const regions = [...document.querySelectorAll<HTMLElement>('[data-region]')].filter(
    (element) => element.offsetParent !== null,
  );
  const here = regions.findIndex((element) => element.contains(document.activeElement));
  const step = backwards ? -1 : 1;
  for (let tries = 1; tries <= regions.length; tries += 1) {
    const region = regions.at((here + step * tries + regions.length * 2) % regions.length);
    if (region && focusInside(region)) return;
  }
}

const FOCUSABLE =
  '[contenteditable=true], a[href], button:not(:disabled), input:not(:disabled), textarea, select, [tabindex="0"]';

function focusInside(region: HTMLElement): boolean {
  const start = region.querySelector<HTMLElement>('[data-region-start]');
  const all = [...region.querySelectorAll<HTMLElement>(FOCUSABLE)];
  const target = start ?? all.find((element) => element.tabIndex >= 0 && element.offsetParent);
  target?.focus();
  return target !== undefined && target === document.activeElement;
}
