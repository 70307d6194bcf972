// All notices: what the visitor sees without asking for it.

import type { Frame } from '../frame.ts';
import { keepKey } from './key.ts';
import { countUnread, listenToMentions, listenToNotices } from './listen.ts';
import { askForVersion } from './outdated.ts';
import { listenToPastes } from './pastes.ts';

export function tellAll(frame: Frame): void {
  listenToNotices(frame);
  countUnread(frame);
  listenToMentions(frame);
  keepKey(frame);
  askForVersion(frame);
  listenToPastes(frame);
}
