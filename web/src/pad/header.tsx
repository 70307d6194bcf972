// The header: where one is, whether it is saved, who is here, and how to bring in others.

import { shortcutText } from '../a11y/shortcuts.ts';
import { t } from '../i18n/text.ts';
import { Icon } from '../ui/icon.tsx';
import { Menu, type MenuItem } from '../ui/menu.tsx';
import { togglePanel } from './actions.ts';
import type { ButtonName } from './buttonNames.ts';
import { filesLabel, historyAddress, isOffered, Tool, type ToolName } from './buttons.tsx';
import { type Frame, useFrame } from './frame.ts';
import { StateChip } from './state.tsx';

const USUAL: readonly ToolName[] = ['showusers', 'timeslider', 'importexport', 'chat', 'embed'];

export function Header() {
  const frame = useFrame();
  const { boot, view } = frame;
  const { menuRight } = view.value;
  const { right } = boot.toolbar;
  const tools: readonly ToolName[] = right ? [...right.flat(), 'chat'] : USUAL;
  return (
    <header class="header" data-region>
      {isOffered(boot, 'home') && (
        <a
          class="icon-button"
          href={`${boot.base}./`}
          aria-label={t('header.home')}
          data-tip={t('header.home')}
        >
          <Icon name="page" />
        </a>
      )}
      <div class="identity">
        <h1 title={boot.padId} dir="auto">
          {boot.padId}
        </h1>
        <StateChip />
      </div>
      {menuRight && (
        <div class="header-right">
          {tools.map((name) => (
            <Tool key={name} name={name} />
          ))}
          <Menu label={t('header.more')} items={moreItems(frame)}>
            <Icon name="more" />
          </Menu>
        </div>
      )}
    </header>
  );
}

function moreItems(frame: Frame): MenuItem[] {
  const { live, dialog, boot } = frame;
  const writes = live.info.value?.readOnly === false;
  const has = (name: ButtonName) => isOffered(boot, name);
  const open = (name: NonNullable<typeof dialog.value>) => () => {
    dialog.value = name;
  };
  const items: (MenuItem | false)[] = [
    writes &&
      has('savedrevision') && {
        icon: 'star',
        label: t('more.saveRevision'),
        keys: shortcutText('Ctrl+S'),
        act: () => live.saveRevision(),
      },
    has('timeslider') && {
      kind: 'link',
      icon: 'history',
      label: t('header.history'),
      href: historyAddress(frame),
    },
    has('importexport') && { icon: 'download', label: filesLabel(frame), act: open('files') },
    has('showusers') && {
      icon: 'people',
      label: t('more.people'),
      act: () => togglePanel(frame, 'people'),
    },
    { kind: 'line' },
    has('settings') && { icon: 'gear', label: t('more.settings'), act: open('settings') },
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
