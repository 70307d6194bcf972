// The buttons of the page, by the names that the settings have for them.

import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { KEYS } from '../editor/keyTable.ts';
import { t } from '../i18n/text.ts';
import { later } from '../load/later.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';
import { Menu, type MenuProps } from '../ui/menu.tsx';
import { togglePanel } from './actions.ts';
import { Avatars } from './avatars.tsx';
import type { ButtonName } from './buttonNames.ts';
import {
  COMMANDS,
  type Command,
  type CommandName,
  commandOf,
  historyAddress,
  keysTextOf,
  labelOf,
  mayWrite,
} from './commands.ts';
import { type Frame, useFrame } from './frame.ts';
import type { LateMenuName, MENUS } from './lateMenus.ts';
import { withSentences } from './latePart.ts';

// The button of the chat is there without being set.
export type ToolName = ButtonName | 'chat';

const lateMenus = signal<typeof MENUS | null>(null);
const menus = later(
  withSentences(async () => {
    lateMenus.value = (await import('./lateMenus.ts')).MENUS;
  }),
);

// What is more than a button for a command.
const PARTS: Partial<Record<ToolName, (frame: Frame) => ComponentChildren>> = {
  style: () => <StyleMenu />,
  fonts: ({ view }) => view.value.fonts && <LateMenu name="fonts" icon="font" />,
  formats: () => <LateMenu name="formats" icon="marker" />,
  align: () => <LateMenu name="align" icon="align" />,
  authorship: () => <LateMenu name="authorship" icon="drop" />,
  outline: (frame) => (
    <IconButton
      icon="outline"
      label={t('bar.outline')}
      expanded={frame.panel.value === 'outline'}
      onClick={() => COMMANDS.outline.run(frame)}
    />
  ),
  showusers: (frame) => <Avatars onOpen={() => togglePanel(frame, 'people')} />,
  timeslider: (frame) => (
    <a
      class="icon-button on-wide"
      href={historyAddress(frame)}
      aria-label={t('header.history')}
      data-tip={t('header.history')}
    >
      <Icon name="history" />
    </a>
  ),
  chat: (frame) => {
    const { panel, unread, unreadMentions, view } = frame;
    const sign = unreadMentions.value > 0 ? '@' : '';
    return (
      view.value.chat && (
        <IconButton
          icon="chat"
          label={labelOf(COMMANDS.chat, frame)}
          shortcut={KEYS.altC}
          expanded={panel.value === 'chat'}
          badge={unread.value > 0 ? sign + countText(unread.value) : undefined}
          onClick={() => togglePanel(frame, 'chat')}
        />
      )
    );
  },
  embed: (frame) => (
    <span class="share-button">
      <Button icon="share" kind="primary" onClick={() => COMMANDS.embed.run(frame)}>
        <span class="share-word">{t('header.share')}</span>
      </Button>
    </span>
  ),
};

// In a narrow window these are in the menu alone.
const ON_WIDE: readonly ToolName[] = ['importexport', 'settings', 'savedrevision'];
// They are nothing to those who only read; the bar is not theirs at all.
const FOR_WRITERS: readonly ToolName[] = ['savedrevision', 'clearauthorship'];

// One of them; the menu has those that a narrow window has no room for.
export function Tool({ name }: { name: ToolName }) {
  const frame = useFrame();
  const part = PARTS[name];
  if (part) return part(frame);
  // The header begins with the way home.
  if (!(name in COMMANDS) || (FOR_WRITERS.includes(name) && !mayWrite(frame))) return null;
  const command = commandOf(name as CommandName);
  return (
    <IconButton
      icon={command.icon as IconName}
      {...(ON_WIDE.includes(name) && { class: 'on-wide' })}
      label={labelOf(command, frame)}
      shortcut={keysTextOf(command)}
      pressed={command.isOn?.(frame)}
      unavailable={command.isReady?.(frame) === false}
      onClick={(event) => press(command, frame, event)}
    />
  );
}

// A format chosen by mouse is for the text, wherever the focus was before.
export function press(command: Command, frame: Frame, { detail }: MouseEvent): void {
  command.run(frame);
  const byKeys = detail === 0;
  const isElsewhere = document.activeElement !== document.body;
  if (!byKeys && isElsewhere && !command.reads && !frame.dialog.peek()) frame.live.focus();
}

function countText(count: number): string {
  return count > 99 ? '99+' : String(count);
}

function StyleMenu() {
  const { heading, quote, codeBlock } = useFrame().live.formats.value;
  const now = codeBlock ? t('bar.codeBlock') : quote ? t('bar.quote') : styleName(heading);
  return (
    <LateMenu name="style" label={t('bar.style', { style: now })} class="menu-button" tip={false}>
      <span>{now}</span>
      <Icon name="down" />
    </LateMenu>
  );
}

export function styleName(level: number): string {
  return level === 0 ? t('bar.normal') : t('bar.heading', { level });
}

interface LateMenuProps extends Partial<Pick<MenuProps, 'label' | 'class' | 'tip' | 'children'>> {
  name: LateMenuName;
  icon?: IconName;
}

// The list of a menu that only then is fetched, or when the browser is idle.
export function LateMenu({ name, icon, ...more }: LateMenuProps) {
  const frame = useFrame();
  return (
    <Menu
      label={t(`bar.${name}`)}
      items={lateMenus.value?.[name](frame) ?? []}
      onOpen={() => menus.load().catch(() => {})}
      {...more}
    >
      {more.children ?? (icon && <Icon name={icon} />)}
    </Menu>
  );
}
