// The commands of the page: one table for toolbar, menus, keys, the list of keys and the palette.
//
// Invariant: a command with a button has the name that the settings have for it.

import { KEYS, type KeyName } from '../editor/keyTable.ts';
import { type Key, t } from '../i18n/text.ts';
import type { IconName } from '../ui/icon.tsx';
import { clearAuthorship, showAuthor, toggleChatFocus, togglePanel } from './actions.ts';
import type { ButtonName } from './buttonNames.ts';
import type { DialogName, Frame } from './frame.ts';
import type { InlineFormat } from './live.ts';

export interface Command {
  readonly label: Key | ((frame: Frame) => string);
  readonly icon?: IconName;
  // In place of an icon.
  readonly letter?: string;
  readonly key?: KeyName;
  // In place of one of the table.
  readonly keys?: string;
  // For those who may only read as well.
  readonly reads?: boolean;
  // Whether it would do anything now.
  isReady?(frame: Frame): boolean;
  // Whether what it switches on is on.
  isOn?(frame: Frame): boolean;
  run(frame: Frame): void;
}

const mark = (format: InlineFormat & IconName, key: KeyName): Command => ({
  label: `bar.${format}`,
  icon: format,
  key,
  isOn: ({ live }) => live.formats.value[format],
  run: ({ live }) => live.toggle(format),
});

const format = (name: 'code' | 'sub' | 'sup'): Command => ({
  label: `bar.${name}`,
  key: name,
  isOn: ({ live }) => live.formats.value[name],
  run: ({ live }) => live.toggle(name),
});

const opens = (name: DialogName, icon: IconName, label: Command['label'], more = {}): Command => ({
  label,
  icon,
  reads: true,
  run: ({ dialog }) => {
    dialog.value = name;
  },
  ...more,
});

export const COMMANDS = {
  undo: {
    label: 'bar.undo',
    icon: 'undo',
    key: 'cmdZ',
    isReady: ({ live }) => live.canUndo.value,
    run: ({ live }) => live.undo(),
  },
  redo: {
    label: 'bar.redo',
    icon: 'redo',
    key: 'cmdY',
    isReady: ({ live }) => live.canRedo.value,
    run: ({ live }) => live.redo(),
  },
  bold: mark('bold', 'cmdB'),
  italic: mark('italic', 'cmdI'),
  underline: mark('underline', 'cmdU'),
  strikethrough: mark('strikethrough', 'cmd5'),
  link: {
    label: 'bar.link',
    icon: 'link',
    key: 'link',
    isOn: ({ live }) => live.formats.value.link,
    run: ({ live }) => live.editLink(),
  },
  code: format('code'),
  sub: format('sub'),
  sup: format('sup'),
  unorderedlist: {
    label: 'bar.bullets',
    icon: 'bullets',
    key: 'cmdShiftL',
    isOn: ({ live }) => !live.formats.value.task && live.formats.value.list?.kind === 'bullet',
    run: ({ live }) => live.toggleList('bullet'),
  },
  orderedlist: {
    label: 'bar.numbers',
    icon: 'numbers',
    // Browsers keep Ctrl+Shift+N, which works where they do not.
    key: 'cmdShift1',
    isOn: ({ live }) => live.formats.value.list?.kind === 'number',
    run: ({ live }) => live.toggleList('number'),
  },
  tasklist: {
    label: 'bar.tasks',
    icon: 'tasks',
    key: 'tasks',
    isOn: ({ live }) => live.formats.value.task,
    run: ({ live }) => live.toggleTasks(),
  },
  outdent: { label: 'bar.outdent', icon: 'outdent', run: ({ live }) => live.outdent() },
  indent: { label: 'bar.indent', icon: 'indent', run: ({ live }) => live.indent() },
  quote: {
    label: 'bar.quote',
    isOn: ({ live }) => live.formats.value.quote,
    run: ({ live }) => live.block('quote'),
  },
  codeblock: {
    label: 'bar.codeBlock',
    isOn: ({ live }) => live.formats.value.codeBlock,
    run: ({ live }) => live.block('code'),
  },
  rule: { label: 'bar.rule', run: ({ live }) => live.block('rule') },
  clearformatting: {
    label: 'bar.clearFormatting',
    icon: 'clearFormat',
    run: ({ live }) => live.clearFormatting(),
  },
  find: {
    label: 'bar.find',
    icon: 'search',
    key: 'find',
    reads: true,
    run: ({ live }) => live.find(),
  },
  outline: {
    label: 'bar.outline',
    icon: 'outline',
    reads: true,
    isOn: ({ panel }) => panel.value === 'outline',
    run: (frame) => togglePanel(frame, 'outline'),
  },
  whowrote: { label: 'bar.whoWrote', key: 'cmdShift2', reads: true, run: showAuthor },
  clearauthorship: {
    label: 'bar.clearAuthorship',
    icon: 'drop',
    key: 'cmdShiftC',
    run: clearAuthorship,
  },
  savedrevision: {
    label: 'more.saveRevision',
    icon: 'star',
    key: 'cmdS',
    run: ({ live }) => live.saveRevision(),
  },
  timeslider: {
    label: 'header.history',
    icon: 'history',
    reads: true,
    run: (frame) => location.assign(historyAddress(frame)),
  },
  importexport: opens('files', 'download', filesLabel),
  copymarkdown: {
    label: 'more.copyMarkdown',
    icon: 'copy',
    reads: true,
    run: ({ live }) => live.copyMarkdown(),
  },
  showusers: {
    label: 'more.people',
    icon: 'people',
    reads: true,
    run: (frame) => togglePanel(frame, 'people'),
  },
  chat: {
    label: chatLabel,
    icon: 'chat',
    key: 'altC',
    reads: true,
    isReady: ({ view }) => view.value.chat,
    isOn: ({ panel }) => panel.value === 'chat',
    run: toggleChatFocus,
  },
  embed: opens('share', 'share', 'header.share'),
  settings: opens('settings', 'gear', 'more.settings'),
  palette: opens('palette', 'search', 'more.palette', { key: 'palette' }),
  shortcuts: opens('shortcuts', 'keyboard', 'more.shortcuts', { key: 'shortcuts' }),
  newfrom: opens('template', 'page', 'more.newFrom'),
  connection: opens('connection', 'info', 'more.connection'),
  deletionkey: opens('key', 'trash', 'token.open', {
    isReady: ({ deletionKey }: Frame) => deletionKey.value !== null,
  }),
  delete: opens('delete', 'trash', 'more.delete', { reads: false }),
} satisfies Record<string, Command>;

export type CommandName = keyof typeof COMMANDS;

export function commandOf(name: CommandName): Command {
  return COMMANDS[name];
}

export function labelOf({ label }: Command, frame: Frame): string {
  return typeof label === 'function' ? label(frame) : t(label);
}

export function keysTextOf({ key, keys }: Command): string | undefined {
  return key ? KEYS[key] : keys;
}

// Whether something is offered at all.
export function isOffered({ toolbar }: Frame['boot'], name: ButtonName): boolean {
  const { left, right } = toolbar;
  return !right || [...(left ?? []), ...right].flat().includes(name);
}

export function mayWrite({ live }: Frame): boolean {
  return live.info.value?.readOnly === false;
}

function chatLabel({ unread, unreadMentions }: Frame): string {
  const label = t('header.chat', { count: unread.value });
  const count = unreadMentions.value;
  return count > 0 ? `${label}. ${t('chat.mentions', { count })}` : label;
}

export function filesLabel(frame: Frame): string {
  return mayWrite(frame) ? t('more.files') : t('more.export');
}

export function historyAddress({ boot }: Frame): string {
  return `${boot.base}p/${encodeURIComponent(boot.padId)}/timeslider`;
}
