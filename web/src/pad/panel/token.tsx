// The key by which a new pad can be deleted, shown once to its creator.

import { t } from '../../i18n/text.ts';
import { Button } from '../../ui/button.tsx';
import { CopyField } from '../../ui/copy.tsx';
import { useFrame } from '../frame.ts';

export function TokenCard() {
  const { live, boot, tokenSeen } = useFrame();
  const token = live.info.value?.deletionToken;
  if (!token || tokenSeen.value) return null;
  return (
    <section class="card" aria-label={t('token.title')}>
      <h2>{t('token.title')}</h2>
      <p>{t('token.text')}</p>
      <CopyField label={t('token.key')} value={token} />
      <div class="card-actions">
        <Button icon="download" onClick={() => saveFile(`${boot.padId}.txt`, `${token}\n`)}>
          {t('common.download')}
        </Button>
        <Button
          onClick={() => {
            tokenSeen.value = true;
          }}
        >
          {t('token.done')}
        </Button>
      </div>
    </section>
  );
}

function saveFile(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  link.download = name.replaceAll(/[^\p{L}\p{N}._-]/gu, '_');
  link.click();
  // The browser has begun by then, and the bytes are not needed any more.
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
