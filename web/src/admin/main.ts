// The admin area: the server writes the shell, the page of its address renders into it.

import './admin.css';
import { readBoot } from './boot.ts';
import { start } from './start.tsx';

const place = document.getElementById('admin');
const boot = document.getElementById('boot')?.textContent;
if (place && boot) void start(place, readBoot(boot));
