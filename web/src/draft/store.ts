// Drafts in the browser's database.
//
// Invariant: a browser that refuses to keep anything makes every call fail, never the page.

import type { AText, PoolJson } from '../changeset/index.ts';

// What one tab has not been able to send yet.
export interface DraftRow {
  readonly key: string;
  readonly padId: string;
  readonly author: string;
  readonly time: number;
  // The revision that the changes are about.
  readonly rev: number;
  readonly inFlight: string | null;
  readonly pending: string;
  readonly pool: PoolJson;
}

// The document that they are about.
export interface BaseRow {
  readonly key: string;
  readonly rev: number;
  readonly atext: AText;
  readonly pool: PoolJson;
}

const NAME = 'pad-drafts';
const DRAFTS = 'drafts';
const BASES = 'bases';

export class DraftStore {
  #database: Promise<IDBDatabase> | undefined;

  async put(draft: DraftRow, base: BaseRow | null): Promise<void> {
    await this.#run('readwrite', (drafts, bases) => {
      if (base) bases.put(base);
      return drafts.put(draft);
    });
  }

  async remove(key: string): Promise<void> {
    await this.#run('readwrite', (drafts, bases) => {
      bases.delete(key);
      return drafts.delete(key);
    });
  }

  async of(padId: string): Promise<DraftRow[]> {
    const all = await this.#run('readonly', (drafts) => drafts.index('padId').getAll(padId));
    return all as DraftRow[];
  }

  async base(key: string): Promise<BaseRow | undefined> {
    return (await this.#run('readonly', (_drafts, bases) => bases.get(key))) as BaseRow | undefined;
  }

  async #run(
    mode: IDBTransactionMode,
    work: (drafts: IDBObjectStore, bases: IDBObjectStore) => IDBRequest | undefined,
  ): Promise<unknown> {
    this.#database ??= openDatabase();
    const transaction = (await this.#database).transaction([DRAFTS, BASES], mode);
    const request = work(transaction.objectStore(DRAFTS), transaction.objectStore(BASES));
    return new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve(request?.result);
      transaction.onerror = () => reject(transaction.error);
      transaction.onabort = () => reject(transaction.error);
    });
  }
}

function openDatabase(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore(DRAFTS, { keyPath: 'key' }).createIndex('padId', 'padId');
      request.result.createObjectStore(BASES, { keyPath: 'key' });
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error('another version is open'));
  });
}
