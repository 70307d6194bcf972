// The element of a tip: words beside something, above everything.
//
// Invariant: it repeats what can be learned otherwise, so it is hidden from screen readers, and it
// never takes the pointer. What the visitor does next takes it away.

export interface Tip {
  readonly element: HTMLElement;
  // With other contents it is on top again, also of a dialog that was opened after it.
  show(...contents: (Node | string)[]): void;
  hide(): void;
}

export function makeTip(className: string, onHide: () => void): Tip {
  const element = document.createElement('div');
  element.className = className;
  element.popover = 'manual';
  element.setAttribute('aria-hidden', 'true');
  document.body.append(element);

  const close = (): void => {
    if (element.matches(':popover-open')) element.hidePopover();
  };
  const hide = (): void => {
    onHide();
    close();
  };
  for (const end of ['pointerdown', 'scroll', 'keydown'] as const) {
    document.addEventListener(end, hide, { capture: true, passive: true });
  }
  return {
    element,
    hide,
    show(...contents) {
      close();
      element.replaceChildren(...contents);
      element.showPopover();
    },
  };
}
