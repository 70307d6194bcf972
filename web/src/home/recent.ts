// The pads this browser has opened lately, as cards: pinned ones first, then the latest.
//
// Invariant: all of it stays in this browser. Whatever is drawn again, the focus stays with the pad that
// had it, or goes to the one that took its place.

import { format } from '../i18n/message.ts';
import {
  clearRecent,
  forgetPad,
  keepRecent,
  pinPad,
  type RecentPad,
  recentKept,
  recentPads,
} from '../prefs/recent.ts';
import { ago } from './ago.ts';

// Fewer are seen at a glance.
const SEARCHED_FROM = 6;
const SHOWN_FIRST = 12;
const COLOUR = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i;

interface Parts {
  section: HTMLElement;
  list: HTMLElement;
  card: HTMLTemplateElement;
  search: HTMLInputElement;
  none: HTMLElement;
  all: HTMLButtonElement;
  keep: HTMLInputElement;
  clear: HTMLButtonElement;
}

const language = document.documentElement.lang;
const nameOf = ({ id, title }: RecentPad): string => title || id;

export function showRecent(section: HTMLElement): void {
  const find = <T extends Element>(selector: string) => section.querySelector(selector) as T;
  const parts: Parts = {
    section,
    list: find('ul'),
    card: find('template'),
    search: find('[name=search]'),
    none: find('.none'),
    all: find('[name=all]'),
    keep: find('[name=keep]'),
    clear: find('[name=clear]'),
  };
  const { search, all, keep, clear } = parts;
  let whole = false;
  const redraw = (): void => draw(parts, whole, redraw);

  search.addEventListener('input', redraw);
  all.addEventListener('click', () => {
    whole = true;
    const first = parts.list.childElementCount;
    redraw();
    parts.list.children[first]?.querySelector('a')?.focus();
  });
  keep.addEventListener('change', () => {
    keepRecent(keep.checked);
    redraw();
  });
  clear.addEventListener('click', () => {
    clearRecent();
    redraw();
    document.getElementById('title')?.focus();
  });
  // Another tab may have opened a pad, or this page comes back from one.
  addEventListener('storage', redraw);
  addEventListener('pageshow', redraw);
  redraw();
}

function draw(parts: Parts, whole: boolean, redraw: () => void): void {
  const { section, list, search, none, all, keep, clear } = parts;
  const pads = recentPads().sort((one, other) => Number(!!other.pinned) - Number(!!one.pinned));
  search.hidden = pads.length < SEARCHED_FROM;
  if (search.hidden) search.value = '';
  const words = fold(search.value).split(/\s+/u);
  const found = pads.filter((pad) => words.every((word) => textOf(pad).includes(word)));
  const shown = whole || search.value ? found : found.slice(0, SHOWN_FIRST);

  const focus = focused(list);
  list.replaceChildren(...shown.map((pad) => card(parts, pad, redraw)));
  focus();
  none.textContent = found.length === 0 && search.value ? (none.dataset.none ?? '') : '';
  all.hidden = shown.length === found.length;
  all.textContent = format(section.dataset.all ?? '', { count: found.length }, language);
  keep.checked = recentKept();
  clear.hidden = pads.length === 0;
  // People who switched it off must find the switch again; those who never opened a pad need none.
  section.hidden = pads.length === 0 && keep.checked;
}

function textOf(pad: RecentPad): string {
  return fold([nameOf(pad), pad.id, ...(pad.people ?? []).map(({ name }) => name)].join(' '));
}

// Without accents and capitals, as people search.
function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLocaleLowerCase(language).trim();
}

function card({ section, card }: Parts, pad: RecentPad, redraw: () => void): HTMLElement {
  const item = (card.content.cloneNode(true) as DocumentFragment).firstElementChild as HTMLElement;
  const find = <T extends Element>(selector: string) => item.querySelector(selector) as T;
  const name = nameOf(pad);
  item.dataset.id = pad.id;

  const link = find<HTMLAnchorElement>('a');
  link.href = `${section.dataset.pads}${encodeURIComponent(pad.id)}`;
  find('bdi').textContent = name;
  link.title = pad.id;

  const time = find<HTMLTimeElement>('time');
  const date = new Date(pad.time);
  time.dateTime = date.toISOString();
  time.title = new Intl.DateTimeFormat(language, {
    dateStyle: 'medium',
    timeStyle: 'short',
  }).format(date);
  time.textContent = ago(pad.time, Date.now(), language);

  showPeople(find('.people'), pad, section.dataset.people ?? '');

  const button = (kind: 'pin' | 'forget', act: () => void): HTMLButtonElement => {
    const found = find<HTMLButtonElement>(`.${kind}`);
    found.title = format(section.dataset[kind] ?? '', { name }, language);
    found.setAttribute('aria-label', found.title);
    found.addEventListener('click', () => {
      act();
      redraw();
    });
    return found;
  };
  const pin = button('pin', () => pinPad(pad.id, !pad.pinned));
  pin.setAttribute('aria-pressed', String(pad.pinned === true));
  button('forget', () => forgetPad(pad.id));
  return item;
}

function showPeople(place: HTMLElement, { people = [] }: RecentPad, sentence: string): void {
  if (people.length === 0) {
    place.remove();
    return;
  }
  const names = new Intl.ListFormat(language).format(people.map(({ name }) => name));
  place.title = format(sentence, { names }, language);
  place.setAttribute('aria-label', place.title);
  for (const { name, colour } of people) {
    const round = document.createElement('span');
    round.textContent = initials(name);
    // It reaches the page only as a colour.
    if (COLOUR.test(colour)) round.style.setProperty('--author', colour);
    place.append(round);
  }
}

// As in a pad, whose scripts are not for this page.
function initials(name: string): string {
  const words = name.trim().split(/\s+/u);
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words;
  const letters = ends.map((word) => [...(word ?? '')][0] ?? '?');
  return letters.join('').toLocaleUpperCase(language);
}

// Where the focus is in the list; gives back what puts it there again.
function focused(list: HTMLElement): () => void {
  const at = document.activeElement;
  const item = at?.closest('li');
  if (!at || !item || !list.contains(item)) return () => {};
  const { id } = item.dataset;
  const index = [...list.children].indexOf(item);
  const kind = at.className;
  return () => {
    const items = [...list.children] as HTMLElement[];
    const same = items.find((other) => other.dataset.id === id);
    const next = same ?? items[index] ?? items.at(-1);
    const target = next?.querySelector<HTMLElement>(kind ? `.${kind}` : 'a');
    (target ?? document.getElementById('title'))?.focus();
  };
}
