// Breakpoints of the layout that scripts need.

export function isWide(): boolean {
  return matchMedia('(min-width: 721px)').matches;
}

export function hasFingers(): boolean {
  return matchMedia('(pointer: coarse)').matches;
}
