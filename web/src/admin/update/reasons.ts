// Why something is not done, in words: the server gives short names, some with a detail behind them.

import en from '../texts/en.json';

type Word = keyof typeof en;

export interface Reason {
  word: Word | null;
  // In English: what a program has said.
  detail: string;
}

// "low-disk-space: 3 MB are free" and the like; what is unknown is a detail.
export function reason(text: string): Reason {
  const [, name = '', detail = ''] = /^([a-z-]+)(?:: *(.*))?$/s.exec(text) ?? [];
  const word = wordOf(name);
  return word ? { word, detail } : { word: null, detail: text };
}

// What a refused request was answered.
export function refusal(body: unknown): Reason | null {
  if (typeof body !== 'object' || body === null || !('error' in body)) return null;
  const { error } = body;
  if (typeof error !== 'string') return null;
  const why = 'reason' in body && typeof body.reason === 'string' ? body.reason : '';
  return reason(why || error);
}

const ELSEWHERE: Record<string, Word> = {
  'up-to-date': 'update.current',
  'tier-off': 'update.off',
  'no-known-latest': 'update.unknown',
  'maintenance-window-missing': 'update.windowMissing',
  'maintenance-window-invalid': 'update.windowInvalid',
};

function wordOf(name: string): Word | undefined {
  const key = `update.why.${name}`;
  return key in en ? (key as Word) : ELSEWHERE[name];
}
