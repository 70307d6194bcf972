// Brings the page up: language, theme, the pad, the frame around it.

import { effect } from '@preact/signals';
import { render } from 'preact';
import { chooseLanguage } from '../i18n/languages.ts';
import { t, useLanguage } from '../i18n/text.ts';
import { keepLanguageCookie, prefs } from '../prefs/prefs.ts';
import { forgetPad, rememberPad } from '../prefs/recent.ts';
import { isColour, longColour } from '../theme/colour.ts';
import { applyTheme } from '../theme/theme.ts';
import { loadWhenIdle } from '../ui/lazy.ts';
import { showTips } from '../ui/tooltip.ts';
import type { Boot } from './boot.ts';
import { createFrame, type Frame } from './frame.ts';
import { listenToKeys } from './keys.ts';
import type { OpenPad, PadBoot } from './live.ts';
import { countUnread, listenToNotices } from './notices/listen.ts';
import { askForVersion } from './notices/outdated.ts';
import { Page } from './page.tsx';
import { type Parameters, readParameters } from './parameters.ts';
import { resolveView } from './view.ts';
import { editorWords } from './words.ts';

const WIDE = '(min-width: 721px)';

export async function start(place: HTMLElement, boot: Boot, openPad: OpenPad): Promise<void> {
  const parameters = readParameters(location.search);
  effect(() => applyTheme(prefs.value.theme ?? 'auto', boot.darkMode));
  const wishes = [parameters.lang, prefs.peek().language, boot.language];
  await useLanguage(chooseLanguage(wishes));

  const paper = document.createElement('div');
  paper.className = 'editor';
  // Lines that run the other way say so themselves, whatever the language of the page around them.
  paper.dir = 'ltr';
  const live = openPad(paper, padBoot(boot, parameters));
  const frame = createFrame(live, boot, parameters);

  followLanguage(frame);
  listenToNotices(frame);
  countUnread(frame);
  listenToKeys(frame);
  openPanels(frame);
  keepRecent(frame);
  askForVersion(frame);
  loadRest(frame);
  followKeyboard();
  showTips();
  effect(() => {
    document.title = t('header.title', { pad: boot.padId, service: boot.service });
  });
  render(<Page frame={frame} paper={paper} />, place);
}

function padBoot(boot: Boot, parameters: Parameters): PadBoot {
  const { userName, userColor } = parameters;
  const says = { parameters, prefs: prefs.peek(), options: null, server: {} };
  return {
    padId: boot.padId,
    base: boot.base,
    nonce: boot.nonce,
    look: resolveView(says).look,
    words: editorWords(boot.padId),
    ...(userName ? { userName } : {}),
    ...(userColor && isColour(userColor) ? { userColour: longColour(userColor) } : {}),
  };
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

function openPanels({ live, view, panel, toast, tokenSeen }: Frame): void {
  let opened = false;
  effect(() => {
    const { chat, chatOpen } = view.value;
    const open = chat && chatOpen && matchMedia(WIDE).matches;
    if (open && !opened) panel.value = 'chat';
    opened = open;
  });
  // The key of a new pad stands in the panel. A phone has no room for it beside the text.
  let told = false;
  effect(() => {
    if (!live.info.value?.deletionToken || told || !view.value.controls) return;
    told = true;
    const open = () => {
      panel.value = panel.peek() ?? 'people';
    };
    if (matchMedia(WIDE).matches) open();
    else {
      const later = { label: t('notice.draftShow'), act: open };
      toast({ text: t('token.title'), actions: [later] });
    }
    tokenSeen.value = false;
  });
}

// Once the text is there, so that nothing stands in its way.
function loadRest({ live }: Frame): void {
  const stop = effect(() => {
    if (!live.info.value) return;
    queueMicrotask(() => stop());
    loadWhenIdle();
  });
}

function keepRecent({ live, boot }: Frame): void {
  // Inside another page the address belongs to that page.
  if (!boot.recentPads || window.parent !== window) return;
  let remembered = false;
  effect(() => {
    const state = live.state.value;
    if (state.kind === 'stopped' && state.reason === 'deleted') forgetPad(boot.padId);
    else if (live.info.value && !remembered) {
      remembered = true;
      rememberPad(boot.padId, Date.now());
    }
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
