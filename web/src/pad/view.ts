// How this pad looks to this visitor, out of everybody who has a say.
//
// Invariant: pure. The address goes before all; then what the creator has fixed; then the visitor's
// own choices; then what the creator proposes, and what the server says.

import type { Prefs } from '../prefs/prefs.ts';
import type { Look, PadOptions } from './live.ts';
import type { Parameters } from './parameters.ts';

export interface View {
  look: Look;
  controls: boolean;
  menuRight: boolean;
  chat: boolean;
  // Open without being asked.
  chatOpen: boolean;
  chatAndUsers: boolean;
  // Whether fonts and sizes of text are offered.
  fonts: boolean;
}

export interface Says {
  parameters: Parameters;
  prefs: Prefs;
  // Not known before the first join.
  options: PadOptions | null;
  server: Parameters;
}

export const FONTS = {
  serif: 'Georgia, Cambria, "Noto Serif", serif',
  monospace: 'ui-monospace, "SF Mono", Consolas, "Noto Sans Mono", monospace',
  dyslexic: 'OpenDyslexic, sans-serif',
  comic: '"Comic Sans MS", "Comic Neue", cursive',
} as const;

const DEFAULT_SIZE = 16;
const DEFAULT_WIDTH = 74;

export function resolveView({ parameters, prefs, options, server }: Says): View {
  const fixed = options?.enforceSettings === true;
  const mine = fixed ? {} : prefs;
  const view = options?.view;
  const look: Look = {
    lineNumbers:
      parameters.showLineNumbers ??
      mine.lineNumbers ??
      view?.showLineNumbers ??
      server.showLineNumbers ??
      false,
    authorship: authorship(parameters, mine, options, server),
    fade:
      parameters.fadeInactiveAuthorColors ??
      mine.fade ??
      view?.fadeInactiveAuthorColors ??
      server.fadeInactiveAuthorColors ??
      true,
    font: font(parameters, mine, options, server),
    // Eyes differ: size, width and theme are never anybody else's to fix.
    size: prefs.size ?? DEFAULT_SIZE,
    width: prefs.width ?? DEFAULT_WIDTH,
    direction: direction(parameters, mine, options, server),
    whole: prefs.wholeText ?? false,
    readable: parameters.enforceReadableAuthorColors ?? server.enforceReadableAuthorColors ?? true,
  };
  return {
    look,
    controls: parameters.showControls ?? server.showControls ?? true,
    menuRight: parameters.showMenuRight ?? server.showMenuRight ?? true,
    chat: parameters.showChat ?? mine.chatShown ?? options?.showChat ?? server.showChat ?? true,
    chatOpen:
      parameters.alwaysShowChat ??
      parameters.chatAndUsers ??
      mine.chatOpen ??
      [
        options?.alwaysShowChat,
        options?.chatAndUsers,
        server.alwaysShowChat,
        server.chatAndUsers,
      ].some(Boolean),
    // A pad can ask for it, but has no way to ask for the opposite.
    chatAndUsers:
      parameters.chatAndUsers ??
      mine.chatAndUsers ??
      (options?.chatAndUsers || server.chatAndUsers || false),
    fonts: parameters.showFonts ?? server.showFonts ?? true,
  };
}

type Voices = [Parameters, Prefs, PadOptions | null, Parameters];

function authorship(...[parameters, mine, options, server]: Voices): Look['authorship'] {
  // Who wants the colours exactly as they were chosen wants to see them.
  const readable = parameters.enforceReadableAuthorColors ?? server.enforceReadableAuthorColors;
  const usual = readable === false ? 'background' : 'stripe';
  const strength = mine.authorship ?? usual;
  if (parameters.noColors !== undefined) {
    if (parameters.noColors) return 'off';
    return strength === 'off' ? usual : strength;
  }
  if (mine.authorship) return mine.authorship;
  return options?.view.showAuthorColors === false || server.noColors ? 'off' : usual;
}

function font(...[parameters, mine, options, server]: Voices): string {
  if (parameters.useMonospaceFont !== undefined) {
    return parameters.useMonospaceFont ? FONTS.monospace : '';
  }
  const chosen = mine.font ?? fontOfPad(options?.view.padFontFamily ?? '');
  return chosen || (mine.font === undefined && server.useMonospaceFont ? FONTS.monospace : '');
}

// Pads name a font by one word; ours come as families with what to use when it is missing.
export function fontOfPad(name: string): string {
  const plain = name.trim().toLowerCase();
  if (!plain || !/^[\w ,'"-]{1,80}$/.test(name)) return '';
  if (plain === 'monospace' || plain === 'robotomono') return FONTS.monospace;
  if (plain === 'serif') return FONTS.serif;
  if (plain === 'opendyslexic') return FONTS.dyslexic;
  return name;
}

function direction(...[parameters, mine, options, server]: Voices): Look['direction'] {
  if (parameters.rtl !== undefined) return parameters.rtl ? 'rtl' : 'auto';
  if (mine.direction) return mine.direction;
  return options?.view.rtlIsTrue || server.rtl ? 'rtl' : 'auto';
}
