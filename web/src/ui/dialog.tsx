// A dialog that the visitor asked for, on the browser's own <dialog>.
//
// Invariant: it is open as long as it is rendered. The browser keeps the focus inside and gives it
// back afterwards; Escape, the cross and a click beside it all end in `onClose`, once.

import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../i18n/text.ts';
import { IconButton } from './button.tsx';

interface DialogProps {
  title: string;
  // A drawer stands at the side, so that one sees the text change while choosing. A palette has its
  // title only for those who hear it.
  shape?: 'box' | 'drawer' | 'palette';
  onClose: () => void;
  children: ComponentChildren;
}

export function Dialog({ title, shape = 'box', onClose, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const heading = useId();
  // Where the focus was, because the element that opened us may be inside a menu that is gone.
  const opener = useRef(document.activeElement);

  // Not after the next paint, as `useEffect` would: a key pressed meanwhile would be lost.
  useLayoutEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    return () => {
      dialog?.close();
      if (opener.current instanceof HTMLElement) opener.current.focus();
    };
  }, []);

  return (
    <dialog
      ref={element}
      class={`dialog ${shape}`}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onPointerDown={(event) => event.target === element.current && onClose()}
    >
      <div class="dialog-body">
        {shape === 'palette' ? (
          <h2 id={heading} class="only-heard">
            {title}
          </h2>
        ) : (
          <div class="dialog-head">
            <h2 id={heading}>{title}</h2>
            <IconButton icon="close" label={t('common.close')} onClick={onClose} />
          </div>
        )}
        {children}
      </div>
    </dialog>
  );
}
