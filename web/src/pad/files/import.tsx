// A file becomes the text of the pad.
//
// Invariant: text that is there is replaced only after a question, and so is a history; what cannot
// be taken changes nothing.

import { useSignal, useSignalEffect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { language, t } from '../../i18n/text.ts';
import { Button } from '../../ui/button.tsx';
import { NoticeBox } from '../../ui/notice.tsx';
import { useFrame } from '../frame.ts';
import { isReadable } from './readable.ts';
import { type Failure, type Outcome, upload } from './upload.ts';

const WHOLE = /\.(?:etherpad|native)$/i;

type Step =
  | { readonly kind: 'choosing' }
  | { readonly kind: 'asking'; readonly file: File }
  | { readonly kind: 'sending'; readonly file: File; readonly share: number }
  | Extract<Outcome, { kind: 'failed' }>;

export function ImportForm({ onClose }: { onClose: () => void }) {
  const { live, boot, dropped, toast, deletionKey } = useFrame();
  const step = useSignal<Step>({ kind: 'choosing' });
  const field = useRef<HTMLInputElement>(null);
  const cancel = useRef<() => void>(() => {});
  useEffect(() => () => cancel.current(), []);

  const choose = (): void => {
    step.value = { kind: 'choosing' };
  };

  const send = (file: File): void => {
    step.value = { kind: 'sending', file, share: 0 };
    const address = `${boot.base}p/${encodeURIComponent(boot.padId)}/import`;
    cancel.current = upload(
      address,
      file,
      (share) => {
        step.value = { kind: 'sending', file, share };
      },
      (outcome) => {
        if (outcome.kind === 'failed') {
          step.value = outcome;
          return;
        }
        if (outcome.whole) {
          location.reload();
          return;
        }
        onClose();
        toast({ text: t('files.done', { name: file.name }), tone: 'good' });
      },
    );
  };

  // What a new pad starts with is nobody's work.
  const isUntouched = () => live.revision.peek() === 0 && deletionKey.peek() !== null;

  const take = async (file: File | undefined): Promise<void> => {
    if (!file || step.peek().kind === 'sending') return;
    const refuse = (failure: Failure) => {
      step.value = { kind: 'failed', failure, reason: '', seconds: 0 };
    };
    const hasText = live.text().trim() !== '' && !isUntouched();
    if (boot.importMaxBytes > 0 && file.size > boot.importMaxBytes) refuse('maxFileSize');
    else if (!(await isReadable(file, [...boot.imports, ...boot.importAliases]))) {
      refuse('convertFailed');
    } else if (hasText || (WHOLE.test(file.name) && live.revision.peek() > 0)) {
      step.value = { kind: 'asking', file };
    } else send(file);
  };

  useSignalEffect(() => {
    const file = dropped.value;
    if (!file) return;
    dropped.value = null;
    void take(file);
  });

  const dotted = (ending: string) => `.${ending}`;
  const types = boot.imports.map(dotted);
  const limits = {
    types: types.join(', '),
    size: sizeText(boot.importMaxBytes),
  };
  const now = step.value;
  return (
    <>
      {now.kind === 'failed' && (
        <NoticeBox tone="bad" icon="alert" urgent>
          {t(`files.${now.failure}`, { size: limits.size, seconds: now.seconds })}
          {now.failure === 'convertFailed' && now.reason && (
            <span class="reason" lang="en" dir="ltr">
              {now.reason}
            </span>
          )}
        </NoticeBox>
      )}
      {(now.kind === 'choosing' || now.kind === 'failed') && (
        <div class="import-choice">
          <input
            ref={field}
            hidden
            type="file"
            accept={[...types, ...boot.importAliases.map(dotted)].join(',')}
            onChange={(event) => {
              void take(event.currentTarget.files?.[0]);
              event.currentTarget.value = '';
            }}
          />
          <Button icon="plus" onClick={() => field.current?.click()}>
            {t('files.choose')}
          </Button>
          <p class="hint">{t('files.limits', limits)}</p>
        </div>
      )}
      {now.kind === 'asking' && (
        <NoticeBox tone="warn" icon="alert" urgent>
          {t(WHOLE.test(now.file.name) ? 'files.askWhole' : 'files.ask', { name: now.file.name })}
          <div class="dialog-actions">
            <Button onClick={choose}>{t('common.cancel')}</Button>
            <Button kind="primary" autofocus onClick={() => send(now.file)}>
              {t('files.replace')}
            </Button>
          </div>
        </NoticeBox>
      )}
      {now.kind === 'sending' && (
        <div class="field" role="status">
          <label for="import-progress">
            {t(now.share < 1 ? 'files.sending' : 'files.reading', { name: now.file.name })}
          </label>
          <progress id="import-progress" {...(now.share < 1 ? { value: now.share } : {})} />
        </div>
      )}
    </>
  );
}

function sizeText(bytes: number): string {
  const style = { style: 'unit', unit: 'megabyte', maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(language(), style).format(bytes / 1024 / 1024);
}
