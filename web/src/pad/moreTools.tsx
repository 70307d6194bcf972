// The tools that the bar has no room for, with their names.
//
// Invariant: where it lies over the text, it goes with the next thing one does. Where it is a sheet
// between text and bar, it stays until its button is used again or a panel needs the room, and the
// keyboard of the phone too.

import { effect } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../i18n/text.ts';
import { Toolbar } from '../ui/toolbar.tsx';
import type { BarTool } from './bar.tsx';
import { isWide } from './breakpoints.ts';
import { useFrame } from './frame.ts';

interface MoreToolsProps {
  tools: readonly BarTool[];
  byKeys: boolean;
  onClose: () => void;
}

export function MoreTools({ tools, byKeys, onClose }: MoreToolsProps) {
  const { panel } = useFrame();
  const place = useRef<HTMLDivElement>(null);

  const close = (): void => {
    const inside = place.current?.contains(document.activeElement);
    const opener = place.current?.parentElement?.querySelector<HTMLElement>('.more-place button');
    if (inside) opener?.focus();
    onClose();
  };

  useLayoutEffect(() => {
    const element = place.current;
    if (byKeys) element?.querySelector('button')?.focus();
    const onPointerDown = ({ target }: PointerEvent): void => {
      const isBeside = target instanceof Element && !target.closest('.bar');
      if (isBeside && isWide()) close();
    };
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      event.preventDefault();
      close();
    };
    const onClick = ({ target }: MouseEvent): void => {
      const button = target instanceof Element && target.closest('button');
      // A menu is not done yet.
      if (button && !button.hasAttribute('popovertarget') && isWide()) close();
    };
    document.addEventListener('pointerdown', onPointerDown, { capture: true });
    element?.addEventListener('keydown', onKeyDown);
    element?.addEventListener('click', onClick);
    return () => document.removeEventListener('pointerdown', onPointerDown, { capture: true });
  }, []);

  useLayoutEffect(() => {
    const before = panel.peek();
    return effect(() => {
      if (panel.value && panel.value !== before && !isWide()) close();
    });
  }, []);

  return (
    <div ref={place} class="more-tools">
      <Toolbar label={t('bar.more')} class="named" stacked>
        {tools.map(({ id, Tool }) => (
          <div key={id} class="tool">
            <Tool />
          </div>
        ))}
      </Toolbar>
    </div>
  );
}
