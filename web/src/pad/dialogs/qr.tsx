// An address as a picture that a phone reads. Loaded when it is looked at.

import { encode } from 'uqr';
import { t } from '../../i18n/text.ts';

// Readers want so much white around it.
const BORDER = 2;

export function QrCode({ address }: { address: string }) {
  const { data, size } = encode(address, { ecc: 'M', border: BORDER });
  const squares = data.flatMap((row, y) =>
    row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : '')),
  );
  return (
    <svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label={t('share.qr')}>
      <path d={squares.join('')} />
    </svg>
  );
}
