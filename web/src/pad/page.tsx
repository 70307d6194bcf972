// The page around the text.
//
// Invariant: the text is never covered and never taken away. Everything else is beside it.

import { useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../i18n/text.ts';
import { FormattingBar, ReadingBar } from './bar.tsx';
import { Dialogs } from './dialogs/dialogs.tsx';
import { type Frame, FrameProvider, useFrame } from './frame.ts';
import { Header } from './header.tsx';
import { StandingNotices } from './notices/standing.tsx';
import { Toasts } from './notices/toasts.tsx';
import { SidePanel } from './panel/panel.tsx';
import { StateChip } from './state.tsx';
import { StatusLine } from './statusLine.tsx';

export function Page({ frame, paper }: { frame: Frame; paper: HTMLElement }) {
  return (
    <FrameProvider value={frame}>
      <Layout paper={paper} />
    </FrameProvider>
  );
}

function Layout({ paper }: { paper: HTMLElement }) {
  const { live, view, panel } = useFrame();
  const { controls } = view.value;
  const readOnly = live.info.value?.readOnly === true;
  const classes = ['page', panel.value && 'with-panel', !controls && 'bare'];
  return (
    <div class={classes.filter(Boolean).join(' ')}>
      <button type="button" class="skip" onClick={() => live.focus()}>
        {t('header.skip')}
      </button>
      {controls && <Header />}
      {controls && (readOnly ? <ReadingBar /> : <FormattingBar />)}
      <main class="main" data-region>
        <StandingNotices />
        <Paper element={paper} />
        <Toasts />
      </main>
      <SidePanel />
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

// The editor lives in an element of its own, which no redrawing touches.
function Paper({ element }: { element: HTMLElement }) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    place.current?.append(element);
  }, [element]);
  return <div class="paper" ref={place} />;
}
