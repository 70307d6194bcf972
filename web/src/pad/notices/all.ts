// Everything that is told to the visitor without being asked for.

import type { Frame } from '../frame.ts';
import { showKey } from './key.ts';
import { countUnread, listenToNotices } from './listen.ts';
import { askForVersion } from './outdated.ts';

export function tellAll(frame: Frame): void {
  listenToNotices(frame);
  countUnread(frame);
  showKey(frame);
  askForVersion(frame);
}
