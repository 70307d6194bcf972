// What a setting is called: in words, and as it is written in the file.

import type { Row } from './overview.ts';

export function Name({ row }: { row: Row }) {
  return (
    <>
      {row.label && (
        <span class="setting-label" lang={row.lang ?? 'en'}>
          {row.label}
        </span>
      )}{' '}
      <code>{row.key}</code>
    </>
  );
}
