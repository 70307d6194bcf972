// Facts of a join, as the frame wants them.

import type { Shortcuts } from '../../editor/keymap.ts';
import {
  type JoinVars,
  type Json,
  listOf,
  numberOf,
  objectOf,
  textOf,
} from '../../net/messages.ts';
import type { PadInfo, PadOptions, PrivacyBanner, SavedRevision } from '../live.ts';
import type { PagePlugin } from '../plugins/extras.ts';

export function infoOf({ vars, authorId, palette }: JoinVars): PadInfo {
  return {
    padId: textOf(vars.padId),
    title: textOf(vars.padTitle),
    readOnly: vars.readonly === true,
    readOnlyId: textOf(vars.readOnlyId),
    authorId,
    palette,
    options: optionsOf(objectOf(vars.initialOptions)),
    serverOptions: objectOf(vars.padOptions),
    deletionToken: textOf(vars.padDeletionToken) || null,
    canDeleteWithoutToken: vars.canDeleteWithoutToken === true,
    canEditPadSettings: vars.canEditPadSettings === true,
    savedRevisions: Array.isArray(vars.savedRevisions)
      ? vars.savedRevisions.map((saved) => savedOf(objectOf(saved)))
      : [],
    banner: bannerOf(objectOf(vars.privacyBanner)),
    shortcuts: objectOf(vars.padShortcutEnabled) as Shortcuts,
    clockOffset: numberOf(vars.serverTimestamp, Date.now()) - Date.now(),
    plugins: listOf(vars.pagePlugins) as PagePlugin[],
  };
}

export function savedOf(saved: Json): SavedRevision {
  return {
    revision: numberOf(saved.revNum),
    authorId: textOf(saved.savedById),
    label: textOf(saved.label),
    time: numberOf(saved.timestamp),
  };
}

// Saved revisions after some of them were named again, or saved while nobody listened.
export function withNames(
  known: readonly SavedRevision[],
  named: readonly Json[],
): readonly SavedRevision[] {
  const all = new Map(known.map((saved) => [saved.revision, saved]));
  for (const saved of named.map(savedOf)) all.set(saved.revision, saved);
  return [...all.values()].sort((one, other) => one.revision - other.revision);
}

function bannerOf(banner: Json): PrivacyBanner | null {
  if (banner.enabled !== true) return null;
  return {
    title: textOf(banner.title),
    body: textOf(banner.body),
    learnMoreUrl: textOf(banner.learnMoreUrl) || null,
    dismissal: textOf(banner.dismissal),
  };
}

const UNSET: PadOptions = {
  enforceSettings: false,
  showChat: true,
  alwaysShowChat: false,
  chatAndUsers: false,
  lang: null,
  view: {
    showAuthorColors: true,
    showLineNumbers: false,
    rtlIsTrue: false,
    fadeInactiveAuthorColors: true,
    padFontFamily: '',
  },
};

// Options as the server sends them, whole or in part, over those that held before.
export function optionsOf(options: Json, before: PadOptions = UNSET): PadOptions {
  const view = sameTypes(objectOf(options.view), before.view);
  const { lang } = options;
  const whole = sameTypes(options, before);
  const chosen = lang === undefined ? before.lang : textOf(lang) || null;
  return { ...whole, lang: chosen, view };
}

// Takes over only what has the type it should have.
function sameTypes<T extends object>(given: Json, before: T): T {
  const taken = Object.entries(before).filter(
    ([key, value]) => typeof given[key] === typeof value && key !== 'view',
  );
  return { ...before, ...Object.fromEntries(taken.map(([key]) => [key, given[key]])) };
}
