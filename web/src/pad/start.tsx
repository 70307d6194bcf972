// Brings the page up: language, theme, the pad, the frame around it.

import { effect } from '@preact/signals';
import { render } from 'preact';
import { chooseLanguage } from '../i18n/languages.ts';
import { t, useLanguage } from '../i18n/text.ts';
import { afterPaint, later, loadWhenIdle } from '../load/later.ts';
import { mayCache } from '../offline/policy.ts';
import { keepLanguageCookie, prefs } from '../prefs/prefs.ts';
import { isColour, longColour } from '../theme/colour.ts';
import { applyTheme } from '../theme/theme.ts';
import { whoWrote } from './actions.ts';
import type { Boot } from './boot.ts';
import { isWide } from './breakpoints.ts';
import { createFrame, type Frame, titleOf } from './frame.ts';
import { listenToKeys } from './keys.ts';
import { withSentences } from './latePart.ts';
import type { OpenPad, PadBoot } from './live.ts';
import { Page } from './page.tsx';
import {
  forgetParameter,
  type Parameters,
  readParameters,
  readServerOptions,
  wishesOf,
} from './parameters.ts';
import { resolveView } from './view.ts';
import { editorWords } from './words.ts';

const suggest = later(withSentences(() => import('./suggest/sources.ts')));
const notices = later(withSentences(() => import('./notices/all.ts')));
const keep = later(() => import('../offline/pageCache.ts'));
const headingLinks = later(() => import('./headingLinks.ts'));
const recent = later(() => import('./recent.ts'));
const tips = later(() => import('../ui/tooltip.ts'));
const plugins = () => import('./plugins/host.tsx');

export async function start(place: HTMLElement, boot: Boot, openPad: OpenPad): Promise<void> {
  const parameters = readParameters(location.search);
  effect(() => applyTheme(prefs.value.theme ?? 'auto', boot.darkMode));
  const wishes = [parameters.lang, prefs.peek().language, boot.language];
  await useLanguage(chooseLanguage(wishes));

  const paper = document.createElement('div');
  paper.className = 'editor';
  const editLink = () => {
    frame.dialog.value = 'link';
  };
  const live = openPad(
    paper,
    padBoot(boot, parameters, editLink, () => frame),
  );
  const frame = createFrame(live, boot, parameters);

  followLanguage(frame);
  listenToKeys(frame);
  openChat(frame);
  loadRest(frame, paper);
  followKeyboard();
  effect(() => {
    const title = t('header.title', { pad: titleOf(frame), service: boot.service });
    const away = frame.away.value;
    document.title = away > 0 ? `(${away}) ${title}` : title;
  });
  render(<Page frame={frame} paper={paper} />, place);
}

function padBoot(
  boot: Boot,
  parameters: Parameters,
  editLink: () => void,
  frame: () => Frame,
): PadBoot {
  const server = readServerOptions(boot.padOptions);
  const says = { parameters, prefs: prefs.peek(), options: null, server };
  return {
    padId: boot.padId,
    base: boot.base,
    nonce: boot.nonce,
    look: resolveView(says).look,
    words: editorWords(boot.padId),
    editLink,
    aids: {
      markdown: () => prefs.peek().markdown !== false,
      sources: async (authors) => (await suggest.load()).sources(frame(), authors),
    },
    autofocus: typesAtOnce(),
    notesVisits: boot.recentPads,
    keepsCopy: () => prefs.peek().offline === true && mayCache(boot.padId),
    ...wishesOf(parameters),
    ...(server.userName ? { usualName: server.userName } : {}),
    ...(isColour(server.userColor) ? { usualColour: longColour(server.userColor) } : {}),
  };
}

// On a touch screen the focus would raise the keyboard, and inside another page take it from there.
function typesAtOnce(): boolean {
  return window.parent === window && matchMedia('(pointer: fine)').matches;
}

// The visitor's own language goes before the pad's, and the pad's before the server's guess.
function followLanguage({ live, boot, parameters }: Frame): void {
  let cookie = prefs.peek().language;
  // With a cookie the server has repeated the visitor's choice, not guessed.
  const guesses = cookie ? navigator.languages : [boot.language];
  effect(() => {
    const own = prefs.value.language;
    const wishes = [parameters.lang, own, live.info.value?.options.lang, ...guesses];
    void useLanguage(chooseLanguage(wishes));
    if (own !== cookie) {
      cookie = own;
      keepLanguageCookie(`${boot.cookiePrefix}language`, own || undefined);
    }
  });
}

function openChat({ view, panel }: Frame): void {
  let opened = false;
  effect(() => {
    const { chat, chatOpen } = view.value;
    const open = chat && chatOpen && isWide();
    if (open && !opened) panel.value = 'chat';
    opened = open;
  });
}

// Once the text is there, so that nothing stands in its way.
function loadRest(frame: Frame, paper: HTMLElement): void {
  const stop = effect(() => {
    if (!frame.live.info.value) return;
    queueMicrotask(() => stop());
    forgetParameter('title');
    void afterPaint().then(() => loadParts(frame, paper));
  });
}

function loadParts(frame: Frame, paper: HTMLElement): void {
  notices
    .load()
    .then((part) => part.tellAll(frame))
    .catch(() => {});
  tips
    .load()
    .then((part) => part.showTips())
    .catch(() => {});
  headingLinks
    .load()
    .then((part) => part.followHeadings(frame))
    .catch(() => {});
  recent
    .load()
    .then((part) => part.keepRecent(frame))
    .catch(() => {});
  runPlugins(frame);
  whoWrote
    .load()
    .then((part) => part.showAuthors(frame, paper))
    .catch(() => {});
  loadWhenIdle();
  keepPages(frame);
}

// Nothing of plugins is fetched where there are none.
function runPlugins(frame: Frame): void {
  const stop = effect(() => {
    if (!frame.live.info.value?.plugins.length) return;
    queueMicrotask(() => stop());
    plugins()
      .then((part) => part.runPlugins(frame))
      .catch(() => {});
  });
}

// For when there is no network, if the visitor wants that.
function keepPages({ boot, live }: Frame): void {
  if (!mayCache(boot.padId)) return;
  let kept = false;
  effect(() => {
    const wanted = prefs.value.offline === true;
    if (wanted === kept) return;
    kept = wanted;
    if (wanted) live.keepCopy();
    keep
      .load()
      .then((part) => (wanted ? part.cachePage(boot.base) : part.clearPages(boot.base)))
      .catch(() => {});
  });
}

// On some phones the keyboard covers the page instead of making it smaller.
function followKeyboard(): void {
  const visible = window.visualViewport;
  visible?.addEventListener('resize', () => {
    const covered = innerHeight - visible.height > 1 && visible.scale === 1;
    const { style } = document.documentElement;
    if (covered) style.setProperty('--window', `${visible.height}px`);
    else style.removeProperty('--window');
  });
}
