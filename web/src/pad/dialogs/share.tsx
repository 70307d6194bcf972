// Sharing: one choice of what people may do, then the link and the code for it.

import { useSignal } from '@preact/signals';
import { t } from '../../i18n/text.ts';
import { Button } from '../../ui/button.tsx';
import { CopyField } from '../../ui/copy.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Segments } from '../../ui/field.tsx';
import { lazy } from '../../ui/lazy.ts';
import { padAddress, titleOf, useFrame } from '../frame.ts';
import type { DialogProps } from './dialogs.tsx';

const QrCode = lazy(async () => (await import('./qr.tsx')).QrCode);

type Right = 'edit' | 'read';

export function ShareDialog({ onClose }: DialogProps) {
  const frame = useFrame();
  const { live, boot, deletionKey, dialog } = frame;
  const info = live.info.value;
  const onlyRead = info?.readOnly === true;
  const right = useSignal<Right>(onlyRead ? 'read' : 'edit');
  const readOnlyId = info?.readOnlyId ?? '';
  const address = padAddress(boot, right.value === 'edit' ? boot.padId : readOnlyId);
  const systemShare = () =>
    void navigator.share({ title: titleOf(frame), url: address }).catch(() => {});
  return (
    <Dialog title={t('share.title')} onClose={onClose}>
      {!onlyRead && readOnlyId && (
        <Segments
          label={t('share.who')}
          value={right.value}
          options={[
            { value: 'edit', label: t('share.canEdit') },
            { value: 'read', label: t('share.canRead') },
          ]}
          onChange={(value) => {
            right.value = value;
          }}
        />
      )}
      <CopyField label={t('share.link')} value={address} primary />
      <div class="share-ways">
        <div>
          <p class="hint">
            {right.value === 'edit' ? t('share.editHint') : t('share.readOnlyHint')}
          </p>
          <p class="hint">{t('share.qrHint')}</p>
          {'share' in navigator && (
            <Button icon="share" onClick={systemShare}>
              {t('share.system')}
            </Button>
          )}
        </div>
        {/* Has its size before the code comes, so that nothing moves under a click. */}
        <div class="qr">
          <QrCode address={address} />
        </div>
      </div>
      <CopyField
        label={t('share.embed')}
        value={embedCode(address, right.value, titleOf(frame))}
        rows={3}
      />
      {deletionKey.value !== null && (
        <div class="dialog-actions">
          <p class="hint grow">{t('token.title')}</p>
          <Button
            onClick={() => {
              dialog.value = 'key';
            }}
          >
            {t('token.open')}
          </Button>
        </div>
      )}
    </Dialog>
  );
}

function embedCode(address: string, right: Right, title: string): string {
  const options = 'showControls=true&showChat=true&showLineNumbers=false&useMonospaceFont=false';
  const attributes = {
    name: right === 'edit' ? 'embed_readwrite' : 'embed_readonly',
    title,
    src: `${address}?${options}`,
    allow: 'clipboard-write',
    width: '100%',
    height: '600',
  };
  const written = Object.entries(attributes).map(([name, value]) => `${name}="${escaped(value)}"`);
  return `<iframe ${written.join(' ')}></iframe>`;
}

function escaped(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
