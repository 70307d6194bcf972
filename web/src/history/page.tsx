// The history page: where one is in time, how to move, and the text as it was.

import { type ReadonlySignal, type Signal, useSignal, useSignalEffect } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../i18n/text.ts';
import { absoluteTime } from '../i18n/time.ts';
import type { Boot } from '../pad/boot.ts';
import { isWide } from '../pad/breakpoints.ts';
import type { HistoryButtonName } from '../pad/buttonNames.ts';
import { nameOf } from '../pad/guests.ts';
import { shownTitle } from '../pad/shownTitle.ts';
import type { View } from '../pad/view.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';
import { Menu, type MenuItem } from '../ui/menu.tsx';
import { NoticeBox } from '../ui/notice.tsx';
import type { Archive } from './archive.ts';
import type { AutoCompare } from './autoCompare.ts';
import { CompareBar, CompareMenu } from './compareBar.tsx';
import type { CompareState } from './compareState.ts';
import { HistoryPanel, type HistoryTab } from './historyPanel.tsx';
import { type Player, SPEEDS, type Speed } from './player.ts';
import { isNamed, SavedName } from './savedName.tsx';

interface HistoryProps {
  archive: Archive;
  player: Player;
  comparing: CompareState;
  auto: AutoCompare;
  boot: Boot;
  paper: HTMLElement;
  view: ReadonlySignal<View>;
}

export function HistoryPage(props: HistoryProps) {
  const { archive, boot, paper } = props;
  const stopped = archive.stopped.value;
  const place = useRef<HTMLDivElement>(null);
  const beside = useSignal<HistoryTab>(isWide() ? 'versions' : null);
  useLayoutEffect(() => {
    place.current?.append(paper);
  }, [paper]);
  return (
    <div class="page">
      <header class="header" data-region>
        {isOffered(boot, 'timeslider_returnToPad') && (
          <a class="button" href={padAddress(boot)}>
            <Icon name="back" />
            <span class="share-word">{t('history.back')}</span>
          </a>
        )}
        <div class="identity">
          <h1 title={boot.padId} dir="auto">
            {shownTitle(boot, archive.joined.value?.info.title)}
          </h1>
        </div>
        <div class="header-right">
          <PanelButton
            icon="history"
            label={t('history.versions')}
            tab="versions"
            {...{ beside }}
          />
          <PanelButton icon="people" label={t('history.panel')} tab="authors" {...{ beside }} />
          <SavedMenu {...props} />
          {isOffered(boot, 'timeslider_export') && <ExportMenu {...props} />}
        </div>
      </header>
      <section class="bar timeline" aria-label={t('header.history')} data-region>
        <Controls {...props} />
        <div class="timeline-row">
          <Facts {...props} />
          <SavedName archive={archive} />
          <CompareMenu {...props} />
          <Restore {...props} />
        </div>
        <CompareBar {...props} />
      </section>
      <main class="main" data-region>
        {stopped && (
          <div class="standing">
            <NoticeBox tone="bad" icon="alert" urgent>
              {t(`stopped.${stopped}`)}
            </NoticeBox>
          </div>
        )}
        <div class="paper" ref={place} />
      </main>
      <HistoryPanel {...props} chosen={beside} hasChat={props.view.value.chat} />
    </div>
  );
}

interface PanelButtonProps {
  icon: IconName;
  label: string;
  tab: HistoryTab;
  beside: Signal<HistoryTab>;
}

function PanelButton({ icon, label, tab, beside }: PanelButtonProps) {
  return (
    <IconButton
      icon={icon}
      label={label}
      expanded={beside.value === tab}
      onClick={() => {
        beside.value = beside.value === tab ? null : tab;
      }}
    />
  );
}

function Controls({ archive, player }: HistoryProps) {
  const goal = Math.min(archive.goal.value, archive.head.value);
  const head = archive.head.value;
  const playing = player.playing.value;
  const saved = archive.joined.value?.info.savedRevisions ?? [];
  const go = (revision: number): void => {
    player.pause();
    archive.go(revision);
  };
  return (
    <div class="timeline-row">
      <IconButton
        icon={playing ? 'pause' : 'play'}
        label={playing ? t('history.pause') : t('history.play')}
        unavailable={head === 0}
        onClick={() => player.toggle()}
      />
      <IconButton
        icon="back"
        label={t('history.earlier')}
        unavailable={goal <= 0}
        onClick={() => go(goal - 1)}
      />
      <input
        class="slider"
        type="range"
        min={0}
        max={head}
        value={goal}
        list="saved-revisions"
        aria-label={t('history.slider')}
        onInput={(event) => go(event.currentTarget.valueAsNumber)}
      />
      <datalist id="saved-revisions">
        {saved.map(({ revision }) => (
          <option key={revision} value={revision} />
        ))}
      </datalist>
      <IconButton
        icon="forth"
        label={t('history.later')}
        unavailable={goal >= head}
        onClick={() => go(goal + 1)}
      />
      <select
        class="input"
        aria-label={t('history.speed')}
        value={player.speed.value}
        onChange={(event) => {
          player.speed.value = event.currentTarget.value as Speed;
        }}
      >
        {SPEEDS.map((speed) => (
          <option key={speed} value={speed} selected={speed === player.speed.value}>
            {speedName(speed)}
          </option>
        ))}
      </select>
    </div>
  );
}

function speedName(speed: Speed): string {
  if (speed === 'original' || speed === 'realTime') return t(`history.${speed}`);
  return t('history.every', { seconds: Number(speed) / 1000 });
}

// Which revision it is, of when and by whom. Not said aloud while it changes by itself.
function Facts({ archive, player }: HistoryProps) {
  const shown = archive.shown.value;
  const joined = archive.joined.value;
  const late = !shown || shown.revision !== Math.min(archive.goal.value, archive.head.value);
  const id = shown?.author ?? null;
  const author = id === null ? null : joined?.authors.get(id);
  return (
    <p class="hint timeline-facts" aria-live={player.playing.value ? 'off' : 'polite'}>
      {late ? (
        <span>{t('history.loading')}</span>
      ) : (
        <>
          <strong data-revision={shown.revision}>
            {t('history.at', { revision: shown.revision, head: archive.head.value })}
          </strong>
          <span>{absoluteTime(shown.time)}</span>
          {author && <span>{t('history.by', { name: nameOf({ id, name: author.name }) })}</span>}
        </>
      )}
    </p>
  );
}

function Restore({ archive, player, boot }: HistoryProps) {
  const asking = useSignal(false);
  const shown = archive.shown.value;
  const restored = archive.restored.value;
  useSignalEffect(() => {
    if (archive.restored.value === 'yes') location.assign(padAddress(boot));
  });
  if (archive.joined.value?.info.readOnly !== false || !shown) return null;
  if (shown.revision >= archive.head.value && restored === 'no') return null;
  const close = (): void => {
    asking.value = false;
  };
  return (
    <>
      <Button
        icon="undo"
        disabled={restored !== 'no'}
        onClick={() => {
          player.pause();
          asking.value = true;
        }}
      >
        {t('history.restore')}
      </Button>
      {asking.value && (
        <Dialog title={t('history.restore')} onClose={close}>
          <p>{t('history.restoreAsk', { revision: shown.revision })}</p>
          <div class="dialog-actions">
            <span class="grow" />
            <Button onClick={close}>{t('common.cancel')}</Button>
            <Button
              kind="primary"
              onClick={() => {
                close();
                archive.restore();
              }}
            >
              {t('history.restoreConfirm')}
            </Button>
          </div>
        </Dialog>
      )}
    </>
  );
}

function SavedMenu({ archive, player }: HistoryProps) {
  const saved = archive.joined.value?.info.savedRevisions ?? [];
  if (saved.length === 0) return null;
  const items = saved.map((saved): MenuItem => {
    const { revision, label, time } = saved;
    const name = isNamed(saved) ? label : t('history.savedItem', { revision });
    return {
      label: `${name} – ${absoluteTime(time)}`,
      icon: 'star',
      act: () => {
        player.pause();
        archive.go(revision);
      },
    };
  });
  return (
    <Menu label={t('history.saved')} items={items}>
      <Icon name="star" />
    </Menu>
  );
}

function ExportMenu({ archive, boot }: HistoryProps) {
  const revision = archive.shown.value?.revision;
  if (revision === undefined) return null;
  // A whole pad is the same at every revision.
  const formats = boot.exports.filter((format) => format !== 'etherpad');
  const items = formats.map((format) => ({
    kind: 'link' as const,
    label: t(`files.${format}`),
    href: `${padAddress(boot)}/${revision}/export/${format}`,
  }));
  return (
    <Menu label={t('history.export')} items={items}>
      <Icon name="download" />
    </Menu>
  );
}

// By the names that the settings have for it.
function isOffered({ toolbar }: Boot, name: HistoryButtonName): boolean {
  return toolbar.timeslider?.flat().includes(name) ?? true;
}

function padAddress(boot: Boot): string {
  return `${boot.base}p/${encodeURIComponent(boot.padId)}`;
}
