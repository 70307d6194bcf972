// With which revision the shown one is compared, and the way from change to change.

import { t } from '../i18n/text.ts';
import { absoluteTime } from '../i18n/time.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Menu, type MenuItem } from '../ui/menu.tsx';
import type { Archive } from './archive.ts';
import type { AutoCompare } from './autoCompare.ts';
import { differenceName } from './changeNames.ts';
import type { Change, CompareState } from './compareState.ts';

// As much of a change as is said aloud.
const SAID = 120;

interface CompareProps {
  archive: Archive;
  comparing: CompareState;
  auto: AutoCompare;
}

export function CompareMenu({ archive, auto }: CompareProps) {
  const shown = archive.shown.value?.revision;
  if (shown === undefined || archive.head.value === 0) return null;
  if (archive.comparedWith.value !== null) return null;
  const saved = archive.joined.value?.info.savedRevisions ?? [];
  const item = (label: string, revision: number) => ({
    label,
    act: () => {
      auto.leave();
      archive.compareWith(revision);
    },
  });
  const items: readonly MenuItem[] = [
    { label: t('history.compareStart'), act: () => auto.resume() },
    item(t('history.compareBefore'), shown - 1),
    item(t('history.compareFirst'), 0),
    item(t('history.compareNewest'), archive.head.value),
    item(t('history.compareHere'), shown),
    ...saved.map(({ revision, label, time }): MenuItem => {
      const name = t('history.savedItem', { revision });
      return { ...item(`${name} – ${label || absoluteTime(time)}`, revision), icon: 'star' };
    }),
  ];
  return (
    <Menu label={t('history.compare')} class="button" tip={false} items={items}>
      {t('history.compare')}
    </Menu>
  );
}

export function CompareBar({ archive, comparing, auto }: CompareProps) {
  const other = archive.comparedWith.value;
  if (other === null) return null;
  const count = comparing.changes.value.length;
  return (
    <div class="timeline-row compare">
      <label for="compared-with">{t('history.compareField')}</label>
      <input
        id="compared-with"
        class="input"
        type="number"
        min={0}
        max={archive.head.value}
        value={other}
        onChange={({ currentTarget }) => {
          const { valueAsNumber } = currentTarget;
          auto.leave();
          if (Number.isInteger(valueAsNumber)) archive.compareWith(valueAsNumber);
          currentTarget.value = String(archive.comparedWith.peek() ?? '');
        }}
      />
      <span class="hint" role="status">
        {comparing.comparison.value ? t('history.changes', { count }) : t('history.loading')}
      </span>
      <IconButton
        icon="up"
        label={t('history.previousChange')}
        unavailable={count === 0}
        onClick={() => comparing.step(-1)}
      />
      <IconButton
        icon="down"
        label={t('history.nextChange')}
        unavailable={count === 0}
        onClick={() => comparing.step(1)}
      />
      <span class="legend">
        <ins class="pad-added">{t('history.added')}</ins>
        <del class="pad-removed">{t('history.removed')}</del>
        <span class="pad-restyled">{t('history.restyled')}</span>
      </span>
      <Button
        icon="close"
        onClick={() => {
          auto.stop();
          archive.compareWith(null);
        }}
      >
        {t('history.compareStop')}
      </Button>
      <span class="only-heard" role="status" data-change={comparing.current.value ?? ''}>
        <Current archive={archive} comparing={comparing} auto={auto} />
      </span>
    </div>
  );
}

// The change that one looks at, in words.
function Current({ archive, comparing }: CompareProps) {
  const number = comparing.current.value;
  const changes = comparing.changes.value;
  const change = number === null ? undefined : changes[number];
  if (number === null || !change) return null;
  const place = t('history.change', { number: number + 1, count: changes.length });
  return <>{[place, ...wordsOf(change, archive, comparing)].join(' – ')}</>;
}

function wordsOf(change: Change, archive: Archive, comparing: CompareState): string[] {
  const text = comparing.comparison.value?.document.text;
  const looks = archive.joined.value?.authors;
  return change.map(({ from, to, kind, author }) => {
    const name = differenceName(kind, author && looks?.get(author)?.name);
    return `${name}: ${text?.sliceString(from, Math.min(to, from + SAID)).trim() ?? ''}`;
  });
}
