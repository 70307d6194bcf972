// Names of differences.

import { t } from '../i18n/text.ts';
import type { Kind } from './compare.ts';

export function differenceName(kind: Kind, author: string | null | undefined): string {
  if (kind === 'restyled' || !author) return t(`history.${kind}`);
  return t(`history.${kind}By`, { name: author });
}
