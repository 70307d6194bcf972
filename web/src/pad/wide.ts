// Whether there is room for the panel beside the text.

export function isWide(): boolean {
  return matchMedia('(min-width: 721px)').matches;
}
