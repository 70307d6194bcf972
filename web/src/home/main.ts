// The start page. The server writes its HTML and it works without us: both forms lead to a pad.
// This adds the pads this browser has opened, and keeps the state of the server honest.
//
// Invariant: every sentence a reader sees comes from the server, in the reader's language.

import './home.css';
import { watchHealth } from './health.ts';
import { showRecent } from './recent.ts';

const recent = document.querySelector<HTMLElement>('.recent');
if (recent) showRecent(recent);

const status = document.querySelector<HTMLElement>('.status[data-health]');
if (status) watchHealth(status);
