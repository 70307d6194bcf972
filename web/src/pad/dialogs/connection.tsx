// What one may be asked for when something goes wrong.

import { t } from '../../i18n/text.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { useFrame } from '../frame.ts';
import { stateText } from '../state.tsx';
import type { DialogProps } from './dialogs.tsx';

export function ConnectionDialog({ onClose }: DialogProps) {
  const { live, boot } = useFrame();
  const info = live.info.value;
  const away = Math.round(Math.abs(info?.clockOffset ?? 0) / 1000);
  const rows: [string, string][] = [
    [t('connection.state'), stateText(live.state.value)],
    [t('connection.pad'), boot.padId],
    [t('connection.revision'), String(live.revision.value)],
    [t('connection.people'), String(live.people.value.length)],
    [
      t('connection.clock'),
      away === 0 ? t('connection.clockSame') : t('connection.clockOff', { seconds: away }),
    ],
    [t('connection.author'), info?.authorId ?? '–'],
  ];
  if (boot.version) rows.push([t('connection.version'), boot.version]);
  return (
    <Dialog title={t('connection.title')} onClose={onClose}>
      <dl class="facts">
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p class="hint">{t('connection.kept')}</p>
    </Dialog>
  );
}
