// Asks whether many pads are really meant, then shows how far it is, then what became of them.

import { useSignal } from '@preact/signals';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { useAdmin } from '../context.ts';
import { count } from '../format.ts';
import { say } from '../words.ts';
import { type Action, type Bulk, createBulk, type Progress } from './bulk.ts';

const NAMED = 6;

interface BulkDialogProps {
  action: Action;
  pads: readonly string[];
  // Whether anything was done.
  onClose: (done: boolean) => void;
}

export function BulkDialog({ action, pads, onClose }: BulkDialogProps) {
  const { api, boot } = useAdmin();
  const bulk = useSignal<Bulk | null>(null);
  const keep = useSignal(`${boot.keepRevisions}`);
  const number = pads.length;

  const begin = (): void => {
    const options = action === 'compact' ? { keep: Number(keep.value) } : {};
    bulk.value = createBulk(api, action, pads, options);
    void bulk.value.run();
  };

  const close = (): void => {
    bulk.value?.stop();
    onClose(bulk.value !== null);
  };

  return (
    <Dialog title={say(`pads.${action}Title`, { count: number })} onClose={close}>
      {bulk.value ? (
        <Running action={action} bulk={bulk.value} onClose={close} />
      ) : (
        <form
          class="form"
          onSubmit={(event) => {
            event.preventDefault();
            begin();
          }}
        >
          <p>{say(`pads.${action}Hint`)}</p>
          <Names pads={pads} />
          {action === 'compact' && (
            <TextField
              label={say('pads.keep')}
              hint={say('pads.keepHint')}
              value={keep.value}
              onInput={(value) => {
                keep.value = value.replace(/\D/g, '');
              }}
            />
          )}
          <div class="dialog-actions">
            <Button
              type="submit"
              kind={action === 'delete' ? 'danger' : 'primary'}
              disabled={action === 'compact' && keep.value === ''}
            >
              {say(`pads.${action}Do`, { count: number })}
            </Button>
            <Button onClick={close}>{say('cancel')}</Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}

function Names({ pads }: { pads: readonly string[] }) {
  const rest = pads.length - NAMED;
  return (
    <ul class="pad-names">
      {pads.slice(0, NAMED).map((pad) => (
        <li key={pad} dir="auto">
          {pad}
        </li>
      ))}
      {rest > 0 && <li>{say('pads.andMore', { count: rest })}</li>}
    </ul>
  );
}

function Running({ action, bulk, onClose }: { action: Action; bulk: Bulk; onClose: () => void }) {
  const progress = bulk.progress.value;
  const { total, done, failed, state } = progress;
  const tried = done + failed.length;
  return (
    <div class="form">
      <p role="status">{sentence(action, progress)}</p>
      {state === 'running' && (
        <progress
          max={total}
          value={tried}
          aria-label={say(`pads.${action}Title`, { count: total })}
        />
      )}
      {failed.length > 0 && (
        <ul class="pad-names">
          {failed.slice(0, NAMED).map(({ pad, reason }) => (
            <li key={pad}>
              <bdi>{pad}</bdi>: {reason}
            </li>
          ))}
          {failed.length > NAMED && (
            <li>{say('pads.andMore', { count: failed.length - NAMED })}</li>
          )}
        </ul>
      )}
      <div class="dialog-actions">
        {state === 'running' ? (
          <Button onClick={() => bulk.stop()}>{say('pads.stop')}</Button>
        ) : (
          <Button kind="primary" onClick={onClose}>
            {say('pads.finish')}
          </Button>
        )}
      </div>
    </div>
  );
}

function sentence(action: Action, { total, done, failed, state }: Progress): string {
  if (state === 'running') {
    const tried = count(done + failed.length);
    return say('pads.progress', { done: tried, total: count(total) });
  }
  const ended = say(`pads.${action}Done`, { count: done });
  const trouble = failed.length > 0 ? say('pads.failed', { count: failed.length }) : '';
  const rest = state === 'stopped' ? say('pads.stopped') : '';
  return [ended, trouble, rest].filter(Boolean).join(' ');
}
