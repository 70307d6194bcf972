// What a plugin asks for, before it is installed. Code in browsers is agreed to apart from the rest.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { NoticeBox } from '../../ui/notice.tsx';
import { useAdmin } from '../context.ts';
import { say } from '../words.ts';
import { install, meaning, type Review, review, type Source } from './installed.ts';

interface InstallDialogProps {
  source: Source;
  // Whether anything was installed.
  onClose: (installed: boolean) => void;
}

export function InstallDialog({ source, onClose }: InstallDialogProps) {
  const { api } = useAdmin();
  const found = useSignal<Review | null>(null);
  const agreed = useSignal(false);
  const busy = useSignal(false);
  const problem = useSignal('');

  const attempt = async (work: () => Promise<void>): Promise<void> => {
    busy.value = true;
    problem.value = '';
    try {
      await work();
    } catch (error) {
      problem.value = error instanceof Error ? error.message : `${error}`;
    }
    busy.value = false;
  };
  useEffect(() => {
    void attempt(async () => {
      found.value = await review(api, source);
    });
  }, []);

  const plugin = found.value;
  return (
    <Dialog title={heading(plugin)} onClose={() => onClose(false)}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (!plugin) return;
          void attempt(async () => {
            await install(api, source, plugin);
            onClose(true);
          });
        }}
      >
        {problem.value && (
          <NoticeBox tone="bad" icon="alert" urgent>
            <span lang="en">{problem.value}</span>
          </NoticeBox>
        )}
        {!plugin && busy.value && <p role="status">{say('plugins.reviewing')}</p>}
        {plugin && <Asked plugin={plugin} />}
        {plugin?.browsers && (
          <>
            <NoticeBox tone="warn" icon="alert">
              {say('plugins.browsersWarning')}
            </NoticeBox>
            <label class="agree">
              <input
                type="checkbox"
                checked={agreed.value}
                onChange={(event) => {
                  agreed.value = event.currentTarget.checked;
                }}
              />
              {say('plugins.browsersAgree')}
            </label>
          </>
        )}
        <div class="dialog-actions">
          {plugin && (
            <Button
              type="submit"
              kind="primary"
              disabled={busy.value || (plugin.browsers && !agreed.value)}
            >
              {say(plugin.installed ? 'plugins.upgradeDo' : 'plugins.installDo')}
            </Button>
          )}
          <Button onClick={() => onClose(false)}>{say('cancel')}</Button>
        </div>
      </form>
    </Dialog>
  );
}

function heading(plugin: Review | null): string {
  if (!plugin) return say('plugins.installTitle');
  const { title, version, installed } = plugin;
  if (!installed) return say('plugins.installNamed', { title, version });
  return say('plugins.upgradeNamed', { title, version, before: installed });
}

function Asked({ plugin }: { plugin: Review }) {
  const { permissions, installed, description } = plugin;
  return (
    <>
      <p dir="auto">{description}</p>
      {permissions.length === 0 && <p>{say('plugins.asksNothing')}</p>}
      {permissions.length > 0 && (
        <>
          <p>{say('plugins.asks')}</p>
          <ul class="rights">
            {permissions.map(({ permission, added }) => (
              <li key={permission}>
                {meaning(permission)}{' '}
                {installed && added && <strong class="mark">{say('plugins.isNew')}</strong>}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
