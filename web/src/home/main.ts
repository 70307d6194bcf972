// The start page. The server writes its HTML and it works without us: both forms lead to a pad.
// This adds the pads this browser has opened, and keeps the state of the server honest.
//
// Invariant: every sentence a reader sees comes from the server, in the reader's language.

import './home.css';
import { read } from '../prefs/storage.ts';
import { watchHealth } from './health.ts';
import { watchLength } from './length.ts';
import { showRecent } from './recent.ts';

// What somebody has chosen for pads holds here too.
const { theme } = (read('prefs') ?? {}) as { theme?: unknown };
if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;

const recent = document.querySelector<HTMLElement>('.recent');
if (recent) showRecent(recent);

for (const field of document.querySelectorAll<HTMLInputElement>('input[pattern]')) {
  watchLength(field);
}

const status = document.querySelector<HTMLElement>('.status[data-health]');
if (status) watchHealth(status);
