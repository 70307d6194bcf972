// The operator's privacy banner, at the bottom of the page.
//
// Invariant: plain text, a paragraph for each line, and always a button to close it. A dismissible
// one stays closed in this browser, whatever it says later; a sticky one is back at the next load.

import { useSignal } from '@preact/signals';
import { t } from '../../i18n/text.ts';
import { read, write } from '../../prefs/storage.ts';
import { NoticeBox } from '../../ui/notice.tsx';
import { useFrame } from '../frame.ts';
import { safeAddress } from './address.ts';

const SEEN = 'privacy-seen';

export function PrivacyNotice() {
  const { live } = useFrame();
  const dismissed = useSignal(false);
  const banner = live.info.value?.banner;
  if (!banner || dismissed.value) return null;
  const sticky = banner.dismissal === 'sticky';
  if (!sticky && read(SEEN) !== null) return null;
  const dismiss = () => {
    if (!sticky) write(SEEN, 'yes');
    dismissed.value = true;
  };
  const address = safeAddress(banner.learnMoreUrl);
  const lines = banner.body.split('\n').filter((line) => line.trim() !== '');
  return (
    <section class="privacy" aria-label={banner.title || t('notice.privacy')}>
      <NoticeBox title={banner.title} onDismiss={dismiss}>
        {lines.map((line) => (
          <p key={line}>{line}</p>
        ))}
        {address && (
          <p>
            <a href={address} target="_blank" rel="noopener noreferrer">
              {t('common.learnMore')}
            </a>
          </p>
        )}
      </NoticeBox>
    </section>
  );
}
