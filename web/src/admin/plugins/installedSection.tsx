// The plugins that are installed: each with its switch, what it may do, and what can be done to it.

import { useSignal } from '@preact/signals';
import { useEffect, useId } from 'preact/hooks';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { NoticeBox } from '../../ui/notice.tsx';
import { useAdmin } from '../context.ts';
import { say } from '../words.ts';
import { ConfigureDialog } from './configureDialog.tsx';
import { Activity, Trouble } from './health.tsx';
import { InstallDialog } from './installDialog.tsx';
import { type Installed, isEverywhere, type Overview, overview, type Source } from './installed.ts';
import { OfferList } from './offers.tsx';
import { RemoveDialog } from './removeDialog.tsx';
import { Rights } from './rights.tsx';
import { SandboxLine } from './sandbox.tsx';
import { Sources } from './sources.tsx';

type Open =
  | { kind: 'install'; source: Source }
  | { kind: 'configure' | 'remove'; plugin: Installed };

export function InstalledSection() {
  const { api } = useAdmin();
  const answer = useSignal<Overview | null>(null);
  const problem = useSignal('');
  const open = useSignal<Open | null>(null);

  const attempt = async (work: () => Promise<unknown>): Promise<void> => {
    problem.value = '';
    try {
      await work();
      answer.value = await overview(api);
    } catch (error) {
      problem.value = error instanceof Error ? error.message : `${error}`;
    }
  };
  useEffect(() => {
    void attempt(async () => {});
  }, []);

  const close = (changed: boolean): void => {
    open.value = null;
    if (changed) void attempt(async () => {});
  };
  const { plugins = [], unusable = {} } = answer.value ?? {};
  return (
    <section aria-labelledby="installed" data-settled={answer.value !== null}>
      <h2 id="installed">{say('plugins.installed')}</h2>
      {problem.value && (
        <NoticeBox tone="bad" icon="alert" urgent>
          {problem.value}
        </NoticeBox>
      )}
      {Object.entries(unusable).map(([name, reason]) => (
        <NoticeBox key={name} tone="warn" icon="alert">
          {say('plugins.unusable', { name })} <span lang="en">{reason}</span>
        </NoticeBox>
      ))}
      {answer.value && plugins.length === 0 && <p class="hint">{say('plugins.noneInstalled')}</p>}
      {plugins.length > 0 && (
        <ul class="features">
          {plugins.map((plugin) => (
            <PluginRow
              key={plugin.name}
              plugin={plugin}
              onSwitch={(enabled) =>
                void attempt(() => api.post('api/plugins/enable', { name: plugin.name, enabled }))
              }
              onOpen={(kind) => {
                open.value = { kind, plugin };
              }}
              onLook={() => void attempt(async () => {})}
            />
          ))}
        </ul>
      )}
      <Sources
        onChoose={(source) => {
          open.value = { kind: 'install', source };
        }}
      />
      <OfferList
        installed={plugins}
        onInstall={(source) => {
          open.value = { kind: 'install', source };
        }}
      />
      {open.value?.kind === 'install' && (
        <InstallDialog source={open.value.source} onClose={close} />
      )}
      {open.value?.kind === 'configure' && (
        <ConfigureDialog plugin={open.value.plugin} onClose={close} />
      )}
      {open.value?.kind === 'remove' && <RemoveDialog plugin={open.value.plugin} onClose={close} />}
    </section>
  );
}

interface PluginRowProps {
  plugin: Installed;
  onSwitch: (enabled: boolean) => void;
  onOpen: (kind: 'configure' | 'remove') => void;
  // Somebody looks at what it did.
  onLook: () => void;
}

function PluginRow({ plugin, onSwitch, onOpen, onLook }: PluginRowProps) {
  const id = useId();
  const { name, version, title, description, permissions, browsers } = plugin;
  const { enabled, pads, health, page } = plugin;
  const { boot } = useAdmin();
  return (
    <li class="feature plugin">
      <label for={id} dir="auto">
        {title}
      </label>
      <input
        id={id}
        class="switch"
        type="checkbox"
        role="switch"
        aria-checked={enabled}
        aria-describedby={`${id}-about`}
        checked={enabled}
        onChange={(event) => {
          // It moves when the server has done it.
          event.currentTarget.checked = enabled;
          onSwitch(!enabled);
        }}
      />
      <div class="feature-about">
        <p id={`${id}-about`} dir="auto">
          {description}
        </p>
        <p class="hint">
          <code dir="ltr">
            {name} {version}
          </code>
        </p>
        {!isEverywhere(pads) && (
          <p class="hint">{say('plugins.padsOnly', { pads: pads.join(', ') })}</p>
        )}
        <Rights permissions={permissions} browsers={browsers} />
        {health?.sandbox && <SandboxLine sandbox={health.sandbox} />}
        {health && <Trouble health={health} onRetry={() => onSwitch(true)} />}
        {health && <Activity health={health} onOpen={onLook} />}
        <div class="plugin-actions">
          {page && enabled && (
            <a class="button plain" href={`${boot.base}admin/plugins/${name}`}>
              <Icon name="page" />
              {say('plugins.page.open')}
            </a>
          )}
          <Button icon="gear" onClick={() => onOpen('configure')}>
            {say('plugins.configure')}
          </Button>
          <Button icon="trash" onClick={() => onOpen('remove')}>
            {say('plugins.remove')}
          </Button>
        </div>
      </div>
    </li>
  );
}
