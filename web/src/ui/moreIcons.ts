// The icons that the first paint of a pad does without.

import { addIcons } from './icon.tsx';

export const MORE = {
  back: 'M15 5l-7 7 7 7',
  close: 'M6 6l12 12M18 6 6 18',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  forth: 'm9 5 7 7-7 7',
  home: 'M4 11.5 12 4.500l8 7M6.5 9.500V20h11V9.500M10 20v-5.500h4V20',
  pause: 'M8.5 5.500v13M15.5 5.500v13',
  pen: 'M4.5 19.500l1-4L16 5l3 3L8.5 18.500zM13.5 7.500l3 3',
  play: 'M7.5 5v14l11-7z',
  plus: 'M12 5v14M5 12h14',
  puzzle:
    'M9.5 6.500a2.4 2.4 0 1 1 4.4 0h4.600v4.600a2.4 2.4 0 1 1 0 4.400v4.500H5v-4.500a2.4 2.4 0 1 0 0-4.400V6.500z',
  question:
    'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM9.5 9.700a2.6 2.6 0 1 1 3.8 2.300c-.9.5-1.3 1-1.3 2M12 17v.05',
  refresh: 'M20 12a8 8 0 1 1-2.5-5.800L20 8.500M20 3.500v5h-5',
  send: 'M4 12 20 4.5 14.5 20l-3.5-6.500zM11 13.500l4-4',
  up: 'm6 14.5 6-6 6 6',
} as const;

addIcons(MORE);
