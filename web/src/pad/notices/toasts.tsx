// Short notices at the foot of the text, which go by themselves.
//
// Invariant: one that is read, by pointer or keyboard, waits until it is not.

import { useEffect, useState } from 'preact/hooks';
import { announce } from '../../a11y/announcer.ts';
import { NoticeBox } from '../../ui/notice.tsx';
import { type Toast, useFrame } from '../frame.ts';

const SHOWN_MS = 8000;

export function Toasts() {
  const { toasts } = useFrame();
  if (toasts.value.length === 0) return null;
  return (
    <div class="toasts">
      {toasts.value.map((toast) => (
        <ToastBox key={toast.id} toast={toast} />
      ))}
    </div>
  );
}

function ToastBox({ toast }: { toast: Toast }) {
  const { dropToast } = useFrame();
  const [held, setHeld] = useState(false);

  useEffect(() => announce(toast.text), [toast]);

  useEffect(() => {
    if (held || toast.sticky) return;
    const timer = setTimeout(() => dropToast(toast.id), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [held, toast, dropToast]);

  const actions = (toast.actions ?? []).map((action) => ({
    ...action,
    act: () => {
      dropToast(toast.id);
      action.act();
    },
  }));
  return (
    <div
      class="toast"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocusIn={() => setHeld(true)}
      onFocusOut={() => setHeld(false)}
    >
      <NoticeBox
        tone={toast.tone ?? 'calm'}
        icon={toast.tone === 'good' ? 'check' : toast.tone === 'warn' ? 'alert' : 'info'}
        actions={actions}
        onDismiss={() => dropToast(toast.id)}
      >
        <p dir="auto">{toast.text}</p>
      </NoticeBox>
    </div>
  );
}
