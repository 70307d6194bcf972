// Brings the page up: language, theme, the frame, and the page of this address in it.

import '../ui/moreIcons.ts';
import { effect } from '@preact/signals';
import { render } from 'preact';
import { chooseLanguage } from '../i18n/languages.ts';
import { useLanguage } from '../i18n/text.ts';
import { prefs } from '../prefs/prefs.ts';
import { applyTheme } from '../theme/theme.ts';
import { showTips } from '../ui/tooltip.ts';
import { api } from './api.ts';
import type { Boot } from './boot.ts';
import { type Admin, AdminProvider } from './context.ts';
import { findPage } from './pages.ts';
import { Shell } from './shell.tsx';
import { loadWords, say } from './words.ts';

export async function start(place: HTMLElement, boot: Boot): Promise<void> {
  effect(() => applyTheme(prefs.value.theme ?? 'auto', boot.darkMode));
  const language = chooseLanguage([boot.language]);
  await Promise.all([useLanguage(language), loadWords(language)]);
  const page = findPage(boot.page);
  const Content = await page.load();
  const admin: Admin = { boot, api: api(boot.base) };
  document.title = say('title', { page: say(page.title), service: boot.service });
  showTips();
  render(
    <AdminProvider value={admin}>
      <Shell page={page}>
        <Content />
      </Shell>
    </AdminProvider>,
    place,
  );
}
