// The plugins of the page: starts those that the server names, and shows what they add.
//
// Invariant: a plugin whose files have not changed goes on running. Nothing of this is loaded in a
// pad without plugins.

import { effect, type Signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { shortcutText } from '../../a11y/shortcuts.ts';
import { showDeclared } from '../../editor/declared.ts';
import { language } from '../../i18n/text.ts';
import { addStyles } from '../../load/styles.ts';
import { FieldGroup } from '../../ui/field.tsx';
import type { MenuItem } from '../../ui/menu.tsx';
import { press } from '../buttons.tsx';
import { type Command, mayWrite } from '../commands.ts';
import { type Frame, useFrame } from '../frame.ts';
import { isKey } from '../keys.ts';
import type { Extras } from './extras.ts';
import styles from './plugins.css?inline';
import { type Part, Running } from './running.ts';

addStyles(styles);

export function runPlugins(frame: Frame): void {
  const { live, extras } = frame;
  let running: Running[] = [];
  const changed = () => {
    extras.value = running.length > 0 ? extrasOf(frame, running) : null;
    closeMissingPanel(frame, extras);
  };
  effect(() => {
    const plugins = live.info.value?.plugins ?? [];
    const code = language();
    const stays = ({ plugin, language, isMissing }: Running) =>
      !isMissing && language === code && plugins.some(({ base }) => base === plugin.base);
    const kept = running.filter(stays);
    for (const each of running) if (!kept.includes(each)) each.stop();
    const fresh = plugins
      .filter(({ base }) => !kept.some(({ plugin }) => plugin.base === base))
      .map((plugin) => new Running(frame, plugin, code, changed));
    running = [...kept, ...fresh];
    const attributes = plugins.flatMap((plugin) => plugin.attributes);
    // Not part of what this effect depends on.
    queueMicrotask(() => {
      changed();
      live.withView((view) => showDeclared(view, attributes));
      for (const each of fresh) void each.start();
    });
  });
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing || frame.dialog.peek()) return;
    for (const each of running) {
      const command = each.commands.find(({ keys }) => keys !== undefined && isKey(keys, event));
      if (!command || !(command.forReaders || mayWrite(frame))) continue;
      event.preventDefault();
      each.reports.guard(() => command.run());
      return;
    }
  });
}

function closeMissingPanel({ panel }: Frame, extras: Signal<Extras | null>): void {
  const open = panel.peek();
  if (!open?.startsWith('plugin:')) return;
  if (!extras.peek()?.panels.some(({ name }) => name === open)) panel.value = null;
}

function extrasOf(frame: Frame, running: readonly Running[]): Extras {
  const all = running.flatMap((owner) => owner.parts.map((part) => ({ owner, part })));
  const of = (kind: Part['kind']) => all.filter(({ part }) => part.kind === kind);
  const commands = running.flatMap((owner) =>
    owner.commands.map((command) => {
      const named: Command = {
        label: () => command.label,
        letter: (command.sign ?? '◆').slice(0, 2),
        ...(command.keys && { keys: command.keys }),
        reads: command.forReaders === true,
        isOn: () => owner.reports.guard(() => command.isOn?.()) === true,
        run: () => owner.reports.guard(() => command.run()),
      };
      const id = `plugin:${owner.plugin.name}:${command.id}`;
      const hasState = command.isOn !== undefined;
      return { id, command, named, Tool: () => <Tool command={named} hasState={hasState} /> };
    }),
  );
  const offered = () => commands.filter(({ named }) => named.reads || mayWrite(frame));
  return {
    Status: () => of('status').map((each) => <Place key={each.part.name} {...each} />),
    Settings: () =>
      of('settings').map((each) => (
        <FieldGroup key={each.part.name} title={each.part.label ?? ''}>
          <Place {...each} />
        </FieldGroup>
      )),
    panels: of('panel').map(({ owner, part }) => ({
      name: part.name,
      label: part.label || owner.plugin.name,
      View: viewOf(owner, part),
    })),
    commands: Object.fromEntries(commands.map(({ id, named }) => [id, named])),
    tools: () => offered().filter(({ command }) => command.inToolbar),
    items: () =>
      offered()
        .filter(({ command }) => command.inMenu)
        .map(({ command, named }): MenuItem => {
          const { keys } = command;
          return {
            label: command.label,
            ...(keys && { keys: shortcutText(keys) }),
            act: () => named.run(frame),
          };
        }),
  };
}

// The same one for the same part, so that it is not drawn again when another plugin adds something.
const views = new WeakMap<Part, ComponentType>();

function viewOf(owner: Running, part: Part): ComponentType {
  const known = views.get(part) ?? (() => <Place owner={owner} part={part} />);
  views.set(part, known);
  return known;
}

// An element that the plugin fills.
function Place({ owner, part }: { owner: Running; part: Part }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = place.current;
    if (!element) return undefined;
    // What may have to be scrolled is reached by keys.
    if (part.kind === 'panel') element.tabIndex = 0;
    const stop = owner.reports.guard(() => part.render(element));
    return () => {
      if (typeof stop === 'function') owner.reports.guard(() => stop());
      element.replaceChildren();
    };
  }, [part]);
  return <div ref={place} class="plugin-part" data-plugin={owner.plugin.name} />;
}

function Tool({ command, hasState }: { command: Command; hasState: boolean }) {
  const frame = useFrame();
  const [, redraw] = useState(0);
  // Whether it is on may follow from the text and the caret.
  void frame.live.formats.value;
  void frame.live.revision.value;
  const label = typeof command.label === 'function' ? command.label(frame) : command.label;
  return (
    <button
      type="button"
      class="icon-button letter"
      aria-label={label}
      aria-pressed={hasState ? command.isOn?.(frame) : undefined}
      data-tip={label}
      data-tip-keys={command.keys}
      onClick={(event) => {
        press(command, frame, event);
        redraw((count) => count + 1);
      }}
    >
      <span aria-hidden="true">{command.letter}</span>
    </button>
  );
}
