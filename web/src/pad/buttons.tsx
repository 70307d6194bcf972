// The buttons of the page, by the names that the settings have for them.

import type { ComponentChildren } from 'preact';
import { shortcutText } from '../a11y/shortcuts.ts';
import { COLOURS, type Colour, HIGHLIGHTS, type Highlight } from '../document/colours.ts';
import type { Choice } from '../document/inline.ts';
import type { Block } from '../editor/blocks.ts';
import { t } from '../i18n/text.ts';
import { AUTHORSHIP, choose } from '../prefs/prefs.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';
import { Menu, type MenuItem } from '../ui/menu.tsx';
import { clearAuthorship, showAuthor, togglePanel } from './actions.ts';
import { Avatars } from './avatars.tsx';
import type { ButtonName } from './buttonNames.ts';
import { type DialogName, type Frame, useFrame } from './frame.ts';
import type { InlineFormat } from './live.ts';

const FORMAT_KEYS = { code: 'Ctrl+E', sub: 'Ctrl+,', sup: 'Ctrl+.' } as const;
const HEADINGS = [0, 1, 2, 3, 4, 5, 6];

// The button of the chat is there without being set.
export type ToolName = ButtonName | 'chat';
type Part = (frame: Frame) => ComponentChildren;

const BUTTONS: Readonly<Record<ToolName, Part>> = {
  undo: ({ live }) => (
    <IconButton
      icon="undo"
      label={t('bar.undo')}
      shortcut="Ctrl+Z"
      unavailable={!live.canUndo.value}
      onClick={() => live.undo()}
    />
  ),
  redo: ({ live }) => (
    <IconButton
      icon="redo"
      label={t('bar.redo')}
      shortcut="Ctrl+Y"
      unavailable={!live.canRedo.value}
      onClick={() => live.redo()}
    />
  ),
  style: () => <StyleMenu />,
  bold: () => <Letter format="bold" letter="B" shortcut="Ctrl+B" />,
  italic: () => <Letter format="italic" letter="I" shortcut="Ctrl+I" />,
  underline: () => <Letter format="underline" letter="U" shortcut="Ctrl+U" />,
  strikethrough: () => <Letter format="strikethrough" letter="S" shortcut="Ctrl+5" />,
  link: ({ live }) => (
    <IconButton
      icon="link"
      label={t('bar.link')}
      shortcut="Ctrl+K"
      pressed={live.formats.value.link}
      onClick={() => live.editLink()}
    />
  ),
  formats: () => <FormatsMenu />,
  unorderedlist: ({ live }) => (
    <IconButton
      icon="bullets"
      label={t('bar.bullets')}
      shortcut="Ctrl+Shift+L"
      pressed={!live.formats.value.task && live.formats.value.list?.kind === 'bullet'}
      onClick={() => live.toggleList('bullet')}
    />
  ),
  orderedlist: ({ live }) => (
    <IconButton
      icon="numbers"
      label={t('bar.numbers')}
      shortcut="Ctrl+Shift+N"
      pressed={live.formats.value.list?.kind === 'number'}
      onClick={() => live.toggleList('number')}
    />
  ),
  tasklist: ({ live }) => (
    <IconButton
      icon="tasks"
      label={t('bar.tasks')}
      shortcut="Ctrl+Shift+9"
      pressed={live.formats.value.task}
      onClick={() => live.toggleTasks()}
    />
  ),
  outdent: ({ live }) => (
    <IconButton icon="outdent" label={t('bar.outdent')} onClick={() => live.outdent()} />
  ),
  indent: ({ live }) => (
    <IconButton icon="indent" label={t('bar.indent')} onClick={() => live.indent()} />
  ),
  clearformatting: ({ live }) => (
    <IconButton
      icon="clearFormat"
      label={t('bar.clearFormatting')}
      onClick={() => live.clearFormatting()}
    />
  ),
  authorship: () => <AuthorshipMenu />,
  find: ({ live }) => (
    <IconButton icon="search" label={t('bar.find')} shortcut="Ctrl+F" onClick={() => live.find()} />
  ),
  outline: (frame) => (
    <IconButton
      icon="outline"
      label={t('bar.outline')}
      expanded={frame.panel.value === 'outline'}
      onClick={() => togglePanel(frame, 'outline')}
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
  importexport: (frame) => opener(frame, 'download', filesLabel(frame), 'files'),
  chat: (frame) => {
    const { panel, unread, view } = frame;
    return (
      view.value.chat && (
        <IconButton
          icon="chat"
          label={t('header.chat', { count: unread.value })}
          shortcut="Alt+C"
          expanded={panel.value === 'chat'}
          badge={unread.value > 0 ? countText(unread.value) : undefined}
          onClick={() => togglePanel(frame, 'chat')}
        />
      )
    );
  },
  embed: ({ dialog }) => (
    <span class="share-button">
      <Button icon="share" kind="primary" onClick={() => (dialog.value = 'share')}>
        <span class="share-word">{t('header.share')}</span>
      </Button>
    </span>
  ),
  // The header begins with it.
  home: () => null,
  // What follows is in the menu, if the settings do not want it elsewhere.
  settings: (frame) => opener(frame, 'gear', t('more.settings'), 'settings'),
  savedrevision: ({ live }) =>
    live.info.value?.readOnly === false && (
      <IconButton
        icon="star"
        class="on-wide"
        label={t('more.saveRevision')}
        shortcut="Ctrl+S"
        onClick={() => live.saveRevision()}
      />
    ),
  clearauthorship: (frame) =>
    frame.live.info.value?.readOnly === false && (
      <IconButton
        icon="drop"
        label={t('bar.clearAuthorship')}
        shortcut="Ctrl+Shift+C"
        onClick={() => clearAuthorship(frame)}
      />
    ),
};

// One of them; the menu has those that a narrow window has no room for.
export function Tool({ name }: { name: ToolName }) {
  return BUTTONS[name](useFrame());
}

// Whether something is offered at all.
export function isOffered({ toolbar }: Frame['boot'], name: ButtonName): boolean {
  const { left, right } = toolbar;
  return !right || [...(left ?? []), ...right].flat().includes(name);
}

function opener({ dialog }: Frame, icon: IconName, label: string, name: DialogName) {
  return (
    <IconButton icon={icon} class="on-wide" label={label} onClick={() => (dialog.value = name)} />
  );
}

function countText(count: number): string {
  return count > 99 ? '99+' : String(count);
}

export function filesLabel({ live }: Frame): string {
  return live.info.value?.readOnly === false ? t('more.files') : t('more.export');
}

export function historyAddress({ boot }: Frame): string {
  return `${boot.base}p/${encodeURIComponent(boot.padId)}/timeslider`;
}

interface LetterProps {
  format: InlineFormat;
  letter: string;
  shortcut: string;
}

function Letter({ format, letter, shortcut }: LetterProps) {
  const { live } = useFrame();
  const label = t(`bar.${format}`);
  return (
    <button
      type="button"
      class={`icon-button letter ${format}`}
      aria-label={label}
      aria-pressed={live.formats.value[format]}
      data-tip={label}
      data-tip-keys={shortcut}
      onClick={() => live.toggle(format)}
    >
      <span aria-hidden="true">{letter}</span>
    </button>
  );
}

function StyleMenu() {
  const { live } = useFrame();
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
  const act = (block: Block) => () => {
    live.block(block);
    live.focus();
  };
  const blocks: MenuItem[] = [
    { kind: 'line' },
    { kind: 'choice', label: t('bar.quote'), chosen: quote, act: act('quote') },
    { kind: 'choice', label: t('bar.codeBlock'), chosen: codeBlock, act: act('code') },
    { kind: 'line' },
    { label: t('bar.rule'), act: act('rule') },
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
  const { live } = useFrame();
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
    keys: shortcutText(FORMAT_KEYS[format]),
    act: then(() => live.toggle(format)),
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
  const writes = live.info.value?.readOnly === false;
  return (
    <Menu
      label={t('bar.authorship')}
      items={[
        ...(fixed ? [] : [...choices, { kind: 'line' as const }]),
        { label: t('bar.whoWrote'), keys: 'Ctrl+Shift+2', act: () => showAuthor(frame) },
        ...(writes ? [{ label: t('bar.clearAuthorship'), act: () => clearAuthorship(frame) }] : []),
      ]}
    >
      <Icon name="drop" />
    </Menu>
  );
}
