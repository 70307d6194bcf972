// Expectations of several tests that wait until they hold. Apart from the rest, since tools that drive
// a browser as well run without the tests' framework.

import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { pick } from './padPage.ts';

// The page is not too wide for its window.
export async function expectFits(page: Page, message = 'too wide'): Promise<void> {
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  await expect.poll(overflow, { message }).toBeLessThanOrEqual(0);
}

// What the open dialog for sharing gives to those who may only read.
export async function readOnlyLink(page: Page): Promise<string> {
  await pick(page, 'can only read');
  const link = page.getByRole('textbox', { name: 'Link' });
  await expect.poll(() => link.inputValue()).toMatch(/\/p\/r\.[0-9a-zA-Z]+$/);
  return link.inputValue();
}
