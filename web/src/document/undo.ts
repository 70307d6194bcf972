// Taking back one's own edits, and nobody else's.
//
// Invariant: both stacks are chains. The topmost entry fits the visible document, and each entry
// fits what the one above it leaves. Edits by others are carried through the chains, so that an
// entry never touches what it did not do.

import { type Changeset, compose, follow, isIdentity, type Pool } from '../changeset/index.ts';

const MOST_STEPS = 200;
// Edits by others that may wait to be carried through the chains.
const MOST_WAITING = 256;
const GROUP_MS = 500;

// The kind of an edit that takes away what was typed for a command.
export const UNTYPED = 'untyped';

interface Step {
  // What takes the edit back.
  readonly back: Changeset;
  readonly kind: string;
  readonly time: number;
}

// What would take back a change that takes back an edit of some kind.
type Inverse = (change: Changeset, kind: string) => Changeset;

export class UndoHistory {
  readonly #pool: Pool;
  #undo: Step[] = [];
  #redo: Step[] = [];
  #waiting: Changeset[] = [];
  #groupOpen = false;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  get canUndo(): boolean {
    return this.#undo.length > 0;
  }

  get canRedo(): boolean {
    return this.#redo.length > 0;
  }

  // An own edit, by what takes it back. Edits of one kind shortly after each other are one step.
  edited(back: Changeset, kind: string, time: number): void {
    this.#carry();
    this.#redo = [];
    if (kind === UNTYPED) {
      this.#untyped(back);
      return;
    }
    const last = this.#undo.at(-1);
    if (last && this.#groupOpen && last.kind === kind && time - last.time < GROUP_MS) {
      this.#undo.pop();
      this.#undo.push({ back: compose(back, last.back, this.#pool), kind, time });
    } else {
      this.#undo.push({ back, kind, time });
      if (this.#undo.length > MOST_STEPS) this.#undo.shift();
    }
    this.#groupOpen = true;
  }

  // Text goes that was typed just now: as if it had never been typed, as far back as its typing goes.
  #untyped(back: Changeset): void {
    let step = { back, kind: 'type', time: 0 };
    let left = unitsOf(back, '+');
    for (
      let last = this.#undo.at(-1);
      last?.kind === 'type' && left > 0;
      last = this.#undo.at(-1)
    ) {
      this.#undo.pop();
      left -= unitsOf(last.back, '-');
      step = { ...last, back: compose(step.back, last.back, this.#pool) };
    }
    if (!isIdentity(step.back)) this.#undo.push(step);
    this.#groupOpen = false;
  }

  // The caret went elsewhere: what comes next is a step of its own.
  endGroup(): void {
    this.#groupOpen = false;
  }

  // An edit by somebody else.
  changedByOthers(change: Changeset): void {
    if (isIdentity(change) || (this.#undo.length === 0 && this.#redo.length === 0)) return;
    this.#waiting.push(change);
    if (this.#waiting.length >= MOST_WAITING) this.#carry();
  }

  // The change that takes back the last own edit. `inverse` says what would take back that change.
  undo(inverse: Inverse): Changeset | null {
    this.#carry();
    return this.#move(this.#undo, this.#redo, inverse);
  }

  redo(inverse: Inverse): Changeset | null {
    this.#carry();
    return this.#move(this.#redo, this.#undo, inverse);
  }

  clear(): void {
    this.#undo = [];
    this.#redo = [];
    this.#waiting = [];
  }

  #move(from: Step[], to: Step[], inverse: Inverse): Changeset | null {
    this.#groupOpen = false;
    // What others have deleted altogether leaves nothing to take back.
    for (let step = from.pop(); step; step = from.pop()) {
      if (isIdentity(step.back)) continue;
      to.push({ ...step, back: inverse(step.back, step.kind) });
      return step.back;
    }
    return null;
  }

  #carry(): void {
    if (this.#waiting.length === 0) return;
    const others = this.#composed(this.#waiting);
    this.#waiting = [];
    this.#undo = this.#carried(this.#undo, others);
    this.#redo = this.#carried(this.#redo, others);
  }

  // By halves, so that many small changes do not cost as their square.
  #composed(changes: readonly Changeset[]): Changeset {
    if (changes.length === 1) return changes[0] as Changeset;
    const middle = changes.length >> 1;
    const first = this.#composed(changes.slice(0, middle));
    return compose(first, this.#composed(changes.slice(middle)), this.#pool);
  }

  #carried(steps: readonly Step[], others: Changeset): Step[] {
    let change = others;
    const carried: Step[] = [];
    for (const step of steps.toReversed()) {
      const back = follow(change, step.back, false, this.#pool);
      change = follow(step.back, change, true, this.#pool);
      carried.push({ ...step, back });
    }
    return carried.reverse();
  }
}

function unitsOf({ ops }: Changeset, opcode: '+' | '-'): number {
  return ops.reduce((sum, op) => (op.opcode === opcode ? sum + op.chars : sum), 0);
}
