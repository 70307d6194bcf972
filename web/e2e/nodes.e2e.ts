// Two people on different nodes are in one pad, and nobody notices the end of a node.

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openAdmin } from './admin.ts';
import { launch, newContext, SIZES } from './browser.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { expectText, newPadName, visitor } from './pad.ts';
import { showPeople, write } from './padPage.ts';

let browser: Browser;
let cluster: Cluster;

beforeAll(async () => {
  browser = await launch();
  cluster = await startCluster({ users: { root: { password: 'the key to it', is_admin: true } } });
});

afterAll(async () => {
  await browser?.close();
  await cluster?.end();
});

describe('two nodes', () => {
  test('people see each other’s text, caret, name, chat and leaving', async () => {
    const pad = newPadName();
    const [first, second] = cluster.nodes;
    const one = await visitor(browser, pad, {}, first.url);
    await write(one.page, 'here');
    const two = await visitor(browser, `${pad}?userName=Ada`, {}, second.url);
    await expectText(two.page, 'here');
    await two.page.locator('.cm-content').click();
    await two.page.keyboard.press('Control+End');
    await two.page.keyboard.type(' and there');
    await expectText(one.page, 'here and there');
    await expect.poll(() => one.page.locator('.pad-cursor').count()).toBe(1);

    await showPeople(one.page);
    await one.page.getByText('Ada', { exact: true }).first().waitFor();
    await one.page.getByRole('button', { name: 'Close the panel' }).click();

    await two.page.keyboard.press('Alt+KeyC');
    await two.page.getByLabel('Message', { exact: true }).fill('hello from there');
    await two.page.keyboard.press('Enter');
    await one.page.getByRole('button', { name: 'Chat, 1 unread message' }).click();
    await one.page.getByRole('log').getByText('hello from there').waitFor();

    await two.context.close();
    await expect.poll(() => one.page.locator('.pad-cursor').count()).toBe(0);
    await one.context.close();
  });

  test('the admin area lists both', async () => {
    const context = await newContext(browser, { ...SIZES.desktop, baseURL: cluster.nodes[0].url });
    const page = await context.newPage();
    await openAdmin(page, `${cluster.nodes[0].url}admin/nodes`);
    await expect.poll(() => page.locator('.list tbody tr').count()).toBe(2);
    await context.close();
  });

  test('a page survives the end of its node without a reload, and typing never blocks', async () => {
    const pad = newPadName();
    const [first, second] = cluster.nodes;
    const { balancer } = cluster;
    const one = await visitor(browser, pad, {}, balancer.url);
    await write(one.page, 'before');
    const two = await visitor(browser, pad, {}, second.url);
    await expectText(two.page, 'before');
    await one.page.evaluate(() => {
      (globalThis as { loadedOnce?: boolean }).loadedOnce = true;
    });
    balancer.target = second.url;
    await first.kill();
    await one.page.locator('.cm-content').click();
    await one.page.keyboard.press('Control+End');
    await one.page.keyboard.type(' after');
    await expectText(one.page, 'before after');
    await expectText(two.page, 'before after');
    const isSame = () =>
      one.page.evaluate(() => (globalThis as { loadedOnce?: boolean }).loadedOnce === true);
    expect(await isSame()).toBe(true);
    await one.context.close();
    await two.context.close();
  });
});
