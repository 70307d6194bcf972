// Field in the header in which the pad gets another title.
//
// Invariant: Enter and leaving the field store what is in it, Escape leaves everything as it was.
// What is too long is neither stored nor cut: it stays in the field.
// An empty title is none: then the pad is called by its address.

import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../i18n/text.ts';
import { isTooLong } from '../ui/field.tsx';
import { useFrame } from './frame.ts';

// As the server has it.
const LONGEST = 200;

interface TitleFieldProps {
  title: string;
  // By keys: then the focus stays here.
  onDone: (byKeys: boolean) => void;
}

export function TitleField({ title, onDone }: TitleFieldProps) {
  const { live, toast } = useFrame();
  const field = useRef<HTMLInputElement>(null);
  const text = useSignal(title);
  const before = useSignal(title);
  const closed = useSignal(false);
  useLayoutEffect(() => field.current?.select(), []);
  const close = (byKeys: boolean): void => {
    closed.value = true;
    onDone(byKeys);
  };
  const store = async (byKeys: boolean): Promise<void> => {
    // Taking the field away makes it lose the focus once more.
    if (closed.peek()) return;
    // It stays, to be made shorter.
    if (isTooLong(text.peek(), LONGEST)) {
      toast({ text: t('title.tooLong', { most: LONGEST }), tone: 'warn' });
      return;
    }
    close(byKeys);
    const wanted = text.peek().trim();
    if (wanted === before.peek()) return;
    if (!(await live.setTitle(wanted))) toast({ text: t('title.failed'), tone: 'warn' });
  };
  return (
    <input
      ref={field}
      class="input title-field"
      aria-label={t('title.label')}
      placeholder={t('title.hint')}
      aria-invalid={isTooLong(text.value, LONGEST) || undefined}
      autocomplete="off"
      enterkeyhint="done"
      dir="auto"
      value={text.value}
      onInput={(event) => {
        text.value = event.currentTarget.value;
      }}
      onKeyDown={(event) => {
        if (event.isComposing || (event.key !== 'Enter' && event.key !== 'Escape')) return;
        event.preventDefault();
        event.stopPropagation();
        if (event.key === 'Enter') void store(true);
        else close(true);
      }}
      onBlur={() => void store(false)}
    />
  );
}
