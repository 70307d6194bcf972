// Brings the history of a pad up, at the revision that the address names.

import { computed, effect } from '@preact/signals';
import { render } from 'preact';
import { chooseLanguage } from '../i18n/languages.ts';
import { t, useLanguage } from '../i18n/text.ts';
import type { Boot } from '../pad/boot.ts';
import { readParameters, readServerOptions } from '../pad/parameters.ts';
import { shownTitle } from '../pad/shownTitle.ts';
import { resolveView } from '../pad/view.ts';
import { prefs } from '../prefs/prefs.ts';
import { applyTheme } from '../theme/theme.ts';
import { lateSentences } from '../ui/lateTexts.ts';
import { showTips } from '../ui/tooltip.ts';
import { named } from './address.ts';
import { Archive } from './archive.ts';
import { AutoCompare } from './autoCompare.ts';
import { CompareState } from './compareState.ts';
import { HistoryPage } from './page.tsx';
import { Player } from './player.ts';
import { showRevision } from './viewer.ts';

const ADDRESS_MS = 300;

export async function start(place: HTMLElement, boot: Boot): Promise<void> {
  const parameters = readParameters(location.search);
  effect(() => applyTheme(prefs.value.theme ?? 'auto', boot.darkMode));
  await useLanguage(chooseLanguage([parameters.lang, prefs.peek().language, boot.language]));
  await lateSentences();

  const paper = document.createElement('div');
  paper.className = 'editor';
  const asked = named(location.hash);
  const { revision, other } = asked ?? { revision: Infinity, other: null };
  const archive = new Archive(boot.base, boot.padId, revision, other);
  const player = new Player(archive);
  const comparing = new CompareState(archive);
  const auto = new AutoCompare(archive, player, asked === null);
  const view = computed(() => {
    const info = archive.joined.value?.info;
    const server = readServerOptions(info?.serverOptions ?? {});
    return resolveView({ parameters, prefs: prefs.value, options: info?.options ?? null, server });
  });
  showRevision(paper, archive, comparing, boot, view);
  followAddress(archive, player, auto);
  showTips();
  effect(() => {
    const pad = shownTitle(boot, archive.joined.value?.info.title);
    document.title = t('history.title', { pad, service: boot.service });
  });
  const props = { archive, player, comparing, auto, boot, paper, view };
  render(<HistoryPage {...props} />, place);
}

// The address names what is shown, so that it can be passed on.
function followAddress(archive: Archive, player: Player, auto: AutoCompare): void {
  // Some browsers allow few changes of it in a while.
  let timer: ReturnType<typeof setTimeout> | undefined;
  let known = location.hash;
  addEventListener('hashchange', () => {
    known = location.hash;
    clearTimeout(timer);
    const place = named(location.hash);
    if (!place) return;
    player.pause();
    auto.leave();
    archive.compareWith(place.other);
    archive.go(place.revision);
  });
  const write = (name: string) => {
    // Somebody has just gone elsewhere, and the event that says so is on its way.
    if (location.hash !== known) return;
    history.replaceState(null, '', name);
    known = name;
  };
  effect(() => {
    const revision = archive.shown.value?.revision;
    const other = archive.comparedWith.value;
    clearTimeout(timer);
    if (revision === undefined || player.playing.value) return;
    const name = other === null ? `#${revision}` : `#${other}..${revision}`;
    timer = setTimeout(() => write(name), ADDRESS_MS);
  });
}
