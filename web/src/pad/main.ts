// The pad page: the server writes the shell, the frame renders into it.

import './pad.css';
import { readBoot } from './boot.ts';
import { openPad } from './live.ts';
import { start } from './start.tsx';

const place = document.getElementById('pad');
const boot = document.getElementById('boot')?.textContent;
if (place && boot) void start(place, readBoot(boot), openPad);
