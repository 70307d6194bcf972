// Alerts in the admin area: a test goes out to a real receiver, and what fails says why.

import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAdmin, ownAdminServer } from './admin.ts';
import { accessibilityProblems, SIZES, visit } from './browser.ts';
import { expectFits } from './expectations.ts';

const SECRET = 'known to both';
const received: { body: string; signature: unknown }[] = [];
let answer = 204;
let receiver: Server;
const here = ownAdminServer();

beforeAll(async () => {
  receiver = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      received.push({ body, signature: request.headers['x-padsvc-signature-256'] });
      response.writeHead(answer).end();
    });
  });
  await once(receiver.listen(0, '127.0.0.1'), 'listening');
});

afterAll(() => {
  receiver.close();
});

const start = async (): Promise<void> => {
  const { port } = receiver.address() as AddressInfo;
  const alerts = { webhook: `http://127.0.0.1:${port}/hook`, webhookSecret: SECRET };
  await here.server.kill();
  await here.server.start({ ...here.settings, alerts });
};

const open = async (page: Page) => {
  await openAdmin(page, `${here.server.url}admin`);
  const alerts = page.getByRole('region', { name: 'Alerts' });
  await alerts.waitFor();
  return alerts;
};

test('alerts are off until there is a place to send to', () =>
  visit(here.browser, SIZES.desktop, async ({ page }) => {
    const alerts = await open(page);
    await alerts.getByText('Alerts are off').waitFor();
    expect(await alerts.getByRole('button').count()).toBe(0);
    expect(await accessibilityProblems(page)).toEqual([]);
  }));

test('a test alert arrives, signed; one that does not says why', () =>
  visit(here.browser, SIZES.desktop, async ({ page }) => {
    await start();
    const alerts = await open(page);
    await alerts.getByText('No alert at the moment.').waitFor();
    await alerts.getByText('Webhook: nothing sent yet.').waitFor();
    await alerts.getByRole('button', { name: 'Send a test alert' }).click();
    await alerts.getByText(/^Webhook: last message delivered/).waitFor();
    const [{ body, signature }] = received as [(typeof received)[0]];
    expect(JSON.parse(body)).toMatchObject({ version: 1, event: 'test' });
    const hmac = createHmac('sha256', SECRET).update(body).digest('hex');
    expect(signature).toBe(`sha256=${hmac}`);
    answer = 503;
    await alerts.getByRole('button', { name: 'Send a test alert' }).click();
    const failure = /^Webhook: the last message was not delivered .*: it answered 503$/;
    await alerts.getByText(failure).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    // It is still known after a reload, and in the audit log.
    await page.reload();
    await alerts.getByText(failure).waitFor();
    await openAdmin(page, `${here.server.url}admin/audit`);
    await page.getByLabel('Show').selectOption({ label: 'Alerts' });
    const actions = page.locator('.list tbody tr td:nth-child(3)');
    await expect.poll(() => actions.allTextContents()).toEqual(['alerts.test', 'alerts.test']);
  }));

for (const [size, options] of Object.entries(SIZES)) {
  for (const [locale, colorScheme] of [
    ['en', 'light'],
    ['ar', 'dark'],
  ] as const) {
    test(`${size}, ${locale}, ${colorScheme}: fits and is accessible`, () =>
      visit(here.browser, { ...options, colorScheme, locale }, async ({ page }) => {
        await openAdmin(page, `${here.server.url}admin`);
        await page.locator('section[aria-labelledby=alerts] button').waitFor();
        await expectFits(page);
        expect(await accessibilityProblems(page)).toEqual([]);
      }));
  }
}
