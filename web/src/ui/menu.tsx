// A button that opens a menu of actions or of choices.
//
// Invariant: follows the menu button pattern: arrows, Home and End move, a letter jumps, Escape and
// Tab close and give the focus back to the button. The focus is back before an action runs, so that
// a dialog it opens returns there as well.

import type { ComponentChildren, TargetedToggleEvent } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Icon, type IconName } from './icon.tsx';
import { positionBeside } from './position.ts';

export type MenuItem =
  | { kind?: 'action'; icon?: IconName; label: string; keys?: string; act: () => void }
  | { kind: 'link'; icon?: IconName; label: string; href: string }
  | {
      kind: 'choice';
      label: string;
      chosen: boolean;
      keys?: string;
      class?: string;
      act: () => void;
    }
  | { kind: 'check'; label: string; chosen: boolean; keys?: string; act: () => void }
  // What is more than a line.
  | { kind: 'part'; label: string; draw: (act: Act) => ComponentChildren }
  | { kind: 'line' };

// Closes the menu before.
export type Act = (action: () => void) => void;

export interface MenuProps {
  label: string;
  class?: string;
  tip?: boolean;
  items: readonly MenuItem[];
  // For those whose items come late.
  onOpen?: () => unknown;
  children: ComponentChildren;
}

export function Menu({
  label,
  class: className = 'icon-button',
  tip = true,
  items,
  onOpen,
  children,
}: MenuProps) {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();

  const entries = () => [
    ...(list.current?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? []),
  ];

  const onToggle = (event: TargetedToggleEvent<HTMLDivElement>): void => {
    const opens = event.newState === 'open';
    setOpen(opens);
    if (opens) onOpen?.();
    if (opens && !list.current?.contains(document.activeElement)) arrive(0);
  };

  const arrive = (index: number): void => {
    if (!list.current || !button.current) return;
    positionBeside(list.current, button.current, 'start');
    entries().at(index)?.focus();
  };

  useEffect(() => {
    if (open) arrive(0);
  }, [items.length > 0]);

  const hide = (): void => {
    button.current?.focus();
    list.current?.hidePopover();
  };

  const act: Act = (action) => {
    hide();
    action();
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    const all = entries();
    const here = all.indexOf(document.activeElement as HTMLElement);
    const inRow = all[here]?.classList.contains('swatch') === true;
    const after = document.dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
    const to = (index: number): void => {
      event.preventDefault();
      all.at(index % all.length)?.focus();
    };
    if (event.key === 'ArrowDown') to(here + 1);
    else if (event.key === 'ArrowUp') to(here - 1);
    else if (inRow && event.key === after) to(here + 1);
    else if (inRow && /^Arrow/.test(event.key)) to(here - 1);
    else if (event.key === 'Home') to(0);
    else if (event.key === 'End') to(-1);
    else if (event.key === 'Escape' || event.key === 'Tab') {
      event.preventDefault();
      event.stopPropagation();
      hide();
    } else if (event.key.length === 1 && event.key !== ' ') {
      const letter = event.key.toLowerCase();
      const rest = [...all.slice(here + 1), ...all.slice(0, here + 1)];
      rest.find((item) => item.textContent?.trim().toLowerCase().startsWith(letter))?.focus();
    }
  };

  return (
    <>
      <button
        type="button"
        ref={button}
        class={className}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={id}
        data-tip={tip && !open ? label : undefined}
        // The browser's own way to open it knows that a click on the button is not one beside it.
        popovertarget={id}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
          event.preventDefault();
          list.current?.showPopover();
          arrive(event.key === 'ArrowUp' ? -1 : 0);
        }}
      >
        {children}
      </button>
      <div
        ref={list}
        id={id}
        class="menu"
        role="menu"
        tabIndex={-1}
        aria-label={label}
        popover="auto"
        onKeyDown={onKeyDown}
        onToggle={onToggle}
      >
        {items.map((item, index) => (
          <Entry key={item.kind === 'line' ? `line ${index}` : item.label} item={item} act={act} />
        ))}
      </div>
    </>
  );
}

function Entry({ item, act }: { item: MenuItem; act: Act }): ComponentChildren {
  if (item.kind === 'line') return <hr />;
  if (item.kind === 'link') {
    return (
      // A link may lead to a file, and then the page stays.
      <a
        class="menu-item"
        role="menuitem"
        tabIndex={-1}
        href={item.href}
        onClick={() => act(() => {})}
      >
        {item.icon && <Icon name={item.icon} />}
        <span>{item.label}</span>
      </a>
    );
  }
  if (item.kind === 'part') return item.draw(act);
  if (item.kind === 'choice' || item.kind === 'check') {
    const role = item.kind === 'check' ? 'menuitemcheckbox' : 'menuitemradio';
    return (
      <button
        type="button"
        class="menu-item"
        {...{ role, 'aria-checked': item.chosen }}
        tabIndex={-1}
        onClick={() => act(item.act)}
      >
        <Icon name="check" />
        <span class={item.kind === 'choice' ? item.class : undefined}>{item.label}</span>
        {item.keys && <kbd>{item.keys}</kbd>}
      </button>
    );
  }
  return (
    <button
      type="button"
      class="menu-item"
      role="menuitem"
      tabIndex={-1}
      onClick={() => act(item.act)}
    >
      {item.icon && <Icon name={item.icon} />}
      <span>{item.label}</span>
      {item.keys && <kbd>{item.keys}</kbd>}
    </button>
  );
}
