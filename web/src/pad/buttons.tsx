// The buttons of the page, by the names that the settings have for them.

import type { ComponentChildren } from 'preact';
import { shortcutText } from '../a11y/shortcuts.ts';
import { COLOURS, type Colour, HIGHLIGHTS, type Highlight } from '../document/colours.ts';
import type { Choice } from '../document/inline.ts';
import { KEYS } from '../editor/keyTable.ts';
import { t } from '../i18n/text.ts';
import { AUTHORSHIP, choose } from '../prefs/prefs.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';
import { Menu, type MenuItem } from '../ui/menu.tsx';
import { clearAuthorship, showAuthor, togglePanel } from './actions.ts';
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

const HEADINGS = [0, 1, 2, 3, 4, 5, 6];

// The button of the chat is there without being set.
export type ToolName = ButtonName | 'chat';

// What is more than a button for a command.
const PARTS: Partial<Record<ToolName, (frame: Frame) => ComponentChildren>> = {
  style: () => <StyleMenu />,
  formats: () => <FormatsMenu />,
  authorship: () => <AuthorshipMenu />,
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
  if (command.letter) return <Letter command={command} name={name} />;
  return (
    <IconButton
      icon={command.icon as IconName}
      {...(ON_WIDE.includes(name) && { class: 'on-wide' })}
      label={labelOf(command, frame)}
      shortcut={keysTextOf(command)}
      pressed={command.isOn?.(frame)}
      unavailable={command.isReady?.(frame) === false}
      onClick={() => command.run(frame)}
    />
  );
}

function countText(count: number): string {
  return count > 99 ? '99+' : String(count);
}

function Letter({ command, name }: { command: Command; name: string }) {
  const frame = useFrame();
  const label = labelOf(command, frame);
  return (
    <button
      type="button"
      class={`icon-button letter ${name}`}
      aria-label={label}
      aria-pressed={command.isOn?.(frame)}
      data-tip={label}
      data-tip-keys={keysTextOf(command)}
      onClick={() => command.run(frame)}
    >
      <span aria-hidden="true">{command.letter}</span>
    </button>
  );
}

function StyleMenu() {
  const frame = useFrame();
  const { live } = frame;
  const { heading, quote, codeBlock } = live.formats.value;
  const styleName = (level: number) =>
    level === 0 ? t('bar.normal') : t('bar.heading', { level });
  const now = codeBlock ? t('bar.codeBlock') : quote ? t('bar.quote') : styleName(heading);
  const items = HEADINGS.map((level) => ({
    kind: 'choice' as const,
    label: styleName(level),
    chosen: level === heading && !quote && !codeBlock,
    act: () => {
      live.heading(level);
      live.focus();
    },
  }));
  const item = (name: CommandName) => {
    const command = commandOf(name);
    const act = () => {
      command.run(frame);
      live.focus();
    };
    return { label: labelOf(command, frame), chosen: command.isOn?.(frame) === true, act };
  };
  const blocks: MenuItem[] = [
    { kind: 'line' },
    { kind: 'choice', ...item('quote') },
    { kind: 'choice', ...item('codeblock') },
    { kind: 'line' },
    item('rule'),
  ];
  return (
    <Menu
      label={t('bar.style', { style: now })}
      class="menu-button"
      tip={false}
      items={[...items, ...blocks]}
    >
      <span>{now}</span>
      <Icon name="down" />
    </Menu>
  );
}

function FormatsMenu() {
  const frame = useFrame();
  const { live } = frame;
  const formats = live.formats.value;
  // The menu gives the focus back to its button; those who choose want to go on writing.
  const then = (act: () => void) => () => {
    act();
    live.focus();
  };
  const toggles = (['code', 'sub', 'sup'] as const).map((format) => ({
    kind: 'check' as const,
    label: t(`bar.${format}`),
    chosen: formats[format],
    keys: shortcutText(KEYS[format]),
    act: then(() => COMMANDS[format].run(frame)),
  }));
  const swatches = (choice: Choice, style: string, names: readonly (Highlight | Colour)[]) => ({
    kind: 'swatches' as const,
    label: t(`bar.${choice}`),
    choices: names.map((name) => ({
      label: t(`colour.${name}`),
      class: `${style}-${name}`,
      chosen: formats[choice] === name,
      act: then(() => live.choose(choice, name)),
    })),
  });
  return (
    <Menu
      label={t('bar.formats')}
      items={[
        ...toggles,
        { kind: 'line' },
        swatches('highlight', 'pad-mark', HIGHLIGHTS),
        swatches('color', 'pad-ink', COLOURS),
      ]}
    >
      <Icon name="marker" />
    </Menu>
  );
}

function AuthorshipMenu() {
  const frame = useFrame();
  const { live, view } = frame;
  const shown = view.value.look.authorship;
  const fixed = live.info.value?.options.enforceSettings === true;
  const choices = AUTHORSHIP.map((strength) => ({
    kind: 'choice' as const,
    label: t(`authorship.${strength}`),
    chosen: strength === shown,
    act: () => choose({ authorship: strength }),
  }));
  return (
    <Menu
      label={t('bar.authorship')}
      items={[
        ...(fixed ? [] : [...choices, { kind: 'line' as const }]),
        { label: t('bar.whoWrote'), keys: KEYS.cmdShift2, act: () => showAuthor(frame) },
        ...(mayWrite(frame)
          ? [{ label: t('bar.clearAuthorship'), act: () => clearAuthorship(frame) }]
          : []),
      ]}
    >
      <Icon name="drop" />
    </Menu>
  );
}
