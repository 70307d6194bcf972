// The pads this browser has opened lately: links, each with a way to be forgotten.

import { format } from '../i18n/message.ts';
import {
  clearRecent,
  forgetPad,
  keepRecent,
  type RecentPad,
  recentKept,
  recentPads,
} from '../prefs/recent.ts';

export function showRecent(section: HTMLElement): void {
  const list = section.querySelector('ul');
  const keep = section.querySelector<HTMLInputElement>('[name=keep]');
  const clear = section.querySelector<HTMLButtonElement>('[name=clear]');
  if (!list || !keep || !clear) return;

  const draw = (): void => {
    const pads = recentPads();
    list.replaceChildren(...pads.map((pad) => entry(section, pad, draw)));
    keep.checked = recentKept();
    clear.hidden = pads.length === 0;
    // People who switched it off must find the switch again; those who never opened a pad needs none.
    section.hidden = pads.length === 0 && keep.checked;
  };

  keep.addEventListener('change', () => {
    keepRecent(keep.checked);
    draw();
  });
  clear.addEventListener('click', () => {
    clearRecent();
    draw();
    document.getElementById('name')?.focus();
  });
  // Another tab may have opened a pad, or this page comes back from one.
  addEventListener('storage', draw);
  addEventListener('pageshow', draw);
  draw();
}

function entry(section: HTMLElement, pad: RecentPad, draw: () => void): HTMLElement {
  const language = document.documentElement.lang;
  const link = document.createElement('a');
  link.href = `${section.dataset.pads}${encodeURIComponent(pad.id)}`;
  const name = pad.title || pad.id;
  link.textContent = name;
  link.title = pad.id;
  link.dir = 'auto';

  const time = document.createElement('time');
  const date = new Date(pad.time);
  time.dateTime = date.toISOString();
  time.textContent = new Intl.DateTimeFormat(language, { dateStyle: 'medium' }).format(date);

  const forget = document.createElement('button');
  forget.type = 'button';
  forget.className = 'forget';
  forget.textContent = '×';
  const label = format(section.dataset.forget ?? '', { name }, language);
  forget.setAttribute('aria-label', label);
  forget.title = label;
  forget.addEventListener('click', () => {
    forgetPad(pad.id);
    draw();
  });

  const item = document.createElement('li');
  item.append(link, time, forget);
  return item;
}
