// The text of pads as this browser saw it last, to start from without a network.
//
// Invariant: only while the visitor wants it, no more than a number of pads, and no secret of a pad.

import type { JoinVars } from '../net/messages.ts';

export interface Copy {
  readonly padId: string;
  readonly time: number;
  readonly joined: JoinVars;
}

export const MOST_PADS = 20;
// Larger ones are not kept.
const MOST_UNITS = 500_000;
const NAME = 'pad-copies';
const COPIES = 'copies';

export async function putCopy(padId: string, joined: JoinVars): Promise<void> {
  if (joined.atext.text.length > MOST_UNITS) return;
  const { padDeletionToken: _secret, ...vars } = joined.vars;
  const copy: Copy = { padId, time: Date.now(), joined: { ...joined, vars } };
  await run('readwrite', (copies) => {
    copies.put(copy);
    // The oldest go.
    const times = copies.index('time').getAllKeys();
    times.onsuccess = () => {
      for (const key of times.result.slice(0, -MOST_PADS)) copies.delete(key);
    };
    return times;
  });
}

export async function copyOf(padId: string): Promise<Copy | undefined> {
  return (await run('readonly', (copies) => copies.get(padId))) as Copy | undefined;
}

export async function forgetCopy(padId: string): Promise<void> {
  await run('readwrite', (copies) => copies.delete(padId));
}

export function forgetCopies(): Promise<void> {
  return new Promise((resolve) => {
    const request = indexedDB.deleteDatabase(NAME);
    request.onsuccess = () => resolve();
    request.onerror = () => resolve();
    request.onblocked = () => resolve();
  });
}

async function run(
  mode: IDBTransactionMode,
  work: (copies: IDBObjectStore) => IDBRequest,
): Promise<unknown> {
  const database = await open();
  try {
    const transaction = database.transaction(COPIES, mode);
    const request = work(transaction.objectStore(COPIES));
    return await new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve(request.result);
      transaction.onerror = () => reject(transaction.error);
      transaction.onabort = () => reject(transaction.error);
    });
  } finally {
    database.close();
  }
}

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => {
      const copies = request.result.createObjectStore(COPIES, { keyPath: 'padId' });
      copies.createIndex('time', 'time');
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
