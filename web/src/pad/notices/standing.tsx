// What stays between the bar and the text until something is done about it.

import { t } from '../../i18n/text.ts';
import { relativeTime } from '../../i18n/time.ts';
import { copyText } from '../../ui/copy.tsx';
import { type Action, NoticeBox } from '../../ui/notice.tsx';
import { type Frame, useFrame } from '../frame.ts';
import type { StopReason } from '../live.ts';
import { useAutoReload } from './autoReload.ts';

export function StandingNotices() {
  return (
    <section class="standing" aria-label={t('notice.label')}>
      <Stopped />
      <StorageNotice />
      <RejectedNotice />
      <DraftNotice />
    </section>
  );
}

function Stopped() {
  const frame = useFrame();
  const state = frame.live.state.value;
  const reason = state.kind === 'stopped' ? state.reason : null;
  const again = useAutoReload(reason);
  if (reason === null) return null;
  const calm = reason === 'duplicate';
  const cancel = { label: t('common.cancel'), act: again.stop };
  return (
    <NoticeBox
      urgent
      tone={calm ? 'warn' : 'bad'}
      icon={calm ? 'info' : 'alert'}
      actions={[...(again.seconds === null ? [] : [cancel]), ...stopActions(frame, reason)]}
    >
      {t(`stopped.${reason}`)}
      {again.seconds !== null && (
        <p aria-live="off">{t('notice.reloadIn', { seconds: again.seconds })}</p>
      )}
    </NoticeBox>
  );
}

function stopActions(frame: Frame, reason: StopReason): Action[] {
  const { live, boot, toast } = frame;
  const copy = {
    label: t('notice.copyText'),
    act: async () => {
      if (await copyText(live.text())) toast({ text: t('common.copied'), tone: 'good' });
    },
  };
  const reload = { label: t('notice.reload'), primary: true, act: () => location.reload() };
  const leave = {
    label: t('notice.newPad'),
    act: () => location.assign(`${boot.base}./`),
  };
  // Somebody who was never let in has no text to copy.
  const text = live.info.peek() ? [copy] : [];
  switch (reason) {
    case 'duplicate':
      return [{ label: t('notice.useHere'), primary: true, act: () => live.useHere() }];
    case 'deleted':
      return [...text, { ...leave, primary: true }];
    case 'denied':
      return [...text, leave, reload];
    case 'refused':
    case 'rateLimited':
    case 'corrupt':
    case 'rejected':
      return [...text, reload];
  }
}

// Also for readers: what they see is stored, but nothing new will be for now.
function StorageNotice() {
  if (!useFrame().live.storageFails.value) return null;
  return (
    <NoticeBox urgent tone="bad" icon="alert" actions={[]}>
      {t('storage.failing')}
    </NoticeBox>
  );
}

function RejectedNotice() {
  const { live, dialog } = useFrame();
  const rejected = live.rejected.value;
  if (!rejected) return null;
  const show = () => {
    dialog.value = 'rejected';
  };
  const actions = [
    { label: t('notice.rejectedShow'), act: show },
    { label: t('notice.rejectedRetry'), primary: true, act: () => rejected.retry() },
  ];
  return (
    <NoticeBox urgent tone="warn" icon="alert" actions={actions}>
      {t('notice.rejected', { words: rejected.words })}
    </NoticeBox>
  );
}

function DraftNotice() {
  const { live, dialog } = useFrame();
  const draft = live.draft.value;
  if (!draft) return null;
  const show = () => {
    dialog.value = 'draft';
  };
  const merge = { label: t('notice.draftMerge'), primary: true, act: () => draft.merge() };
  const actions = [
    { label: t('notice.draftDiscard'), act: () => draft.discard() },
    { label: t('notice.draftShow'), act: show },
    ...(draft.mergeable ? [merge] : []),
  ];
  const time = relativeTime(draft.time, Date.now());
  return (
    <NoticeBox urgent tone="warn" icon="pen" actions={actions}>
      {t('notice.draft', { words: draft.words, time })}
    </NoticeBox>
  );
}
