// All commands that somebody can use now, by names: those of the table, and what the menus of the
// toolbar choose from.

import { shortcutText } from '../../a11y/shortcuts.ts';
import { COLOURS, HIGHLIGHTS } from '../../document/colours.ts';
import { FAMILIES, SIZES, sizeName } from '../../document/fonts.ts';
import { ALIGNMENTS } from '../../document/lines.ts';
import { type Key, language, t } from '../../i18n/text.ts';
import { AUTHORSHIP, choose } from '../../prefs/prefs.ts';
import type { IconName } from '../../ui/icon.tsx';
import type { ButtonName } from '../buttonNames.ts';
import {
  COMMANDS,
  type Command,
  type CommandName,
  isOffered,
  keysTextOf,
  labelOf,
  mayWrite,
} from '../commands.ts';
import type { Frame } from '../frame.ts';
import { SIZE_ORDER } from '../lateMenus.ts';

export interface Entry {
  readonly id: string;
  readonly label: string;
  readonly words: string;
  readonly icon?: IconName | undefined;
  readonly letter?: string | undefined;
  readonly keys?: string | undefined;
  readonly isOn?: boolean | undefined;
  run(): void;
}

// What is only there if the settings offer it.
const SETTABLE: readonly (ButtonName & CommandName)[] = [
  'savedrevision',
  'timeslider',
  'importexport',
  'showusers',
  'embed',
  'settings',
];

// For those that have no icon.
const SIGNS: Partial<Record<string, string>> = {
  quote: '”',
  codeblock: '{ }',
  rule: '—',
  code: '‹›',
  sub: 'x₂',
  sup: 'x²',
  whowrote: '?',
};

export function entries(frame: Frame): Entry[] {
  const writes = mayWrite(frame);
  const all = Object.entries<Command>({
    ...headings(),
    ...COMMANDS,
    ...dates(),
    ...alignments(),
    ...fonts(frame),
    ...choices(frame),
    ...frame.extras.value?.commands,
  });
  return all
    .filter(([id, { reads, isReady }]) => {
      const offered = SETTABLE.every((name) => name !== id || isOffered(frame.boot, name));
      return id !== 'palette' && offered && (reads || writes) && isReady?.(frame) !== false;
    })
    .map(([id, command]) => {
      const keys = keysTextOf(command);
      return {
        id,
        label: labelOf(command, frame).replace(/\s*…$/u, ''),
        words: id,
        icon: command.icon,
        letter: command.letter ?? SIGNS[id],
        keys: keys && shortcutText(keys),
        isOn: command.isOn?.(frame),
        run: () => command.run(frame),
      };
    });
}

export function headings(): Record<string, Command> {
  const levels = [0, 1, 2, 3, 4, 5, 6].map((level): [string, Command] => [
    level > 0 ? `heading${level} h${level}` : 'normal',
    {
      label: () => (level > 0 ? t('bar.heading', { level }) : t('bar.normal')),
      letter: level > 0 ? `H${level}` : '¶',
      isOn: ({ live }) => level > 0 && live.formats.value.heading === level,
      run: ({ live }) => live.heading(level),
    },
  ]);
  return Object.fromEntries(levels);
}

// As people write them in the language of the page.
function dates(): Record<string, Command> {
  const inserts = (label: Key, options: Intl.DateTimeFormatOptions): Command => ({
    label,
    letter: options.dateStyle ? '31' : '⏲',
    run: ({ live }) => {
      live.insertText(new Intl.DateTimeFormat(language(), options).format());
      live.focus();
    },
  });
  return {
    date: inserts('palette.date', { dateStyle: 'long' }),
    time: inserts('palette.time', { timeStyle: 'short' }),
  };
}

// The fonts and sizes of the menu, unless somebody does without.
function fonts({ view }: Frame): Record<string, Command> {
  if (!view.value.fonts) return {};
  const families = FAMILIES.map((name): [string, Command] => [
    `font ${name}`,
    {
      label: () => `${t('font.family')}: ${t(`font.${name}`)}`,
      icon: 'font',
      isOn: ({ live }) => live.formats.value['font-family'] === name,
      run: ({ live }) => live.choose('font-family', name),
    },
  ]);
  const sizes = SIZE_ORDER.map((name): [string, Command] => [
    `size ${name ?? 'normal'}`,
    {
      label: () => `${t('font.size')}: ${t(`font.${name ?? 'normal'}`)}`,
      icon: 'font',
      isOn: ({ live }) => name !== null && sizeName(live.formats.value['font-size']) === name,
      run: ({ live }) => live.choose('font-size', name ? SIZES[name] : ''),
    },
  ]);
  return Object.fromEntries([...families, ...sizes]);
}

function alignments(): Record<string, Command> {
  const all = ALIGNMENTS.map((align): [string, Command] => [
    `align ${align}`,
    {
      label: `align.${align}`,
      icon: 'align',
      isOn: ({ live }) => live.formats.value.align === align,
      run: ({ live }) => live.align(align),
    },
  ]);
  return Object.fromEntries(all);
}

function choices(frame: Frame): Record<string, Command> {
  const colours = [
    ...HIGHLIGHTS.map((name) => ['highlight', name] as const),
    ...COLOURS.map((name) => ['color', name] as const),
  ].map(([choice, name]): [string, Command] => [
    `${choice} ${name}`,
    {
      label: () => `${t(`bar.${choice}`)}: ${t(`colour.${name}`)}`,
      icon: 'marker',
      isOn: ({ live }) => live.formats.value[choice] === name,
      run: ({ live }) => live.choose(choice, name),
    },
  ]);
  const fixed = frame.live.info.value?.options.enforceSettings === true;
  const strengths = (fixed ? [] : AUTHORSHIP).map((strength): [string, Command] => [
    `authorship ${strength}`,
    {
      label: () => `${t('bar.authorship')}: ${t(`authorship.${strength}`)}`,
      icon: 'drop',
      reads: true,
      isOn: ({ view }) => view.value.look.authorship === strength,
      run: () => choose({ authorship: strength }),
    },
  ]);
  return Object.fromEntries([...colours, ...strengths]);
}
