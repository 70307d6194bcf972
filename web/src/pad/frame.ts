// What the parts of the page share: the running pad, how it looks, and what is open around it.
//
// Invariant: the frame decides nothing about the text. It asks the pad, and shows what the pad says.

import { computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { prefs } from '../prefs/prefs.ts';
import type { Action } from '../ui/notice.tsx';
import type { Boot } from './boot.ts';
import type { LivePad } from './live.ts';
import type { Parameters } from './parameters.ts';
import { readServerOptions } from './parameters.ts';
import type { Extras, PluginPanelName } from './plugins/extras.ts';
import { shownTitle } from './shownTitle.ts';
import { resolveView, type View } from './view.ts';

export type PanelName = 'chat' | 'people' | 'outline' | PluginPanelName;
export type DialogName =
  | 'share'
  | 'files'
  | 'link'
  | 'settings'
  | 'shortcuts'
  | 'palette'
  | 'connection'
  | 'delete'
  | 'key'
  | 'template'
  | 'clear'
  | 'draft'
  | 'rejected';

export interface Toast {
  id: number;
  text: string;
  tone?: 'calm' | 'warn' | 'good';
  actions?: readonly Action[];
  // Stays until it is dismissed.
  sticky?: boolean;
}

export interface Frame {
  live: LivePad;
  boot: Boot;
  parameters: Parameters;
  view: ReadonlySignal<View>;
  panel: Signal<PanelName | null>;
  dialog: Signal<DialogName | null>;
  // A file that was dropped on the page, for the dialog about files.
  dropped: Signal<File | null>;
  unread: Signal<number>;
  // How many of these speak of the visitor.
  unreadMentions: Signal<number>;
  // Where others have mentioned the visitor in the text, out of sight: each shows its place.
  mentions: Signal<readonly (() => void)[]>;
  // What came while nobody looked at the page: messages, and mentions in the text.
  away: Signal<number>;
  toasts: Signal<readonly Toast[]>;
  // What plugins have added; null without any.
  extras: Signal<Extras | null>;
  // By which this pad can be deleted, if this browser has made it.
  deletionKey: Signal<string | null>;
  // Why the server did not do what the open dialog asked for.
  refusal: Signal<string | null>;
  toast: (toast: Omit<Toast, 'id'>) => void;
  dropToast: (id: number) => void;
}

const TOAST_LIMIT = 4;

export function createFrame(live: LivePad, boot: Boot, parameters: Parameters): Frame {
  let toastId = 0;
  const toasts = signal<readonly Toast[]>([]);
  const server = readServerOptions(boot.padOptions);
  const view = computed(() => currentView(live, parameters, server));
  effect(() => live.setLook(view.value.look));
  return {
    live,
    boot,
    parameters,
    view,
    panel: signal(null),
    dialog: signal(null),
    dropped: signal(null),
    unread: signal(0),
    unreadMentions: signal(0),
    mentions: signal([]),
    away: signal(0),
    toasts,
    extras: signal(null),
    deletionKey: signal(null),
    refusal: signal(null),
    toast: (toast) => {
      toastId += 1;
      const others = toasts.peek().filter(({ text }) => text !== toast.text);
      toasts.value = [...others, { ...toast, id: toastId }].slice(-TOAST_LIMIT);
    },
    dropToast: (id) => {
      toasts.value = toasts.peek().filter((toast) => toast.id !== id);
    },
  };
}

function currentView(live: LivePad, parameters: Parameters, server: Parameters): View {
  const options = live.info.value?.options ?? null;
  return resolveView({ parameters, prefs: prefs.value, options, server });
}

const FrameContext = createContext<Frame | null>(null);
export const FrameProvider = FrameContext.Provider;

export function useFrame(): Frame {
  const frame = useContext(FrameContext);
  if (!frame) throw new Error('only inside the page');
  return frame;
}

export const titleOf = ({ live, boot }: Pick<Frame, 'live' | 'boot'>) =>
  shownTitle(boot, live.info.value?.title);

// The address of this pad, or of its read-only view, for other people.
export function padAddress(boot: Boot, padId: string): string {
  return new URL(`${boot.base}p/${encodeURIComponent(padId)}`, location.href).href;
}
