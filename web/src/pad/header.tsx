// The header: where one is, whether it is saved, who is here, and how to bring in others.

import { shortcutText } from '../a11y/shortcuts.ts';
import { t } from '../i18n/text.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Menu, type MenuItem } from '../ui/menu.tsx';
import { Avatars } from './avatars.tsx';
import { togglePanel } from './deeds.ts';
import { type Frame, useFrame } from './frame.ts';

import { StateChip } from './state.tsx';

export function Header() {
  const frame = useFrame();
  const { boot, dialog, panel, unread, view } = frame;
  const { chat, menuRight } = view.value;
  return (
    <header class="header" data-region>
      <a
        class="icon-button"
        href={`${boot.base}./`}
        aria-label={t('header.home')}
        data-tip={t('header.home')}
      >
        <Icon name="page" />
      </a>
      <div class="identity">
        <h1 title={boot.padId} dir="auto">
          {boot.padId}
        </h1>
        <StateChip />
      </div>
      {menuRight && (
        <div class="header-right">
          <Avatars onOpen={() => togglePanel(frame, 'people')} />
          {boot.history && (
            <a
              class="icon-button on-wide"
              href={historyAddress(frame)}
              aria-label={t('header.history')}
              data-tip={t('header.history')}
            >
              <Icon name="history" />
            </a>
          )}
          <IconButton
            icon="download"
            class="on-wide"
            label={filesLabel(frame)}
            onClick={() => (dialog.value = 'files')}
          />
          {chat && (
            <IconButton
              icon="chat"
              label={t('header.chat', { count: unread.value })}
              shortcut="Alt+C"
              expanded={panel.value === 'chat'}
              badge={unread.value > 0 ? countText(unread.value) : undefined}
              onClick={() => togglePanel(frame, 'chat')}
            />
          )}
          <span class="share-button">
            <Button icon="share" kind="primary" onClick={() => (dialog.value = 'share')}>
              <span class="share-word">{t('header.share')}</span>
            </Button>
          </span>
          <Menu label={t('header.more')} items={moreItems(frame)}>
            <Icon name="more" />
          </Menu>
        </div>
      )}
    </header>
  );
}

function countText(count: number): string {
  return count > 99 ? '99+' : String(count);
}

function filesLabel({ live }: Frame): string {
  return live.info.value?.readOnly === false ? t('more.files') : t('more.export');
}

function historyAddress({ boot }: Frame): string {
  return `${boot.base}p/${encodeURIComponent(boot.padId)}/timeslider`;
}

function moreItems(frame: Frame): MenuItem[] {
  const { live, dialog, boot } = frame;
  const writes = live.info.value?.readOnly === false;
  const open = (name: NonNullable<typeof dialog.value>) => () => {
    dialog.value = name;
  };
  const items: (MenuItem | false)[] = [
    writes && {
      icon: 'star',
      label: t('more.saveRevision'),
      keys: shortcutText('Ctrl+S'),
      act: () => live.saveRevision(),
    },
    boot.history && {
      kind: 'link',
      icon: 'history',
      label: t('header.history'),
      href: historyAddress(frame),
    },
    { icon: 'download', label: filesLabel(frame), act: open('files') },
    { icon: 'people', label: t('more.people'), act: () => togglePanel(frame, 'people') },
    { kind: 'line' },
    { icon: 'gear', label: t('more.settings'), act: open('settings') },
    {
      icon: 'keyboard',
      label: t('more.shortcuts'),
      keys: shortcutText('Ctrl+/'),
      act: open('shortcuts'),
    },
    { icon: 'info', label: t('more.connection'), act: open('connection') },
    writes && { kind: 'line' },
    writes && { icon: 'trash', label: t('more.delete'), act: open('delete') },
  ];
  return items.filter((item) => item !== false);
}
