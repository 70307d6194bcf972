// The icons, drawn by us as strokes on a grid of 24.
//
// Invariant: an icon is never the only name of a thing. It is hidden from screen readers, and
// the component that shows it gives the words.

import type { MORE } from './moreIcons.ts';

const PATHS = {
  alert: 'M12 4 2.8 19.500h18.400zM12 10v4.500M12 17.200v.05',
  align: 'M4 5h16M4 9.500h10M4 14h16M4 18.500h10',
  bold: 'M7 5h5.800a3.4 3.4 0 0 1 0 6.800H7zM7 11.800h6.800a3.6 3.6 0 0 1 0 7.200H7z',
  bullets: 'M9 6h11M9 12h11M9 18h11M4.5 6v.05M4.5 12v.05M4.5 18v.05',
  chat: 'M4 5h16v11H9.500L5 20v-4H4z',
  check: 'm5 12.8 4.5 4.500L19 7.5',
  clearFormat: 'M6 5h12M12 5l-2.5 14M7 19h5M15 15l5 5M20 15l-5 5',
  cloudOff: 'M3 3l18 18M9 7a6 6 0 0 1 8.5 4A4 4 0 0 1 20 17.500M15.5 19H7a4.5 4.5 0 0 1-.8-8.9',
  down: 'm6 9.5 6 6 6-6',
  download: 'M12 4v11M7.5 10.5 12 15l4.5-4.500M5 20h14',
  drop: 'M12 3.500s6 6.2 6 10.800a6 6 0 0 1-12 0C6 9.7 12 3.5 12 3.500z',
  eye: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6z',
  font: 'M3 18.500 8 5.500l5 13M5 14h6M18 18.500a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM21 12.500v6',
  gear: 'M12 15.200a3.2 3.2 0 1 0 0-6.4 3.2 3.2 0 0 0 0 6.400zM12 2.800v3M12 18.200v3M2.8 12h3M18.2 12h3M5.5 5.500l2.1 2.100M16.4 16.400l2.1 2.100M18.5 5.500l-2.1 2.100M7.6 16.400l-2.1 2.1',
  history: 'M3.5 12a8.5 8.5 0 1 0 2.8-6.300L3.5 8.200M3.5 3.500v4.700h4.700M12 7.500V12l3 2',
  indent: 'M20 6H4M20 12h-9M20 18H4M4 9.5 6.8 12 4 14.5',
  info: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 11v5.500M12 7.500v.05',
  italic: 'M10.5 5H18M6 19h7.500M14.5 5l-5 14',
  keyboard: 'M3 6.500h18v11H3zM7 10.500v.05M10.5 10.500v.05M14 10.500v.05M17.5 10.500v.05M8 14h8',
  link: 'M10 14a4 4 0 0 0 5.7 0l3-3A4 4 0 0 0 13 5.300l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3A4 4 0 0 0 11 18.700l1-1',
  marker: 'M5 20h14M9 15.500 7.5 14 15 5l4 4-7 6.500zM8.5 15 6.5 17',
  more: 'M12 5.500v.05M12 12v.05M12 18.500v.05',
  numbers:
    'M10 6h10M10 12h10M10 18h10M4 4.5 5.2 4v4.500M3.8 15.200c.3-1 2.2-1 2.2.2 0 .9-2.2 2-2.2 3.100H6.2',
  outdent: 'M20 6H4M20 12h-9M20 18H4M7 9.5 4.2 12 7 14.5',
  outline: 'M4 6h9M8 12h12M8 18h8M4 10v8',
  page: 'M6 3.500h8.500L18.5 7.500v13H6zM9.5 12h5.500M9.5 16h4',
  people:
    'M9 11.500a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 19.500c0-3.6 2.9-5.5 6.5-5.500s6.5 1.9 6.5 5.500M16 4.900a3.3 3.3 0 0 1 0 6.200M18 14.500c2.2.8 3.5 2.5 3.5 5',
  redo: 'm15 4.5 5 5-5 5M20 9.500H10a5.5 5.5 0 0 0 0 11h3',
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM20 20l-4.7-4.7',
  share: 'M12 3.500V15M8 7.500l4-4 4 4M5 13v7h14v-7',
  star: 'm12 4 2.5 5.1 5.6.8-4.1 4 1 5.6-5-2.6-5 2.6 1-5.6-4.1-4 5.6-.8z',
  strikethrough:
    'M16.8 7.500C16.2 5.7 14.4 4.600 12 4.600c-2.7 0-4.6 1.4-4.6 3.600 0 1.6 1 2.800 3 3.800M4 12h16M7 16.300c.6 1.9 2.5 3.100 5 3.100 2.900 0 4.900-1.5 4.900-3.800 0-.6-.1-1.100-.4-1.600',
  sync: 'M4 10.500a8 8 0 0 1 14-3.300L20 9.500M20 4.500v5h-5M20 13.500a8 8 0 0 1-14 3.300L4 14.500M4 19.500v-5h5',
  tasks: 'm4 6.5 1.7 1.700L8.5 5M4 16.500l1.7 1.700L8.5 15M12 6.500h8M12 16.500h8',
  trash: 'M4.5 6.500h15M9 6.500V4h6v2.500M6.5 6.5 7.5 20h9l1-13.500M10 10.500v6M14 10.500v6',
  underline: 'M7 4.500v6.500a5 5 0 0 0 10 0V4.500M5.5 20h13',
  undo: 'm9 4.5-5 5 5 5M4 9.500h10a5.5 5.5 0 0 1 0 11h-3',
} as const;

export type IconName = keyof typeof PATHS | keyof typeof MORE;

const known: Partial<Record<IconName, string>> = PATHS;

export function addIcons(paths: typeof known): void {
  Object.assign(known, paths);
}

export const iconPath = (name: IconName) => known[name];

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" data-icon={name}>
      <path d={known[name]} />
    </svg>
  );
}
