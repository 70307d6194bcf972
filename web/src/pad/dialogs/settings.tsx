// Settings: how pads look to me, and how this one looks to everybody.
//
// Invariant: a choice holds at once, and the text beside the drawer shows it.

import { useSignal } from '@preact/signals';
import { t } from '../../i18n/text.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { useFrame } from '../frame.ts';
import type { DialogProps } from './dialogs.tsx';
import { MySettings } from './mySettings.tsx';
import { PadSettings } from './padSettings.tsx';

export function SettingsDialog({ onClose }: DialogProps) {
  const { live } = useFrame();
  const tab = useSignal<'mine' | 'everybody'>('mine');
  const info = live.info.value;
  const creator = info?.canEditPadSettings;
  return (
    <Dialog title={t('settings.title')} shape="drawer" onClose={onClose}>
      {creator ? (
        <Tabs
          label={t('settings.title')}
          tabs={[
            { name: 'mine', label: t('settings.mine') },
            { name: 'everybody', label: t('settings.everybody') },
          ]}
          chosen={tab.value}
          onChoose={(name) => {
            tab.value = name;
          }}
        >
          {tab.value === 'mine' ? <MySettings /> : <PadSettings />}
        </Tabs>
      ) : (
        <MySettings />
      )}
    </Dialog>
  );
}
