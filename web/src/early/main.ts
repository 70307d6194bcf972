// The script in the pad's page itself: it opens the connection and asks for the text, which then comes
// along with the scripts and not after them.
//
// Invariant: a plain script, built as one file; the page's policy names it by its content.

import { endpoint, openEarly, windowName } from '../net/early.ts';
import { clientReady } from '../net/ready.ts';
import { readBoot } from '../pad/boot.ts';
import { readParameters, wishesOf } from '../pad/parameters.ts';

const text = document.getElementById('boot')?.textContent;
const boot = text && readBoot(text);
if (boot && boot.view === 'pad') {
  const { padId, base } = boot;
  const { userName, userColour, template, title } = wishesOf(readParameters(location.search));
  const window = windowName();
  const visitor = { name: userName, colour: userColour, window, endWindows: [] };
  const more = { ...(template ? { template } : {}), ...(title ? { title } : {}) };
  globalThis.window.earlySocket = openEarly(
    endpoint(base, padId),
    window,
    clientReady(padId, visitor, more),
  );
}
