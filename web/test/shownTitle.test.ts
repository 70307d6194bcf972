// What a pad is called that has no title.

import { describe, expect, test } from 'vitest';
import { chosenTitle } from '../src/pad/shownTitle.ts';

const titled = (padId: string, title = padId) => chosenTitle({ padId, title });

describe('a pad without a title', () => {
  test.each([
    'JVcJ1XLgG8RdMCWv',
    'IPEiAVEWlwckjHet',
    'whvWKmbA76iyxIHT',
    'Rir2dndqvyrmFaiH',
    'r.h3fYlICyZXbe2jjN',
  ])('has a random address: %s', (address) => {
    expect(titled(address)).toBe(null);
    expect(titled(address, 'A title')).toBe('A title');
    expect(chosenTitle({ padId: address, title: address }, 'Another')).toBe('Another');
    expect(chosenTitle({ padId: address, title: address }, address)).toBe(null);
  });

  test.each([
    'notes',
    'WeeklyMeetingDay',
    'weeklymeetingday',
    'agenda2026112018',
    'MINUTES20261118A',
    'e2e-mx3f1k-12345',
    'padAboutOldTimes',
  ])('has an address that somebody chose: %s', (address) => {
    expect(titled(address)).toBe(address);
  });
});
