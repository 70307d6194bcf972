// The pages there are, in the order of the menu. Each is loaded when its address is opened.

import type { FunctionComponent } from 'preact';
import type { IconName } from '../ui/icon.tsx';
import type { PageName } from './pageNames.ts';
import type { Word } from './words.ts';

export interface Page {
  // The last part of the address.
  name: PageName;
  title: Word;
  icon: IconName;
  load: () => Promise<FunctionComponent>;
}

const ROWS: Readonly<Record<PageName, Pick<Page, 'icon' | 'load'>>> = {
  dashboard: {
    icon: 'info',
    load: async () => (await import('./dashboard/page.tsx')).DashboardPage,
  },
  pads: {
    icon: 'page',
    load: async () => (await import('./pads/page.tsx')).PadsPage,
  },
  authors: {
    icon: 'people',
    load: async () => (await import('./authors/page.tsx')).AuthorsPage,
  },
  message: {
    icon: 'chat',
    load: async () => (await import('./message/page.tsx')).MessagePage,
  },
  nodes: {
    icon: 'sync',
    load: async () => (await import('./nodes/page.tsx')).NodesPage,
  },
  audit: {
    icon: 'history',
    load: async () => (await import('./audit/page.tsx')).AuditPage,
  },
  log: {
    icon: 'bullets',
    load: async () => (await import('./log/page.tsx')).LogPage,
  },
  settings: {
    icon: 'gear',
    load: async () => (await import('./settings/page.tsx')).SettingsPage,
  },
  update: {
    icon: 'refresh',
    load: async () => (await import('./update/page.tsx')).UpdatePage,
  },
  plugins: {
    icon: 'puzzle',
    load: async () => (await import('./plugins/page.tsx')).PluginsPage,
  },
  help: {
    icon: 'question',
    load: async () => (await import('./help/page.tsx')).HelpPage,
  },
};

export const PAGES: readonly Page[] = (Object.keys(ROWS) as PageName[]).map((name) => ({
  name,
  title: `nav.${name}`,
  ...ROWS[name],
}));

export function findPage(name: string): Page {
  const page = PAGES.find((page) => page.name === name) ?? PAGES[0];
  if (!page) throw new Error('there are no pages');
  return page;
}
