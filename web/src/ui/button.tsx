// Buttons: with words, or with an icon and its words as a tip.

import type { ComponentChildren, Ref } from 'preact';
import { ariaShortcut } from '../a11y/shortcuts.ts';
import { Icon, type IconName } from './icon.tsx';

interface ButtonProps {
  icon?: IconName;
  kind?: 'plain' | 'primary' | 'danger';
  type?: 'button' | 'submit';
  disabled?: boolean;
  autofocus?: boolean;
  onClick?: () => void;
  children: ComponentChildren;
}

export function Button({ icon, kind = 'plain', type = 'button', ...rest }: ButtonProps) {
  const { children, ...others } = rest;
  return (
    <button type={type} class={`button ${kind}`} {...others}>
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

interface IconButtonProps {
  icon: IconName;
  label: string;
  shortcut?: string | undefined;
  pressed?: boolean | undefined;
  expanded?: boolean;
  // Greyed, but still reachable: what loses its focus takes the keyboard's place with it.
  unavailable?: boolean;
  badge?: string | undefined;
  class?: string;
  onClick: (event: MouseEvent) => void;
  ref?: Ref<HTMLButtonElement>;
}

export function IconButton(props: IconButtonProps) {
  const { icon, label, shortcut, pressed, expanded, unavailable, badge, onClick, ref } = props;
  return (
    <button
      type="button"
      ref={ref ?? null}
      class={`icon-button ${props.class ?? ''}`}
      aria-label={label}
      aria-pressed={pressed}
      aria-expanded={expanded}
      aria-disabled={unavailable || undefined}
      aria-keyshortcuts={shortcut && ariaShortcut(shortcut)}
      data-tip={label}
      data-tip-keys={shortcut}
      onClick={(event) => !unavailable && onClick(event)}
    >
      <Icon name={icon} />
      {badge && (
        <span class="badge" aria-hidden="true">
          {badge}
        </span>
      )}
    </button>
  );
}
