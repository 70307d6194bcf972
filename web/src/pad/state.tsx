// The one state of the pad, in words and with a sign beside them.

import { t } from '../i18n/text.ts';
import { Icon, type IconName } from '../ui/icon.tsx';
import { useFrame } from './frame.ts';
import type { PadState } from './live.ts';

type Tone = 'good' | 'calm' | 'warn' | 'bad';

export function StateChip() {
  const { live } = useFrame();
  const state = live.state.value;
  const { icon, tone } = sign(state);
  const waiting = state.kind === 'reconnecting' && state.seconds > 0;
  return (
    <div class={`state ${tone}`} data-state={state.kind} data-settled={live.settled.value}>
      <span class="state-text" role="status">
        <Icon name={icon} />
        <span>{stateText(state)}</span>
      </span>
      {(waiting || state.kind === 'offline') && (
        <button type="button" class="state-action" onClick={() => live.reconnectNow()}>
          {t('state.reconnectNow')}
        </button>
      )}
    </div>
  );
}

export function stateText(state: PadState): string {
  switch (state.kind) {
    case 'connecting':
      return t('state.connecting');
    case 'saved':
      return t('state.saved');
    case 'saving':
      return t('state.saving');
    case 'slow':
      return t('state.slow', { seconds: state.seconds });
    case 'offline':
      return t('state.offline', { words: state.words });
    case 'reconnecting':
      return t('state.reconnecting', { seconds: state.seconds });
    case 'merged':
      return t('state.merged', { changes: state.changes });
    case 'unstored':
      return t('state.unstored', { words: state.words });
    case 'readOnly':
      return t('state.readOnly');
    case 'restarting':
      return t('state.restarting', { seconds: state.seconds });
    case 'stopped':
      return t('state.stopped');
  }
}

function sign(state: PadState): { icon: IconName; tone: Tone } {
  switch (state.kind) {
    case 'saved':
    case 'merged':
      return { icon: 'check', tone: 'good' };
    case 'connecting':
    case 'saving':
      return { icon: 'sync', tone: 'calm' };
    case 'readOnly':
      return { icon: 'eye', tone: 'calm' };
    case 'slow':
    case 'reconnecting':
    case 'restarting':
      return { icon: 'sync', tone: 'warn' };
    case 'offline':
      return { icon: 'cloudOff', tone: 'warn' };
    case 'unstored':
    case 'stopped':
      return { icon: 'alert', tone: 'bad' };
  }
}
