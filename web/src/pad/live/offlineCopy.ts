// Offline copy of the pad, as it is stored on the server.

import type { Replica } from '../../collab/replica.ts';
import type { PadDocument } from '../../document/document.ts';
import type { JoinVars } from '../../net/messages.ts';
import { copyOf, forgetCopy, putCopy } from '../../offline/copies.ts';

const PAUSE_MS = 2_000;

export class OfflineCopy {
  readonly #padId: string;
  #rev = -1;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(padId: string) {
    this.#padId = padId;
  }

  async find(): Promise<JoinVars | null> {
    return (await copyOf(this.#padId).catch(() => undefined))?.joined ?? null;
  }

  // Something may have changed; it is written down soon.
  touch(replica: Replica<PadDocument>, joined: JoinVars): void {
    if (this.#timer !== undefined || replica.rev === this.#rev) return;
    this.#timer = setTimeout(() => this.write(replica, joined), PAUSE_MS);
  }

  write(replica: Replica<PadDocument>, joined: JoinVars): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (replica.rev === this.#rev) return;
    this.#rev = replica.rev;
    const now = { rev: replica.rev, atext: replica.base.toAText(), pool: replica.pool.toJson() };
    putCopy(this.#padId, { ...joined, ...now }).catch(() => {});
  }

  forget(): void {
    clearTimeout(this.#timer);
    forgetCopy(this.#padId).catch(() => {});
  }

  close(): void {
    clearTimeout(this.#timer);
  }
}
