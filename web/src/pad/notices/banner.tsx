// The privacy notice of whoever runs the server.
//
// Invariant: plain text, a paragraph for each line. A dismissible one stays away until its words
// change; a sticky one stays.

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
  const words = `${banner.title}\n${banner.body}`;
  if (!sticky && read(SEEN) === words) return null;
  const dismiss = () => {
    write(SEEN, words);
    dismissed.value = true;
  };
  const address = safeAddress(banner.learnMoreUrl);
  const lines = banner.body.split('\n').filter((line) => line.trim() !== '');
  return (
    <NoticeBox title={banner.title} onDismiss={sticky ? undefined : dismiss}>
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
  );
}
