// The formats a pad can be taken away in.

import { t } from '../../i18n/text.ts';
import { Icon } from '../../ui/icon.tsx';
import type { Boot } from '../boot.ts';

export function ExportLinks({ boot }: { boot: Boot }) {
  const pad = `${boot.base}p/${encodeURIComponent(boot.padId)}`;
  return (
    <ul class="formats">
      {boot.exports.map((format) => (
        <li key={format}>
          <a class="format" href={`${pad}/export/${format}`} download="">
            <Icon name="download" />
            <span>
              <strong>{t(`files.${format}`)}</strong>
              <span class="hint">{t(`files.${format}Hint`)}</span>
            </span>
          </a>
        </li>
      ))}
      <li>
        <a class="format" href={`${pad}/read`}>
          <Icon name="page" />
          <span>
            <strong>{t('files.read')}</strong>
            <span class="hint">{t('files.readHint')}</span>
          </span>
        </a>
      </li>
    </ul>
  );
}
