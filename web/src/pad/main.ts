// The pad page: the server writes the shell, the frame renders into it.

import './pad.css';
import '../editor/editor.css';
import '../editor/formats.css';
import '../editor/people.css';
import { useOwnSentences } from '../i18n/text.ts';
import { type Boot, readBoot } from './boot.ts';
import { openPad } from './live.ts';
import { start } from './start.tsx';

const place = document.getElementById('pad');
const boot = document.getElementById('boot')?.textContent;
if (place && boot) void show(place, readBoot(boot));

async function show(place: HTMLElement, boot: Boot): Promise<void> {
  useOwnSentences(boot.texts);
  if (boot.view === 'pad') await start(place, boot, openPad);
  else await (await import('../history/start.tsx')).start(place, boot);
}
