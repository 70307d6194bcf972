// Tells the creator of the pad that the server is behind, once in a visit.

import { effect } from '@preact/signals';
import { t } from '../../i18n/text.ts';
import type { Frame } from '../frame.ts';

export function askForVersion({ live, boot, toast }: Frame): void {
  if (!boot.versionStatus) return;
  const stop = effect(() => {
    if (!live.info.value) return;
    queueMicrotask(() => stop());
    void isOutdated(`${boot.base}api/version-status?padId=${encodeURIComponent(boot.padId)}`).then(
      (outdated) => outdated && toast({ text: t('notice.outdated') }),
    );
  });
}

async function isOutdated(address: string): Promise<boolean> {
  try {
    const response = await fetch(address);
    const status: unknown = response.ok ? await response.json() : null;
    if (typeof status !== 'object' || status === null) return false;
    const { outdated, isFirstAuthor } = status as Record<string, unknown>;
    return outdated === 'minor' && isFirstAuthor === true;
  } catch {
    return false;
  }
}
