// Who wrote this: a tip under the pointer, and a notice for those who use keys.
//
// Invariant: only for a mouse that rests on text. The name is there before the time.

import { t } from '../i18n/text.ts';
import { absoluteTime, relativeTime } from '../i18n/time.ts';
import { prefs } from '../prefs/prefs.ts';
import { tint } from '../theme/colour.ts';
import { makeTip } from '../ui/tip.ts';
import type { Frame } from './frame.ts';
import { nameOf } from './guests.ts';
import type { Written, WrittenTime } from './live.ts';

const REST_MS = 700;
const GAP = 6;

export function isShown(): boolean {
  return prefs.value.whoWrote ?? true;
}

export async function sayAuthor({ live, toast }: Frame): Promise<void> {
  const written = await live.written(null);
  if (!written?.id) {
    toast({ text: t('people.writtenByNobody') });
    return;
  }
  const name = nameFor(written);
  const time = await written.time();
  const when = time && timeText(live, time);
  const text = when ? t('people.writtenAt', { name, when }) : t('people.writtenBy', { name });
  toast({ text });
}

export function showAuthors(frame: Frame, paper: HTMLElement): void {
  let timer: number | undefined;
  const tip = makeTip('tip writer-tip', () => clearTimeout(timer));
  const show = async (x: number, y: number): Promise<void> => {
    const shownFor = timer;
    const written = await frame.live.written({ x, y });
    if (!written?.id || !written.box || shownFor !== timer) return;
    tip.show(...contents(written, ''));
    place(tip.element, written.box);
    const time = await written.time();
    if (!time || shownFor !== timer || !tip.element.matches(':popover-open')) return;
    tip.show(...contents(written, timeText(frame.live, time)));
    place(tip.element, written.box);
  };

  paper.addEventListener('pointermove', (event) => {
    tip.hide();
    if (event.pointerType !== 'mouse' || event.buttons !== 0 || !isShown()) return;
    timer = window.setTimeout(show, REST_MS, event.clientX, event.clientY);
  });
  paper.addEventListener('pointerleave', tip.hide);
}

function contents(written: Written, when: string): (Node | string)[] {
  const dot = document.createElement('span');
  dot.className = 'dot';
  tint(written.colour)(dot);
  const name = document.createElement('span');
  name.dir = 'auto';
  name.textContent = nameFor(written);
  return [dot, name, when && ` · ${when}`];
}

// Below the line, so that it is not in the way of what is read; above at the foot of the window.
function place(tip: HTMLElement, box: { left: number; top: number; bottom: number }): void {
  const { offsetWidth, offsetHeight, style } = tip;
  const isRoomy = box.bottom + GAP + offsetHeight < innerHeight;
  const top = isRoomy ? box.bottom + GAP : box.top - GAP - offsetHeight;
  const left = Math.min(box.left, innerWidth - offsetWidth - GAP);
  style.top = `${top}px`;
  style.left = `${Math.max(GAP, left)}px`;
}

function nameFor(written: Written): string {
  return written.self ? t('people.you') : nameOf(written);
}

function timeText(live: Frame['live'], { time, earlier }: WrittenTime): string {
  const offset = live.info.peek()?.clockOffset ?? 0;
  const ours = time - offset;
  if (earlier) return t('people.writtenBefore', { when: absoluteTime(ours) });
  return relativeTime(ours, Date.now());
}
