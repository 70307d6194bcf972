// The plugins of this repository in the real program: installed, used, upgraded and removed, while people
// are in a pad.

import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launch, newContext, SIZES } from './browser.ts';
import { startCluster } from './cluster.ts';
import { fromMore, openPad, stateIs, text, write } from './padPage.ts';
import { PATIENCE_MS } from './patience.ts';
import { OwnServer } from './server.ts';

const FOLDER = join(import.meta.dirname, '../../plugins');

let browser: Browser;

beforeAll(async () => {
  browser = await launch();
});

afterAll(async () => {
  await browser?.close();
});

const install = (server: OwnServer, name: string, folder = FOLDER) =>
  server.command('plugins', 'install', join(folder, name), '--grant-all', '--browsers');

interface Changes {
  readonly version: string;
  readonly defaults?: Readonly<Record<string, unknown>>;
  // In English.
  readonly texts?: Readonly<Record<string, string>>;
}

interface Manifest {
  settings: Record<string, { default: unknown }>;
}

// Installs the plugin as another version, with other defaults and texts.
async function installChanged(server: OwnServer, name: string, changes: Changes): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'padsvc-plugin-'));
  await cp(join(FOLDER, name), join(folder, name), { recursive: true });
  const edit = async <T>(file: string, change: (json: T) => object) => {
    const path = join(folder, name, file);
    await writeFile(path, JSON.stringify(change(JSON.parse(await readFile(path, 'utf8')))));
  };
  const { version, defaults = {}, texts } = changes;
  await edit<Manifest>('plugin.json', (manifest) => {
    for (const [key, value] of Object.entries(defaults)) {
      manifest.settings[key] = { ...manifest.settings[key], default: value };
    }
    return { ...manifest, version };
  });
  await edit<object>('locales/en.json', (english) => ({ ...english, ...texts }));
  await install(server, name, folder);
  await rm(folder, { recursive: true });
}

interface Service {
  readonly nodes: readonly OwnServer[];
  end(): Promise<void>;
}

const STORES: readonly (readonly [string, () => Promise<Service>])[] = [
  [
    'the embedded database',
    async () => {
      const server = await OwnServer.start();
      return { nodes: [server], end: () => server.end() };
    },
  ],
  // Each visitor is on another one than the visitor before.
  ['two nodes on PostgreSQL', () => startCluster()],
];

async function serving(
  start: () => Promise<Service>,
  act: (server: OwnServer, visitor: () => Promise<Page>) => Promise<void>,
): Promise<void> {
  const { nodes, end } = await start();
  const contexts: BrowserContext[] = [];
  try {
    await act(nodes[0] as OwnServer, async () => {
      const baseURL = nodes[contexts.length % nodes.length]?.url ?? '';
      const context = await newContext(browser, { ...SIZES.desktop, baseURL });
      contexts.push(context);
      return context.newPage();
    });
  } finally {
    for (const context of contexts) await context.close();
    await end();
  }
}

const eventually = <T>(look: () => Promise<T>) => expect.poll(look, { timeout: PATIENCE_MS });

describe.each(STORES)('plugins on %s', (_name, start) => {
  const withServer = (act: Parameters<typeof serving>[1]) => serving(start, act);

  test('a writing goal is for everybody, comes and goes while a pad is open', () =>
    withServer(async (server, visitor) => {
      const [one, other] = [await visitor(), await visitor()];
      await openPad(one, 'story');
      await write(one, 'once upon a time');
      await stateIs(one, /saved/);
      await install(server, 'writing-goal');
      await fromMore(one, 'Writing goal…');
      await one.getByLabel('Words that this pad should have').fill('10');
      await one.getByRole('button', { name: 'Set goal' }).click();
      await one.getByText('The goal is set for everybody.').waitFor();
      await openPad(other, 'story');
      await other.getByRole('button', { name: 'Writing goal: 4 of 10 words' }).waitFor();

      // An upgrade comes to pads that are open, and keeps what is stored.
      const texts = { of: '{words} out of {goal} words' };
      await installChanged(server, 'writing-goal', { version: '1.1.0', texts });
      await one.getByRole('button', { name: 'Writing goal: 4 out of 10 words' }).waitFor();

      await server.command('plugins', 'disable', 'writing-goal');
      await one.locator('.goal-status').waitFor({ state: 'detached' });
      await server.command('plugins', 'enable', 'writing-goal');
      await one.getByRole('button', { name: 'Writing goal: 4 out of 10 words' }).waitFor();
      await server.command('plugins', 'remove', 'writing-goal');
      await one.locator('.goal-status').waitFor({ state: 'detached' });
      await text(one).click();
      await one.keyboard.press('Control+End');
      await one.keyboard.type(' there was');
      await stateIs(one, /saved/);
      expect(JSON.parse(await server.command('plugins', 'list', '--json'))).toMatchObject({
        installed: 0,
      });
    }));

  test('statistics count two people, in the page and in the API', () =>
    withServer(async (server, visitor) => {
      await install(server, 'statistics');
      const [one, other] = [await visitor(), await visitor()];
      await openPad(one, 'shared', 'userName=Anna');
      await write(one, 'twenty characters ok');
      await stateIs(one, /saved/);
      await openPad(other, 'shared', 'userName=Ben');
      await text(other).click();
      await other.keyboard.press('Control+End');
      await other.keyboard.type(' five');
      await stateIs(other, /saved/);
      await fromMore(one, 'Statistics');
      const table = one.getByRole('table');
      await table.getByRole('row', { name: /Anna \(you\) 80%/ }).waitFor();
      await table.getByRole('row', { name: /^Ben 20%/ }).waitFor();
      const key = (await server.read('APIKEY.txt')).trim();
      const address = `${server.url}api/1.3.0/statistics.authorship?padID=shared&apikey=${key}`;
      const answer = await (await fetch(address)).json();
      expect(answer).toMatchObject({
        code: 0,
        data: {
          authors: [
            { name: 'Anna', characters: 20 },
            { name: 'Ben', characters: 5 },
          ],
          characters: 25,
        },
      });
      const without = `${server.url}api/1.3.0/statistics.authorship?padID=shared`;
      expect((await fetch(without)).status).toBe(401);

      await installChanged(server, 'statistics', {
        version: '1.1.0',
        defaults: { people: 1 },
        texts: { title: 'Shares' },
      });
      await fromMore(other, 'Shares');
      await other.getByRole('row', { name: /^Anna 80%/ }).waitFor();
      await other.getByRole('row', { name: /^1 other 20%/ }).waitFor();
      await server.command('plugins', 'remove', 'statistics');
      await other.getByRole('table').waitFor({ state: 'detached' });
      await eventually(async () => (await fetch(address)).status).toBe(404);
    }));

  test('moderation masks and refuses what is said, and says why', () =>
    withServer(async (server, visitor) => {
      const defaults = { words: 'darn', refuseLinks: true };
      await installChanged(server, 'moderation', { version: '1.0.0', defaults });
      const [one, other] = [await visitor(), await visitor()];
      await openPad(one, 'talk', 'userName=Anna');
      await openPad(other, 'talk', 'userName=Ben');
      await one.keyboard.press('Alt+C');
      const send = async (words: string) => {
        await one.locator('#chat-message').fill(words);
        await one.keyboard.press('Enter');
      };
      await send('this darn thing');
      await other.keyboard.press('Alt+C');
      await other.getByText('this •••• thing').waitFor();
      await send('see https://example.org');
      await one.getByText('Links are not allowed in this chat.').first().waitFor();
      await send('the end');
      await other.getByText('the end').waitFor();
      expect(await other.getByText('example.org').count()).toBe(0);
      expect(await other.getByText('darn').count()).toBe(0);

      const stricter = { version: '1.1.0', defaults: { words: 'heck' } };
      await installChanged(server, 'moderation', stricter);
      await send('what the heck');
      await other.getByText('what the ••••').waitFor();
      await server.command('plugins', 'remove', 'moderation');
      await send('heck of a day, see https://example.org');
      await other.getByText('heck of a day, see').waitFor();
    }));

  test('a feed has what was written, and nothing of pads that have none', () =>
    withServer(async (server, visitor) => {
      await install(server, 'feed');
      const page = await visitor();
      await openPad(page, 'news', 'userName=Anna');
      await write(page, 'Fresh <news> & more');
      await stateIs(page, /saved/);
      const feed = (pad: string) => fetch(`${server.url}plugins/feed/atom?pad=${pad}`);
      await eventually(async () => (await feed('news')).text()).toContain('Fresh &lt;news&gt;');
      const answer = await feed('news');
      expect(answer.headers.get('content-type')).toContain('application/atom+xml');
      const body = await answer.text();
      expect(body).toContain('<title>Changes by Anna</title>');
      const [, link] =
        /rel="alternate" type="text\/html" href="([^"]*timeslider[^"]*)"/.exec(body) ?? [];
      await page.goto(link ?? '');
      await page.getByText('Fresh <news> & more').first().waitFor();
      expect((await feed('nowhere')).status).toBe(404);
      expect((await feed('g.s8oes9dhwrvt0zif$x')).status).toBe(404);
      await installChanged(server, 'feed', { version: '1.1.0', defaults: { names: false } });
      await eventually(async () => (await feed('news')).text()).not.toContain('by Anna');
      expect(await (await feed('news')).text()).toContain('Fresh &lt;news&gt;');
      await server.command('plugins', 'remove', 'feed');
      await eventually(async () => (await feed('news')).status).toBe(404);
    }));

  test('expiry says in a pad when it goes', () =>
    withServer(async (server, visitor) => {
      const defaults = { action: 'archive', days: 7, warnDays: 30 };
      await installChanged(server, 'expiry', { version: '1.0.0', defaults });
      const page = await visitor();
      const notice = (words: RegExp) => page.getByText(words).first();
      await openPad(page, 'old');
      await notice(/This pad will be archived on \d{4}-\d{2}-\d{2}/).waitFor();
      await installChanged(server, 'expiry', {
        version: '1.1.0',
        defaults: { ...defaults, action: 'delete' },
      });
      await openPad(page, 'older');
      await notice(/This pad will be deleted on \d{4}-\d{2}-\d{2}/).waitFor();
      await server.command('plugins', 'remove', 'expiry');
      await openPad(page, 'newer');
      await write(page, 'nothing expires');
      await stateIs(page, /saved/);
      expect(await notice(/This pad will be/).count()).toBe(0);
    }));
});
