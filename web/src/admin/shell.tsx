// The frame of every admin page: where one is, where one can go, and who one is.

import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from '../ui/icon.tsx';
import { useAdmin } from './context.ts';
import { PAGES, type Page } from './pages.ts';
import { UpdateBanner } from './update/banner.tsx';
import { say } from './words.ts';

export function Shell({ page, children }: { page: Page; children: ComponentChildren }) {
  const { boot } = useAdmin();
  const nav = useRef<HTMLElement>(null);
  // On a phone the menu is wider than the window.
  useEffect(() => {
    const here = nav.current?.querySelector('[aria-current]');
    here?.scrollIntoView({ inline: 'center', block: 'nearest' });
  }, []);
  return (
    <div class="admin">
      <a class="skip" href="#content">
        {say('skip')}
      </a>
      <header class="admin-header">
        <a
          class="icon-button"
          href={`${boot.base}./`}
          aria-label={say('home')}
          data-tip={say('home')}
        >
          <Icon name="home" />
        </a>
        <p class="admin-name">{boot.service}</p>
        <p class="admin-user">
          <span>{boot.user}</span> <a href={`${boot.base}sign-out`}>{say('signOut')}</a>
        </p>
      </header>
      <nav ref={nav} class="admin-nav" aria-label={say('nav')}>
        <ul>
          {PAGES.map((other) => (
            <li key={other.name}>
              <a
                href={`${boot.base}admin${other.name === 'dashboard' ? '' : `/${other.name}`}`}
                aria-current={other.name === page.name ? 'page' : undefined}
              >
                <Icon name={other.icon} />
                {say(other.title)}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <main id="content" class="admin-main" tabIndex={-1}>
        <h1>{say(page.title)}</h1>
        {page.name !== 'update' && <UpdateBanner />}
        {children}
      </main>
    </div>
  );
}
