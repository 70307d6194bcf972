// The formats a pad, or a revision of it, can be taken away in.

import { t } from '../../i18n/text.ts';
import { Icon } from '../../ui/icon.tsx';

const FORMATS = ['docx', 'pdf', 'html', 'md', 'txt'] as const;

interface ExportLinksProps {
  base: string;
  padId: string;
  // The newest, if none is given. Only that one has its history with it.
  revision?: number;
}

export function ExportLinks({ base, padId, revision }: ExportLinksProps) {
  const pad = `${base}p/${encodeURIComponent(padId)}`;
  const from = revision === undefined ? pad : `${pad}/${revision}`;
  const formats = revision === undefined ? [...FORMATS, 'etherpad' as const] : FORMATS;
  return (
    <ul class="formats">
      {formats.map((format) => (
        <li key={format}>
          <a class="format" href={`${from}/export/${format}`} download="">
            <Icon name="download" />
            <span>
              <strong>{t(`files.${format}`)}</strong>
              <span class="hint">{t(`files.${format}Hint`)}</span>
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}
