// What the answers to an import mean.

import { expect, test } from 'vitest';
import { outcomeOf } from '../src/pad/files/upload.ts';

const failed = (status: number, body: string) => {
  const outcome = outcomeOf(status, body, 7);
  return outcome.kind === 'failed' ? outcome.failure : outcome.kind;
};

test('a file that was taken, with or without a history of its own', () => {
  const answer = (whole: boolean) =>
    JSON.stringify({ code: 0, message: 'ok', data: { directDatabaseAccess: whole } });
  expect(outcomeOf(200, answer(false), 0)).toEqual({ kind: 'done', whole: false });
  expect(outcomeOf(200, answer(true), 0)).toEqual({ kind: 'done', whole: true });
});

test('refusals by their word', () => {
  for (const message of ['uploadFailed', 'maxFileSize', 'padHasData', 'convertFailed']) {
    expect(failed(400, JSON.stringify({ code: 1, message, data: null }))).toBe(message);
  }
  expect(failed(500, JSON.stringify({ code: 2, message: 'internalError' }))).toBe('internal');
  const refused = outcomeOf(400, '{"message":"convertFailed","reason":"Odd."}', 0);
  expect(refused).toMatchObject({ failure: 'convertFailed', reason: 'Odd.' });
});

test('refusals by their status, also those of a proxy in between', () => {
  expect(failed(0, '')).toBe('offline');
  expect(failed(403, 'You may not')).toBe('denied');
  expect(failed(404, 'null')).toBe('missing');
  expect(failed(413, '<html>too large</html>')).toBe('maxFileSize');
  expect(failed(502, '<html>bad gateway</html>')).toBe('internal');
  expect(failed(200, 'not what we know')).toBe('internal');
  expect(outcomeOf(429, 'wait', 7)).toMatchObject({ failure: 'tooMany', seconds: 7 });
});
