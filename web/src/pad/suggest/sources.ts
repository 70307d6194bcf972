// What is suggested while typing: commands after `/`, emoji after `:`, people after `@`.

import { FAMILIES } from '../../document/fonts.ts';
import { ALIGNMENTS } from '../../document/lines.ts';
import type { Authors } from '../../editor/authors.ts';
import { insertPiece, removePiece } from '../../editor/insert.ts';
import type { Suggestion, SuggestionSource } from '../../editor/suggest.ts';
import { t } from '../../i18n/text.ts';
import { addStyles } from '../../load/styles.ts';
import { prefs } from '../../prefs/prefs.ts';
import { iconPath } from '../../ui/icon.tsx';
import type { Frame } from '../frame.ts';
import { SIZE_ORDER } from '../lateMenus.ts';
import { entries } from '../palette/entries.ts';
import { plain, search } from '../palette/search.ts';
import { EMOJI } from './emoji.ts';
import { findCommand, findEmoji, findPerson } from './find.ts';
import styles from './suggest.css?inline';

addStyles(styles);

// The commands that belong into a text, the likeliest first; of the rest the palette knows.
const IN_TEXT = [
  ...['heading1 h1', 'heading2 h2', 'heading3 h3', 'unorderedlist', 'orderedlist', 'tasklist'],
  ...['quote', 'codeblock', 'rule', 'link', 'date', 'time', 'normal', 'heading4 h4'],
  ...['heading5 h5', 'heading6 h6', 'indent', 'outdent', 'clearformatting', 'importexport'],
  ...ALIGNMENTS.map((align) => `align ${align}`),
  ...FAMILIES.map((family) => `font ${family}`),
  ...SIZE_ORDER.map((size) => `size ${size ?? 'normal'}`),
];

export function sources(frame: Frame, authors: Authors): SuggestionSource[] {
  return [commands(frame), emoji, people(frame, authors)];
}

function commands(frame: Frame): SuggestionSource {
  const all = () => {
    const byId = new Map(entries(frame).map((entry) => [entry.id, entry]));
    return IN_TEXT.flatMap((id) => byId.get(id) ?? []);
  };
  return {
    label: t('palette.title'),
    isOn: () => prefs.peek().slash !== false,
    find: findCommand,
    list: (query) =>
      search(all(), query, false).map(({ id, label, icon, letter, keys }) => ({
        id,
        label,
        icon: icon && iconPath(icon),
        sign: letter,
        keys,
      })),
    choose(view, from, to, { id }) {
      removePiece(view, from, to);
      entries(frame)
        .find((entry) => entry.id === id)
        ?.run();
    },
  };
}

const emoji: SuggestionSource = {
  get label() {
    return t('suggest.emoji');
  },
  isOn: () => prefs.peek().suggest !== false,
  find: findEmoji,
  list(query) {
    const wanted = query.toLowerCase();
    const found = EMOJI.filter(([, names]) => names.some((name) => name.includes(wanted)));
    const rank = (names: readonly string[]) =>
      names.includes(wanted) ? 0 : names.some((name) => name.startsWith(wanted)) ? 1 : 2;
    return found
      .toSorted(([, a], [, b]) => rank(a) - rank(b))
      .map(([sign, names]) => {
        const name = names.find((each) => each.startsWith(wanted)) ?? names[0] ?? '';
        return { id: sign, sign, label: `:${name}:` };
      });
  },
  choose: (view, from, to, { id }) => insertPiece(view, from, to, id),
};

// Those who are here first.
function people({ live }: Frame, authors: Authors): SuggestionSource {
  const named = (): Suggestion[] => {
    const here = new Set(live.people.peek().map(({ id }) => id));
    const all = [...authors.all()].map(([id, { name }]) => ({
      id,
      label: name?.trim() ?? '',
      sign: here.has(id) ? '●' : '○',
    }));
    return all
      .filter(({ label }) => label !== '')
      .toSorted((a, b) => Number(here.has(b.id)) - Number(here.has(a.id)));
  };
  return {
    label: t('panel.people'),
    isOn: () => prefs.peek().suggest !== false,
    find: findPerson,
    list: (query) => named().filter(({ label }) => ` ${plain(label)}`.includes(` ${plain(query)}`)),
    choose: (view, from, to, { id, label }) =>
      insertPiece(view, from, to, `@${label}`, { mention: id }),
  };
}
