// Something that is said beside the text, with what one can do about it.
//
// Invariant: never over the text for good and never modal; who does not answer can go on writing.

import type { ComponentChildren } from 'preact';
import { t } from '../i18n/text.ts';
import { Button, IconButton } from './button.tsx';
import { Icon, type IconName } from './icon.tsx';

export interface Action {
  label: string;
  primary?: boolean;
  act: () => void;
}

interface NoticeProps {
  tone?: 'calm' | 'warn' | 'bad' | 'good';
  icon?: IconName;
  title?: string | undefined;
  actions?: readonly Action[];
  onDismiss?: (() => void) | undefined;
  // Said at once by screen readers; for what the visitor has to know to go on.
  urgent?: boolean;
  children: ComponentChildren;
}

export function NoticeBox(props: NoticeProps) {
  const { tone = 'calm', icon = 'info', title, actions = [], onDismiss, urgent, children } = props;
  return (
    <div class={`notice ${tone}`} role={urgent ? 'alert' : undefined}>
      <Icon name={icon} />
      <div class="notice-text">
        {title && <strong>{title}</strong>}
        {children}
      </div>
      {actions.length > 0 && (
        <div class="notice-actions">
          {actions.map((action) => (
            <Button
              key={action.label}
              kind={action.primary ? 'primary' : 'plain'}
              onClick={action.act}
            >
              {action.label}
            </Button>
          ))}
        </div>
      )}
      {onDismiss && <IconButton icon="close" label={t('common.dismiss')} onClick={onDismiss} />}
    </div>
  );
}
