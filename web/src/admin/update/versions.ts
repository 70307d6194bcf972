// What is known about versions, in one sentence. Every page that says something says this.

import { say } from '../words.ts';
import { isNewer, type Status } from './status.ts';

export function aboutVersions(status: Status): string {
  if (!status.latest) return say('update.unknown');
  if (status.currentVersion === null) {
    return `${say('update.latest')}: ${status.latest.version}`;
  }
  if (!isNewer(status)) return say('update.current');
  return say('update.available', { version: status.latest.version });
}
