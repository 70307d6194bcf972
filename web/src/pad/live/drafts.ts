// Drafts of earlier visits and rejected changes: offered to their author, merged or discarded.

import type { Signal } from '@preact/signals';
import { diff } from '../../document/diff.ts';
import type { PadDocument } from '../../document/document.ts';
import { countWords, withoutMarkers } from '../../document/lines.ts';
import type { FoundDraft, Journal, UnsentChanges } from '../../draft/journal.ts';
import { asOwn, edit } from '../../editor/apply.ts';
import type { Session } from '../../net/session.ts';
import type { Draft, Rejected } from '../live.ts';
import { mergeOnto, rebased, unsentOf } from './merge.ts';
import type { Sync } from './sync.ts';

const AGAIN_MS = 1_000;

export class Drafts {
  readonly #draft: Signal<Draft | null>;
  readonly #rejected: Signal<Rejected | null>;
  readonly #sync: Sync;
  readonly #session: Session;
  readonly #journal: Journal;
  // One at a time is enough to decide about.
  readonly #drafts: Draft[] = [];
  readonly #refusals: Rejected[] = [];

  // Windows that are gone and whose drafts are here.
  ended: readonly string[] = [];

  constructor(
    sync: Sync,
    session: Session,
    journal: Journal,
    draft: Signal<Draft | null>,
    rejected: Signal<Rejected | null>,
  ) {
    this.#sync = sync;
    this.#session = session;
    this.#journal = journal;
    this.#draft = draft;
    this.#rejected = rejected;
  }

  // What earlier pages left. Of this very tab it goes back into the text by itself, if it fits.
  async found(drafts: readonly FoundDraft[]): Promise<void> {
    const { replica } = this.#sync;
    if (!replica || drafts.length === 0) return;
    await this.#end(drafts.map(({ window }) => window));
    for (const found of drafts) {
      const unsent = readable(() => unsentOf(found, replica.base.sets));
      const forget = () => void this.#journal.discard(found.row.key);
      if (unsent && found.own && this.#merge(unsent, false)) forget();
      else this.#offer(unsent, found.row.time, forget);
    }
  }

  // What is in the drafts may still be under way to the server. Before they become part of the text,
  // that is stored and in the text, or never will be.
  async #end(windows: readonly string[]): Promise<void> {
    const { replica } = this.#sync;
    this.ended = windows;
    // Without a connection the next one ends them, and asks for the whole text.
    while (replica?.record && !(await this.#session.request({ type: 'END_WINDOWS', windows }))) {
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
    this.#sync.show();
  }

  // Changes that no longer fit the text.
  setAside(unsent: UnsentChanges): void {
    this.#offer(unsent, Date.now(), this.#writeDown(unsent));
  }

  refused(unsent: UnsentChanges): void {
    const after = visibleOf(unsent);
    const inserted = unsent.inFlight
      ? unsent.inFlight.bank + unsent.pending.bank
      : unsent.pending.bank;
    const discard = this.#writeDown(unsent);
    const forget = () => {
      discard();
      this.#rejected.value = this.#refusals.shift() ?? null;
    };
    this.#refusals.push({
      words: countWords(inserted),
      inserted,
      text: textOf(after),
      retry: () => {
        forget();
        this.#retryAsPlainText(unsent.base, after);
      },
      discard: forget,
    });
    this.#rejected.value ??= this.#refusals.shift() ?? null;
  }

  // What is only on this page would go with it. Says how to forget it.
  #writeDown(unsent: UnsentChanges): () => void {
    const key = this.#journal.keep(unsent, this.#sync.replica?.author ?? '');
    return () => void this.#journal.discard(key);
  }

  #offer(unsent: UnsentChanges | null, time: number, forget: () => void): void {
    const after = unsent && visibleOf(unsent);
    const inserted = `${unsent?.inFlight?.bank ?? ''} ${unsent?.pending.bank ?? ''}`;
    const done = () => {
      forget();
      this.#draft.value = this.#drafts.shift() ?? null;
    };
    this.#drafts.push({
      time,
      words: countWords(inserted),
      text: after ? textOf(after) : '',
      mergeable: unsent !== null,
      merge: () => {
        if (unsent) this.#merge(unsent, true);
        done();
      },
      discard: done,
    });
    this.#draft.value ??= this.#drafts.shift() ?? null;
  }

  // Says whether it was done; what does not fit is left alone unless it is wanted anyway.
  #merge(unsent: UnsentChanges, anyway: boolean): boolean {
    const { replica, editor } = this.#sync;
    if (!replica || !editor || editor.view.state.readOnly) return false;
    const merge = mergeOnto(unsent, replica.visible());
    if (!merge.safe && !anyway) return false;
    const change = asOwn(editor.view.state, rebased(merge, replica.pool));
    edit(editor.view, change, { kind: 'draft', scroll: false });
    // Before it is forgotten as the draft of another page.
    this.#journal.flush(replica);
    return true;
  }

  #retryAsPlainText(base: PadDocument, after: PadDocument): void {
    const ours = diff(base.text.toString(), after.text.toString());
    this.#merge({ base, inFlight: null, pending: ours }, true);
  }
}

function visibleOf({ base, inFlight, pending }: UnsentChanges): PadDocument {
  return (inFlight ? base.apply(inFlight) : base).apply(pending);
}

function textOf(document: PadDocument): string {
  return withoutMarkers(document, 0, document.length - 1);
}

// A draft that cannot be read is no reason to fail.
function readable<T>(read: () => T | null): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
