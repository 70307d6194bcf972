// The words of things that show only an icon, when one rests on them or reaches them by keyboard.
//
// Invariant: one tip for the whole page. It repeats the accessible name, so it is hidden from
// screen readers; Escape takes it away, and it never takes the pointer.

import { keysOf } from '../a11y/shortcuts.ts';
import { positionBeside } from './position.ts';

const REST_MS = 450;

export function showTips(): void {
  const tip = document.createElement('div');
  tip.className = 'tip';
  tip.popover = 'manual';
  tip.setAttribute('aria-hidden', 'true');
  document.body.append(tip);

  let timer: number | undefined;

  const hide = (): void => {
    clearTimeout(timer);
    if (tip.matches(':popover-open')) tip.hidePopover();
  };

  const show = (anchor: HTMLElement): void => {
    const words = anchor.dataset.tip;
    if (!words || !anchor.isConnected) return;
    tip.replaceChildren(
      words,
      ...keysOf(anchor.dataset.tipKeys ?? '')
        .filter(Boolean)
        .map(key),
    );
    // Above an open dialog, which was put on top after us.
    if (tip.matches(':popover-open')) tip.hidePopover();
    tip.showPopover();
    positionBeside(tip, anchor, 'middle');
  };

  const anchorOf = (event: Event): HTMLElement | null =>
    event.target instanceof Element ? event.target.closest<HTMLElement>('[data-tip]') : null;

  document.addEventListener('pointerover', (event) => {
    const anchor = anchorOf(event);
    hide();
    if (anchor && event.pointerType === 'mouse') timer = window.setTimeout(show, REST_MS, anchor);
  });
  document.addEventListener('focusin', (event) => {
    const anchor = anchorOf(event);
    hide();
    if (anchor?.matches(':focus-visible')) show(anchor);
  });
  for (const end of ['focusout', 'pointerdown', 'scroll', 'keydown'] as const) {
    document.addEventListener(end, hide, { capture: true, passive: true });
  }
  // This part of the page comes late; somebody may be there already.
  const reached = document.querySelector<HTMLElement>('[data-tip]:focus-visible');
  if (reached) show(reached);
}

function key(name: string): HTMLElement {
  const element = document.createElement('kbd');
  element.textContent = name;
  return element;
}
