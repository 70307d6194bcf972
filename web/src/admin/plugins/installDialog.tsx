// What a plugin asks for, before it is installed; of an upgrade, what is new. Code in browsers is
// agreed to apart from the rest.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { NoticeBox } from '../../ui/notice.tsx';
import { useAdmin } from '../context.ts';
import { say } from '../words.ts';
import { install, type Review, review, type Source } from './installed.ts';
import { Rights } from './rights.tsx';

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
        {plugin?.browsersAdded && (
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
              disabled={busy.value || (plugin.browsersAdded && !agreed.value)}
            >
              {confirmation(plugin)}
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

// To grant nothing is no question.
function confirmation({ installed, permissions, browsersAdded }: Review): string {
  const grants = browsersAdded || permissions.some(({ added }) => added);
  if (installed) return say(grants ? 'plugins.upgradeDo' : 'plugins.upgradeOnly');
  return say(grants ? 'plugins.installDo' : 'plugins.installOnly');
}

function Asked({ plugin }: { plugin: Review }) {
  const { permissions, installed, description, browsers, browsersAdded, sha256 } = plugin;
  const added = permissions.filter(({ added }) => added);
  const kept = permissions.filter(({ added }) => !added);
  const nothing = installed ? 'plugins.asksNoMore' : 'plugins.asksNothing';
  return (
    <>
      <p dir="auto">{description}</p>
      {added.length === 0 && !browsersAdded && <p>{say(nothing)}</p>}
      {added.length > 0 && (
        <>
          <p>{say(installed ? 'plugins.asksMore' : 'plugins.asks')}</p>
          <Rights permissions={added} browsers={false} />
        </>
      )}
      {installed && (kept.length > 0 || (browsers && !browsersAdded)) && (
        <details>
          <summary>{say('plugins.granted')}</summary>
          <Rights permissions={kept} browsers={browsers && !browsersAdded} />
        </details>
      )}
      <p class="hint package-hash">
        {say('plugins.sha256')} <code dir="ltr">{sha256}</code>
      </p>
    </>
  );
}
