// The page around the text.
//
// Invariant: the text is never covered and never taken away. Everything else is beside it.

import { useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../i18n/text.ts';
import { Bar } from './bar.tsx';
import { Dialogs } from './dialogs/dialogs.tsx';
import { type Frame, FrameProvider, useFrame } from './frame.ts';
import { Header } from './header.tsx';
import { latePart } from './latePart.ts';
import type { LivePad } from './live.ts';
import { StateChip } from './state.tsx';
import { StatusLine } from './statusLine.tsx';

const StandingNotices = latePart(
  async () => (await import('./notices/standing.tsx')).StandingNotices,
);
const FollowBar = latePart(async () => (await import('./notices/follow.tsx')).FollowBar);
const PrivacyNotice = latePart(async () => (await import('./notices/banner.tsx')).PrivacyNotice);
const Toasts = latePart(async () => (await import('./notices/toasts.tsx')).Toasts);
const DropTarget = latePart(async () => (await import('./files/drop.tsx')).DropTarget);
const SidePanel = latePart(async () => (await import('./panel/panel.tsx')).SidePanel);

export function Page({ frame, paper }: { frame: Frame; paper: HTMLElement }) {
  return (
    <FrameProvider value={frame}>
      <Layout paper={paper} />
    </FrameProvider>
  );
}

function Layout({ paper }: { paper: HTMLElement }) {
  const { live, view, panel, toasts } = useFrame();
  const { controls } = view.value;
  const readOnly = live.info.value?.readOnly === true;
  const classes = ['page', panel.value && 'with-panel', !controls && 'bare'];
  return (
    <div class={classes.filter(Boolean).join(' ')}>
      <button type="button" class="skip" onClick={() => live.focus()}>
        {t('header.skip')}
      </button>
      {controls && <Header />}
      {controls && <Bar readOnly={readOnly} />}
      <main class="main" data-region>
        {anyStanding(live) && <StandingNotices />}
        {live.following.value && <FollowBar key={live.following.value} />}
        <Paper element={paper} />
        {toasts.value.length > 0 && <Toasts />}
        {live.info.value && !readOnly && <DropTarget />}
      </main>
      {panel.value && (
        <SidePanel
          onMissing={() => {
            panel.value = null;
          }}
        />
      )}
      {live.info.value?.banner && <PrivacyNotice />}
      {controls ? (
        <StatusLine />
      ) : (
        <div class="bare-state">
          <StateChip />
        </div>
      )}
      <Dialogs />
    </div>
  );
}

// Whether one of the notices in `notices/standing.tsx` has something to say.
function anyStanding(live: LivePad): boolean {
  const stopped = live.state.value.kind === 'stopped';
  return stopped || live.storageFails.value || !!(live.draft.value || live.rejected.value);
}

// The editor lives in an element of its own, which no redrawing touches.
function Paper({ element }: { element: HTMLElement }) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    place.current?.append(element);
  }, [element]);
  return <div class="paper" ref={place} />;
}
