// Something to take away: shown, selected on focus, copied by a button that says so.

import { useEffect, useId, useState } from 'preact/hooks';
import { announce } from '../a11y/announcer.ts';
import { t } from '../i18n/text.ts';
import { Button } from './button.tsx';

const SHOWN_MS = 2000;

export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // In frames without the permission the field stays selected, for Ctrl+C.
    return false;
  }
}

interface CopyFieldProps {
  label: string;
  value: string;
  rows?: number;
  primary?: boolean;
}

export function CopyField({ label, value, rows = 1, primary }: CopyFieldProps) {
  const id = useId();
  const [copied, setCopied] = useState(false);

  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copied]);

  const copy = async (): Promise<void> => {
    const field = document.getElementById(id) as HTMLInputElement | HTMLTextAreaElement | null;
    if (!(await copyText(value))) field?.select();
    else {
      setCopied(true);
      announce(t('common.copied'));
    }
  };

  const common = { id, class: 'input monospace', readOnly: true, value };
  return (
    <div class="field copy">
      <label for={id}>{label}</label>
      <div class="copy-row">
        {rows > 1 ? (
          <textarea {...common} rows={rows} onFocus={(event) => event.currentTarget.select()} />
        ) : (
          <input {...common} type="text" onFocus={(event) => event.currentTarget.select()} />
        )}
        <Button
          icon={copied ? 'check' : 'copy'}
          kind={primary ? 'primary' : 'plain'}
          onClick={() => void copy()}
        >
          {copied ? t('common.copied') : t('common.copy')}
        </Button>
      </div>
    </div>
  );
}
