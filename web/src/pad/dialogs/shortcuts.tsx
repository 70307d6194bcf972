// The list of keys.

import { isMac, keysOf } from '../../a11y/shortcuts.ts';
import { foldKeyText } from '../../editor/foldKeys.ts';
import { KEYS } from '../../editor/keyTable.ts';
import type { ShortcutName } from '../../editor/shortcutNames.ts';
import { type Key, t } from '../../i18n/text.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { type CommandName, commandOf, keysTextOf, labelOf, mayWrite } from '../commands.ts';
import { type Frame, useFrame } from '../frame.ts';
import type { DialogProps } from './dialogs.tsx';

// A command, or a key that is none of the page: its words, the key, and the name by which an
// administrator may have switched it off.
type Row = CommandName | readonly [text: Key, keys: string, name?: ShortcutName];

const GROUPS: readonly { title: Key; rows: readonly Row[] }[] = [
  {
    title: 'shortcuts.format',
    rows: [
      'bold',
      'italic',
      'underline',
      'strikethrough',
      'link',
      'code',
      'sub',
      'sup',
      ['bar.highlight', KEYS.highlight],
      'unorderedlist',
      'orderedlist',
      'tasklist',
      ['shortcuts.tick', KEYS.tick],
      ['bar.indent', KEYS.tab, 'tab'],
      ['bar.outdent', `Shift+${KEYS.tab}`, 'tab'],
      'clearauthorship',
    ],
  },
  {
    title: 'shortcuts.edit',
    rows: [
      'undo',
      'redo',
      ['shortcuts.duplicateLine', KEYS.cmdShiftD, 'cmdShiftD'],
      ['shortcuts.deleteLine', KEYS.cmdShiftK, 'cmdShiftK'],
      ['shortcuts.plainPaste', 'Ctrl+Shift+V'],
      'find',
      ['shortcuts.openLink', 'Ctrl+Enter'],
      'savedrevision',
      'whowrote',
    ],
  },
  {
    title: 'shortcuts.around',
    rows: [
      'palette',
      ['shortcuts.chat', KEYS.altC, 'altC'],
      ['shortcuts.toolbar', KEYS.altF9, 'altF9'],
      ['shortcuts.regions', KEYS.regions],
      ['shortcuts.fold', foldKeyText('fold', isMac)],
      ['shortcuts.unfold', foldKeyText('unfold', isMac)],
      ['shortcuts.leaveText', 'Esc', 'esc'],
      ['shortcuts.list', KEYS.shortcuts],
    ],
  },
];

function asRow(row: Row, frame: Frame): { text: string; keys: string; name?: string | undefined } {
  if (typeof row !== 'string') {
    const [text, keys, name] = row;
    return { text: t(text), keys, name };
  }
  const command = commandOf(row);
  return { text: labelOf(command, frame), keys: keysTextOf(command) ?? '', name: command.key };
}

// Keys of plugins are beside those for editing.
const WITH_PLUGINS: Key = 'shortcuts.edit';

function ofPlugins(frame: Frame): { text: string; keys: string; name?: string | undefined }[] {
  return Object.values(frame.extras.value?.commands ?? {})
    .filter(({ reads, keys }) => keys && (reads || mayWrite(frame)))
    .map((command) => ({ text: labelOf(command, frame), keys: keysTextOf(command) ?? '' }));
}

export function ShortcutsDialog({ onClose }: DialogProps) {
  const frame = useFrame();
  const allowed: Record<string, boolean | undefined> = frame.live.info.value?.shortcuts ?? {};
  return (
    <Dialog title={t('shortcuts.title')} onClose={onClose}>
      <div class="shortcut-groups">
        {GROUPS.map(({ title, rows }) => (
          <section key={title} class="group">
            <h3>{t(title)}</h3>
            <dl class="shortcuts">
              {rows
                .map((row) => asRow(row, frame))
                .concat(title === WITH_PLUGINS ? ofPlugins(frame) : [])
                .filter(({ name }) => !name || allowed[name] !== false)
                .map(({ text, keys }) => (
                  <div key={text}>
                    <dt>{text.replace(/\s*…$/u, '')}</dt>
                    <dd>
                      {keysOf(keys).map((key) => (
                        <kbd key={key}>{key}</kbd>
                      ))}
                    </dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
