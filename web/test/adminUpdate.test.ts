// What the page of updates offers in each state.

import { describe, expect, test } from 'vitest';
import { deadline, deeds, isNewer, STATES, type Status } from '../src/admin/update/status.ts';

type State = (typeof STATES)[number];

const status = (state: State, canManual = true): Status => ({
  currentVersion: '1.0.0',
  latest: { version: '1.1.0', tag: 'v1.1.0' },
  lastCheckAt: null,
  installMethod: 'git',
  tier: 'manual',
  policy: { canManual, reason: 'ok' },
  execution: { status: state },
  lastResult: null,
  maintenanceWindow: null,
  nextWindowOpensAt: null,
});

describe('updates', () => {
  test('offer what can be done in each state, and nothing else', () => {
    const offered: Record<State, string> = {
      idle: 'apply',
      scheduled: 'apply cancel',
      preflight: 'cancel',
      'preflight-failed': 'acknowledge apply',
      draining: 'cancel',
      executing: '',
      'pending-verification': '',
      verified: 'apply',
      'rolling-back': '',
      'rolled-back': 'acknowledge apply',
      'rollback-failed': 'acknowledge apply',
    };
    for (const state of STATES) expect(deeds(status(state)).join(' '), state).toBe(offered[state]);
    expect(deeds(status('idle', false))).toEqual([]);
    expect(deeds(status('rolled-back', false))).toEqual(['acknowledge']);
    expect(deeds({ ...status('idle'), policy: null })).toEqual([]);
  });

  test('say when it happens, and whether there is something newer', () => {
    const at = '2026-11-15T12:00:00Z';
    const scheduled: Status = {
      ...status('scheduled'),
      execution: { status: 'scheduled', scheduledFor: at },
    };
    const draining: Status = {
      ...status('draining'),
      execution: { status: 'draining', drainEndsAt: at },
    };
    expect([scheduled, draining, status('idle')].map(deadline)).toEqual([
      Date.parse(at),
      Date.parse(at),
      null,
    ]);
    expect(isNewer(scheduled)).toBe(true);
    expect(isNewer({ ...scheduled, latest: null })).toBe(false);
    expect(isNewer({ ...scheduled, currentVersion: '1.1.0' })).toBe(false);
  });
});
