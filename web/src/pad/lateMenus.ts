// The lists of the menus of toolbar and header, which the first paint does without.

import { shortcutText } from '../a11y/shortcuts.ts';
import { COLOURS, type Colour, HIGHLIGHTS, type Highlight } from '../document/colours.ts';
import { FAMILIES, SIZES, type Size, sizeName } from '../document/fonts.ts';
import type { Choice } from '../document/inline.ts';
import { ALIGNMENTS } from '../document/lines.ts';
import { KEYS } from '../editor/keyTable.ts';
import { t } from '../i18n/text.ts';
import { AUTHORSHIP, choose } from '../prefs/prefs.ts';
import type { MenuItem } from '../ui/menu.tsx';
import { swatches } from '../ui/swatches.tsx';
import { clearAuthorship, showAuthor } from './actions.ts';
import { hasFingers } from './breakpoints.ts';
import type { ButtonName } from './buttonNames.ts';
import { styleName } from './buttons.tsx';
import {
  COMMANDS,
  type CommandName,
  commandOf,
  historyAddress,
  isOffered,
  labelOf,
  mayWrite,
} from './commands.ts';
import type { Frame } from './frame.ts';

export type LateMenuName = 'style' | 'formats' | 'fonts' | 'align' | 'authorship' | 'more';

const HEADINGS = [0, 1, 2, 3, 4, 5, 6];

// From small to large, with the one that all text has.
export const SIZE_ORDER: readonly (Size | null)[] = ['small', null, 'large', 'x-large', 'xx-large'];

// The menu gives the focus back to its button; those who choose want to go on writing.
const then =
  ({ live }: Frame, act: () => void) =>
  () => {
    act();
    live.focus();
  };

function styleItems(frame: Frame): MenuItem[] {
  const { live } = frame;
  const { heading, quote, codeBlock } = live.formats.value;
  const items = HEADINGS.map((level) => ({
    kind: 'choice' as const,
    label: styleName(level),
    chosen: level === heading && !quote && !codeBlock,
    act: then(frame, () => live.heading(level)),
  }));
  const item = (name: CommandName) => {
    const command = commandOf(name);
    const act = then(frame, () => command.run(frame));
    return { label: labelOf(command, frame), chosen: command.isOn?.(frame) === true, act };
  };
  return [
    ...items,
    { kind: 'line' },
    { kind: 'choice', ...item('quote') },
    { kind: 'choice', ...item('codeblock') },
    { kind: 'line' },
    item('rule'),
  ];
}

function formatsItems(frame: Frame): MenuItem[] {
  const { live } = frame;
  const formats = live.formats.value;
  const toggles = (['code', 'sub', 'sup'] as const).map((format) => ({
    kind: 'check' as const,
    label: t(`bar.${format}`),
    chosen: formats[format],
    keys: shortcutText(KEYS[format]),
    act: then(frame, () => COMMANDS[format].run(frame)),
  }));
  const colours = (
    choice: 'highlight' | 'color',
    style: string,
    names: readonly (Highlight | Colour)[],
  ) =>
    swatches(
      t(`bar.${choice}`),
      names.map((name) => ({
        label: t(`colour.${name}`),
        class: `${style}-${name}`,
        chosen: formats[choice] === name,
        act: then(frame, () => live.choose(choice, name)),
      })),
    );
  return [
    ...toggles,
    { kind: 'line' },
    colours('highlight', 'pad-mark', HIGHLIGHTS),
    colours('color', 'pad-ink', COLOURS),
  ];
}

function fontsItems(frame: Frame): MenuItem[] {
  const { live } = frame;
  const formats = live.formats.value;
  const size = sizeName(formats['font-size']);
  // The chosen one again takes nothing away: that is what the one without a value is for.
  const choose = (choice: Choice, value: string, chosen: boolean) =>
    then(frame, () => {
      if (!chosen || !value) live.choose(choice, value);
    });
  const families = [null, ...FAMILIES].map((name) => {
    const chosen = formats['font-family'] === name;
    return {
      kind: 'choice' as const,
      label: t(`font.${name ?? 'default'}`),
      class: name ? `pad-font-${name}` : '',
      chosen,
      act: choose('font-family', name ?? '', chosen),
    };
  });
  const sizes = SIZE_ORDER.map((name) => ({
    kind: 'choice' as const,
    label: t(`font.${name ?? 'normal'}`),
    chosen: size === name,
    act: choose('font-size', name ? SIZES[name] : '', size === name),
  }));
  return [...families, { kind: 'line' }, ...sizes];
}

function alignItems(frame: Frame): MenuItem[] {
  const { live } = frame;
  return ALIGNMENTS.map((align) => ({
    kind: 'choice',
    label: t(`align.${align}`),
    chosen: live.formats.value.align === align,
    act: then(frame, () => live.align(align)),
  }));
}

function authorshipItems(frame: Frame): MenuItem[] {
  const { live, view } = frame;
  const shown = view.value.look.authorship;
  const fixed = live.info.value?.options.enforceSettings === true;
  const choices = AUTHORSHIP.map((strength) => ({
    kind: 'choice' as const,
    label: t(`authorship.${strength}`),
    chosen: strength === shown,
    act: () => choose({ authorship: strength }),
  }));
  return [
    ...(fixed ? [] : [...choices, { kind: 'line' as const }]),
    { label: t('bar.whoWrote'), keys: KEYS.cmdShift2, act: () => showAuthor(frame) },
    ...(mayWrite(frame)
      ? [{ label: t('bar.clearAuthorship'), act: () => clearAuthorship(frame) }]
      : []),
  ];
}

// The menu of the header.
function moreItems(frame: Frame): MenuItem[] {
  const { boot, deletionKey, extras } = frame;
  const writes = mayWrite(frame);
  const item = (name: CommandName): MenuItem => {
    const command = commandOf(name);
    const { icon, key } = command;
    return {
      ...(icon && { icon }),
      label: labelOf(command, frame),
      ...(key && { keys: shortcutText(KEYS[key]) }),
      act: () => command.run(frame),
    };
  };
  const offered = (name: ButtonName & CommandName) => isOffered(boot, name) && item(name);
  const items: (MenuItem | false)[] = [
    writes && offered('savedrevision'),
    isOffered(boot, 'timeslider') && {
      kind: 'link',
      icon: 'history',
      label: t('header.history'),
      href: historyAddress(frame),
    },
    offered('importexport'),
    item('copymarkdown'),
    item('newfrom'),
    offered('showusers'),
    ...(extras.value?.items() ?? []),
    { kind: 'line' },
    offered('settings'),
    item('palette'),
    !hasFingers() && item('shortcuts'),
    item('connection'),
    boot.admin && {
      kind: 'link',
      icon: 'gear',
      label: t('home.admin'),
      href: `${boot.base}admin/pads?pad=${encodeURIComponent(boot.padId)}`,
    },
    writes && { kind: 'line' },
    deletionKey.value !== null && item('deletionkey'),
    writes && item('delete'),
  ];
  return items.filter((item) => item !== false);
}

export const MENUS: Readonly<Record<LateMenuName, (frame: Frame) => MenuItem[]>> = {
  style: styleItems,
  formats: formatsItems,
  fonts: fontsItems,
  align: alignItems,
  authorship: authorshipItems,
  more: moreItems,
};
