// The pages there are, in the order of the menu. Each is loaded when its address is opened.

import type { FunctionComponent } from 'preact';
import type { IconName } from '../ui/icon.tsx';
import type { Word } from './words.ts';

export interface Page {
  // The last part of the address.
  name: string;
  title: Word;
  icon: IconName;
  load: () => Promise<FunctionComponent>;
}

export const PAGES: readonly Page[] = [
  {
    name: 'dashboard',
    title: 'nav.dashboard',
    icon: 'info',
    load: async () => (await import('./dashboard/page.tsx')).DashboardPage,
  },
  {
    name: 'pads',
    title: 'nav.pads',
    icon: 'page',
    load: async () => (await import('./pads/page.tsx')).PadsPage,
  },
  {
    name: 'authors',
    title: 'nav.authors',
    icon: 'people',
    load: async () => (await import('./authors/page.tsx')).AuthorsPage,
  },
  {
    name: 'message',
    title: 'nav.message',
    icon: 'chat',
    load: async () => (await import('./message/page.tsx')).MessagePage,
  },
  {
    name: 'settings',
    title: 'nav.settings',
    icon: 'gear',
    load: async () => (await import('./settings/page.tsx')).SettingsPage,
  },
  {
    name: 'update',
    title: 'nav.update',
    icon: 'refresh',
    load: async () => (await import('./update/page.tsx')).UpdatePage,
  },
  {
    name: 'plugins',
    title: 'nav.plugins',
    icon: 'plus',
    load: async () => (await import('./plugins/page.tsx')).PluginsPage,
  },
  {
    name: 'help',
    title: 'nav.help',
    icon: 'alert',
    load: async () => (await import('./help/page.tsx')).HelpPage,
  },
];

export function findPage(name: string): Page {
  const page = PAGES.find((page) => page.name === name) ?? PAGES[0];
  if (!page) throw new Error('there are no pages');
  return page;
}
