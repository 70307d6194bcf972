// The formats a pad can be taken away in.

import { t } from '../../i18n/text.ts';
import { Icon } from '../../ui/icon.tsx';

// Of any revision.
export const FORMATS = ['docx', 'pdf', 'html', 'md', 'txt'] as const;

interface ExportLinksProps {
  base: string;
  padId: string;
}

export function ExportLinks({ base, padId }: ExportLinksProps) {
  const pad = `${base}p/${encodeURIComponent(padId)}`;
  return (
    <ul class="formats">
      {([...FORMATS, 'etherpad'] as const).map((format) => (
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
    </ul>
  );
}
