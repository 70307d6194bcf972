// The command palette: all commands, found by words of their names.
//
// Invariant: a combobox with a list. The focus stays in the field; what runs, runs after the palette
// is gone and the focus is back where it was.

import { useSignal } from '@preact/signals';
import { useEffect, useId, useMemo } from 'preact/hooks';
import { t } from '../../i18n/text.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import type { DialogProps } from '../dialogs/dialogs.tsx';
import { useFrame } from '../frame.ts';
import { type Entry, entries } from './entries.ts';
import { search } from './search.ts';

export function Palette({ onClose }: DialogProps) {
  const frame = useFrame();
  const id = useId();
  const query = useSignal('');
  const at = useSignal(0);
  // As things are when it opens.
  const all = useMemo(() => entries(frame), []);
  const found = search(all, query.value);
  const chosen = found[at.value];

  useEffect(() => {
    document.getElementById(`${id}-${at.value}`)?.scrollIntoView({ block: 'nearest' });
  }, [at.value, query.value]);

  const run = (entry: Entry | undefined): void => {
    if (!entry) return;
    onClose();
    setTimeout(() => entry.run());
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    const count = found.length || 1;
    if (event.key === 'ArrowDown') at.value = (at.value + 1) % count;
    else if (event.key === 'ArrowUp') at.value = (at.value + count - 1) % count;
    else if (event.key === 'Enter' && !event.isComposing) run(chosen);
    else return;
    event.preventDefault();
  };

  return (
    <Dialog title={t('palette.title')} shape="palette" onClose={onClose}>
      <input
        class="input"
        type="text"
        role="combobox"
        autofocus
        aria-label={t('palette.field')}
        placeholder={t('palette.field')}
        aria-expanded={found.length > 0}
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={chosen && `${id}-${at.value}`}
        autocomplete="off"
        spellcheck={false}
        value={query.value}
        onKeyDown={onKeyDown}
        onInput={(event) => {
          query.value = event.currentTarget.value;
          at.value = 0;
        }}
      />
      <div class="palette-list" id={id} role="listbox" aria-label={t('palette.title')}>
        {found.map((entry, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field.
          <div
            key={entry.id}
            id={`${id}-${index}`}
            class="menu-item"
            role="option"
            tabIndex={-1}
            aria-selected={index === at.value}
            aria-checked={entry.isOn}
            onPointerMove={() => {
              at.value = index;
            }}
            onClick={() => run(entry)}
          >
            <Sign {...entry} />
            <span>{entry.label}</span>
            {entry.keys && <kbd>{entry.keys}</kbd>}
          </div>
        ))}
      </div>
      {found.length === 0 && (
        <p class="hint" role="status">
          {t('palette.nothing')}
        </p>
      )}
    </Dialog>
  );
}

function Sign({ icon, letter, isOn }: Entry) {
  if (isOn) return <Icon name="check" />;
  if (icon) return <Icon name={icon} />;
  return (
    <span class="sign" aria-hidden="true">
      {letter}
    </span>
  );
}
