// A row of tools that is one stop for the Tab key: arrows, Home and End move inside it.
//
// Invariant: exactly one of the tools that can be seen has tabindex 0, the one used last.

import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

interface ToolbarProps {
  label: string;
  class?: string;
  // Up and down are ways through it as well.
  stacked?: boolean;
  children: ComponentChildren;
}

export function Toolbar({ label, class: className = '', stacked, children }: ToolbarProps) {
  const bar = useRef<HTMLDivElement>(null);
  const current = useRef<HTMLElement | null>(null);

  const tools = () =>
    [...(bar.current?.querySelectorAll<HTMLElement>('button') ?? [])].filter(
      (tool) => !tool.closest('[popover]') && tool.checkVisibility({ visibilityProperty: true }),
    );

  const settle = (): void => {
    const all = tools();
    if (!current.current || !all.includes(current.current)) current.current = all[0] ?? null;
    for (const tool of all) tool.tabIndex = tool === current.current ? 0 : -1;
  };

  useLayoutEffect(settle);

  const onKeyDown = (event: KeyboardEvent): void => {
    const all = tools();
    const here = all.indexOf(document.activeElement as HTMLElement);
    // A button that opens a menu has used the key already.
    if (here < 0 || event.defaultPrevented) return;
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const forward = getComputedStyle(bar.current as Element).direction === 'rtl' ? -1 : 1;
    const target = {
      ArrowRight: here + forward,
      ArrowLeft: here - forward,
      Home: 0,
      End: all.length - 1,
      ...(stacked && { ArrowDown: here + 1, ArrowUp: here - 1 }),
    }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    all.at(target % all.length)?.focus();
  };

  return (
    <div
      ref={bar}
      class={`toolbar ${className}`}
      role="toolbar"
      tabIndex={-1}
      aria-label={label}
      onKeyDown={onKeyDown}
      // Pressing a tool must not take the caret out of the text.
      onMouseDown={(event) => event.preventDefault()}
      onFocusIn={(event) => {
        if (!tools().includes(event.target as HTMLElement)) return;
        current.current = event.target as HTMLElement;
        settle();
      }}
    >
      {children}
    </div>
  );
}
