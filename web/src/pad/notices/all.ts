// All notices: what the visitor sees without asking for it.

import type { Frame } from '../frame.ts';
import { showKey } from './key.ts';
import { countUnread, listenToMentions, listenToNotices } from './listen.ts';
import { askForVersion } from './outdated.ts';
import { listenToPastes } from './pastes.ts';

export function tellAll(frame: Frame): void {
  listenToNotices(frame);
  countUnread(frame);
  listenToMentions(frame);
  showKey(frame);
  askForVersion(frame);
  listenToPastes(frame);
}
