// The list of keys.

import { keysOf } from '../../a11y/shortcuts.ts';
import type { ShortcutName } from '../../editor/shortcutNames.ts';
import { type Key, t } from '../../i18n/text.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { useFrame } from '../frame.ts';
import type { DialogProps } from './dialogs.tsx';

// The third is the name by which an administrator may have switched it off.
type Row = readonly [text: Key, keys: string, name?: ShortcutName];

const GROUPS: readonly { title: Key; rows: readonly Row[] }[] = [
  {
    title: 'shortcuts.format',
    rows: [
      ['bar.bold', 'Ctrl+B', 'cmdB'],
      ['bar.italic', 'Ctrl+I', 'cmdI'],
      ['bar.underline', 'Ctrl+U', 'cmdU'],
      ['bar.strikethrough', 'Ctrl+5', 'cmd5'],
      ['bar.link', 'Ctrl+K'],
      ['bar.code', 'Ctrl+E'],
      ['bar.sub', 'Ctrl+,'],
      ['bar.sup', 'Ctrl+.'],
      ['bar.highlight', 'Ctrl+Shift+H'],
      ['bar.bullets', 'Ctrl+Shift+L', 'cmdShiftL'],
      ['bar.numbers', 'Ctrl+Shift+N', 'cmdShiftN'],
      ['bar.tasks', 'Ctrl+Shift+9'],
      ['shortcuts.tick', 'Ctrl+Enter'],
      ['bar.indent', 'Tab', 'tab'],
      ['bar.outdent', 'Shift+Tab', 'tab'],
      ['bar.clearAuthorship', 'Ctrl+Shift+C', 'cmdShiftC'],
    ],
  },
  {
    title: 'shortcuts.edit',
    rows: [
      ['bar.undo', 'Ctrl+Z', 'cmdZ'],
      ['bar.redo', 'Ctrl+Y', 'cmdY'],
      ['shortcuts.duplicateLine', 'Ctrl+Shift+D', 'cmdShiftD'],
      ['shortcuts.deleteLine', 'Ctrl+Shift+K', 'cmdShiftK'],
      ['shortcuts.plainPaste', 'Ctrl+Shift+V'],
      ['bar.find', 'Ctrl+F'],
      ['shortcuts.openLink', 'Ctrl+Enter'],
      ['more.saveRevision', 'Ctrl+S', 'cmdS'],
      ['bar.whoWrote', 'Ctrl+Shift+2', 'cmdShift2'],
    ],
  },
  {
    title: 'shortcuts.around',
    rows: [
      ['shortcuts.chat', 'Alt+C', 'altC'],
      ['shortcuts.toolbar', 'Alt+F9', 'altF9'],
      ['shortcuts.regions', 'F6'],
      ['shortcuts.leaveText', 'Esc', 'esc'],
      ['shortcuts.list', 'Ctrl+/'],
    ],
  },
];

export function ShortcutsDialog({ onClose }: DialogProps) {
  const { live } = useFrame();
  const allowed = live.info.value?.shortcuts ?? {};
  return (
    <Dialog title={t('shortcuts.title')} onClose={onClose}>
      <div class="shortcut-groups">
        {GROUPS.map(({ title, rows }) => (
          <section key={title} class="group">
            <h3>{t(title)}</h3>
            <dl class="shortcuts">
              {rows
                .filter(([, , name]) => !name || allowed[name] !== false)
                .map(([text, keys]) => (
                  <div key={text}>
                    <dt>{t(text).replace(/…$/u, '')}</dt>
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
