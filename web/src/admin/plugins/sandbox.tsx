// What the kernel keeps the process of a plugin from. What it should and does not is a warning: an
// old kernel, or a container that forbids it.

import { language } from '../../i18n/text.ts';
import { Icon } from '../../ui/icon.tsx';
import { say, type Word } from '../words.ts';
import type { Sandbox } from './installed.ts';

// What its process can reach although it should not.
export function reachable({ noFiles, noNetwork, noProcesses, inherited }: Sandbox): Word[] {
  const found: Word[] = [];
  if (!noFiles) found.push('plugins.sandbox.files');
  if (!noNetwork) found.push('plugins.sandbox.network');
  if (!noProcesses) found.push('plugins.sandbox.processes');
  if (inherited > 0) found.push('plugins.sandbox.inherited');
  return found;
}

export function SandboxLine({ sandbox }: { sandbox: Sandbox }) {
  const found = reachable(sandbox).map((word) => say(word));
  const isTight = found.length === 0;
  const list = new Intl.ListFormat(language(), { type: 'conjunction' });
  return (
    <p class={isTight ? 'sandbox' : 'sandbox blocked'}>
      <Icon name={isTight ? 'check' : 'alert'} />
      <span>
        {isTight
          ? say('plugins.sandbox.tight')
          : say('plugins.sandbox.loose', { what: list.format(found) })}
      </span>
    </p>
  );
}
