// What the page of updates offers in each state.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { reason, refusal } from '../src/admin/update/reasons.ts';
import {
  actions,
  deadline,
  isDeferred,
  isNewer,
  STATES,
  type Status,
} from '../src/admin/update/status.ts';

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
  lockHeld: false,
  maintenanceWindow: null,
  windowIsOpen: null,
  nextWindowOpensAt: null,
});

describe('updates', () => {
  test('offer what can be done in each state, and nothing else', () => {
    const offered: Record<State, string> = {
      idle: 'apply',
      scheduled: 'apply cancel',
      preflight: 'cancel',
      'preflight-failed': 'acknowledge',
      draining: 'cancel',
      executing: '',
      'pending-verification': '',
      verified: 'apply',
      'rolling-back': '',
      'rolled-back': 'acknowledge',
      'rollback-failed': 'acknowledge apply',
    };
    for (const state of STATES)
      expect(actions(status(state)).join(' '), state).toBe(offered[state]);
    expect(actions(status('idle', false))).toEqual([]);
    expect(actions(status('rollback-failed', false))).toEqual(['acknowledge']);
    expect(actions({ ...status('idle'), policy: null })).toEqual([]);
    expect(actions({ ...status('idle'), lockHeld: true })).toEqual([]);
    // Another node is updated, or this one.
    const roll = { updating: 'http://10.0.0.5:9001' };
    expect(actions({ ...status('verified', false), roll })).toEqual(['cancel']);
    expect(actions({ ...status('executing'), roll })).toEqual([]);
    expect(actions({ ...status('idle'), roll: { updating: null } })).toEqual(['apply']);
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
    const waiting = { ...scheduled, tier: 'autonomous', nextWindowOpensAt: at } as const;
    expect([scheduled, waiting].map(isDeferred)).toEqual([false, true]);
    expect(isNewer(scheduled)).toBe(true);
    expect(isNewer({ ...scheduled, latest: null })).toBe(false);
    expect(isNewer({ ...scheduled, currentVersion: '1.1.0' })).toBe(false);
    expect(isNewer({ ...scheduled, currentVersion: null })).toBe(false);
  });

  test('say why not, in words, with what a program has said', () => {
    expect(reason('low-disk-space: 3 MB are free')).toEqual({
      word: 'update.why.low-disk-space',
      detail: '3 MB are free',
    });
    expect(reason('the new program does not start')).toEqual({
      word: null,
      detail: 'the new program does not start',
    });
    const word = (body: unknown) => refusal(body)?.word;
    expect(word({ error: 'execution-busy:draining' })).toBe('update.why.execution-busy');
    expect(word({ error: 'policy-denied', reason: 'up-to-date' })).toBe('update.current');
    expect([refusal(null), refusal({}), refusal('x')]).toEqual([null, null, null]);
  });

  test('have words for every reason that the documentation lists', () => {
    const docs = readFileSync(join(import.meta.dirname, '../../docs/updates.md'), 'utf8');
    const section = docs.split('## When something is in the way')[1]?.split('\n## ')[0] ?? '';
    const names = [...section.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, name = '']) => name);
    expect(names.length).toBeGreaterThan(9);
    for (const name of names) expect(reason(name), name).toMatchObject({ detail: '' });
  });
});
