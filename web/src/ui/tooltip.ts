// The words of things that show only an icon, when one rests on them or reaches them by keyboard.
//
// Invariant: one tip for all of them. It repeats their accessible names.

import { keysOf } from '../a11y/shortcuts.ts';
import { positionBeside } from './position.ts';
import { makeTip } from './tip.ts';

const REST_MS = 450;

export function showTips(): void {
  let timer: number | undefined;
  const tip = makeTip('tip', () => clearTimeout(timer));

  const show = (anchor: HTMLElement): void => {
    const words = anchor.dataset.tip;
    if (!words || !anchor.isConnected) return;
    const keys = keysOf(anchor.dataset.tipKeys ?? '').filter(Boolean);
    tip.show(words, ...keys.map(key));
    positionBeside(tip.element, anchor, 'middle');
  };

  const anchorOf = (event: Event): HTMLElement | null =>
    event.target instanceof Element ? event.target.closest<HTMLElement>('[data-tip]') : null;

  document.addEventListener('pointerover', (event) => {
    const anchor = anchorOf(event);
    tip.hide();
    if (anchor && event.pointerType === 'mouse') timer = window.setTimeout(show, REST_MS, anchor);
  });
  document.addEventListener('focusin', (event) => {
    const anchor = anchorOf(event);
    tip.hide();
    if (anchor?.matches(':focus-visible')) show(anchor);
  });
  document.addEventListener('focusout', tip.hide);
  // This part of the page comes late; somebody may be there already.
  const reached = document.querySelector<HTMLElement>('[data-tip]:focus-visible');
  if (reached) show(reached);
}

function key(name: string): HTMLElement {
  const element = document.createElement('kbd');
  element.textContent = name;
  return element;
}
