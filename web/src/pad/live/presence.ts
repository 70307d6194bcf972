// Who is here, who has written here, and where everybody is.
//
// Invariant: places of others live in the editor's state, which carries them through every change;
// here is only who they belong to and since when.

import { type ReadonlySignal, signal } from '@preact/signals';
import type { Changeset } from '../../changeset/index.ts';
import { type AuthorLook, type Authors, authorsChanged } from '../../editor/authors.ts';
import { type RemoteCursor, remoteCursors, setCursors } from '../../editor/cursors.ts';
import type { PadEditor } from '../../editor/setup.ts';
import type { AuthorInfo } from '../../net/messages.ts';
import type { Person } from '../live.ts';

const TYPING_MS = 2_000;
const NAMED_MS = 2_000;
const NO_COLOUR = '#888888';

interface Span {
  readonly place: number;
  readonly anchor: number;
}

interface Activity {
  typed: number;
  moved: number;
  // When they came to this line, or came back to life.
  began: number;
}

export class Presence {
  readonly #people = signal<readonly Person[]>([]);
  readonly #self = signal<Person | null>(null);
  readonly #authors: Authors;
  readonly #known = new Map<string, AuthorInfo>();
  readonly #here = new Set<string>();
  readonly #activity = new Map<string, Activity>();
  readonly #changed: () => void;
  #palette: readonly string[] = [];
  #selfId = '';
  #fade: boolean;
  #editor: PadEditor | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(authors: Authors, fade: boolean, changed: () => void) {
    this.#authors = authors;
    this.#fade = fade;
    this.#changed = changed;
  }

  get people(): ReadonlySignal<readonly Person[]> {
    return this.#people;
  }

  get self(): ReadonlySignal<Person | null> {
    return this.#self;
  }

  joined(
    selfId: string,
    self: AuthorInfo,
    authors: ReadonlyMap<string, AuthorInfo>,
    palette: readonly string[],
  ): void {
    this.#selfId = selfId;
    this.#palette = palette;
    for (const [id, info] of authors) this.#known.set(id, info);
    this.#known.set(selfId, self);
    this.#here.clear();
    this.#here.add(selfId);
    this.#refresh();
  }

  // Sent to the others again after a reconnect.
  reconnected(): void {
    this.#here.clear();
    this.#here.add(this.#selfId);
  }

  attach(editor: PadEditor): void {
    this.#editor = editor;
  }

  set fade(fade: boolean) {
    this.#fade = fade;
    this.#refresh();
  }

  // Says whether they are new here.
  arrived(id: string, info: AuthorInfo): boolean {
    const fresh = !this.#here.has(id);
    this.#known.set(id, info);
    this.#here.add(id);
    this.#refresh();
    return fresh;
  }

  left(id: string): void {
    this.#here.delete(id);
    this.#activity.delete(id);
    this.#show(this.#cursors().filter(({ author }) => author !== id));
    this.#refresh();
  }

  // They have others here.
  windowClosed(id: string, window: number): void {
    this.#show(this.#cursors().filter((it) => it.author !== id || it.window !== window));
    this.#refresh();
  }

  describe(id: string | null): { name: string | null; colour: string } {
    const info = id === null ? undefined : this.#known.get(id);
    return { name: info?.name ?? null, colour: this.#colourOf(info?.colour) };
  }

  // Somebody is at a place of the visible text, with all selected from `anchor` on.
  moved(id: string, at: number, cursor: Span, typed: boolean): void {
    // Where the window is not known, it is the one that was heard of last.
    const window = at || this.#cursorOf(id)?.window || 0;
    if (!this.#here.has(id) || (id === this.#selfId && window === 0)) return;
    const now = performance.now();
    const { place } = cursor;
    const before = this.#activity.get(id);
    // A name stands over the line above, so it does not stay for as long as somebody types.
    const known = before && now - before.moved < NAMED_MS && this.#sameLine(id, place);
    this.#activity.set(id, {
      typed: typed ? now : (before?.typed ?? -TYPING_MS),
      moved: now,
      began: known ? before.began : now,
    });
    this.#place(id, window, cursor, now);
    this.#refresh();
  }

  placeOf(id: string): number | null {
    return this.#cursorOf(id)?.place ?? null;
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  // The newest one comes first.
  #cursorOf(id: string): RemoteCursor | undefined {
    return this.#cursors().find(({ author }) => author === id);
  }

  #cursors(): readonly RemoteCursor[] {
    return this.#editor?.view.state.field(remoteCursors) ?? [];
  }

  #sameLine(id: string, place: number): boolean {
    const before = this.placeOf(id);
    const doc = this.#editor?.view.state.doc;
    if (before === null || !doc) return false;
    return doc.lineAt(before).number === doc.lineAt(Math.min(place, doc.length)).number;
  }

  #isNamed(id: string, now: number): boolean {
    return now - (this.#activity.get(id)?.began ?? -NAMED_MS) < NAMED_MS;
  }

  #place(author: string, window: number, { place, anchor }: Span, now: number): void {
    if (!this.#editor) return;
    const isOther = (cursor: RemoteCursor) =>
      cursor.author !== author || (cursor.window !== window && cursor.window !== 0);
    const length = this.#editor.view.state.doc.length;
    const named = this.#isNamed(author, now);
    const inText = (at: number) => Math.min(at, length);
    const own = { author, window, place: inText(place), anchor: inText(anchor), named };
    this.#show([own, ...this.#cursors().filter(isOther)]);
  }

  #show(cursors: readonly RemoteCursor[]): void {
    this.#editor?.view.dispatch({ effects: setCursors.of(cursors) });
  }

  #refresh(): void {
    clearTimeout(this.#timer);
    const now = performance.now();
    const people = [...this.#here].map((id): Person => {
      const self = id === this.#selfId;
      const place = self ? null : this.placeOf(id);
      const typed = this.#activity.get(id)?.typed ?? -TYPING_MS;
      return {
        id,
        ...this.describe(id),
        self,
        typing: !self && now - typed < TYPING_MS,
        line: place === null ? null : (this.#editor?.view.state.doc.lineAt(place).number ?? null),
      };
    });
    if (!same(people, this.#people.peek())) {
      this.#people.value = people;
      this.#self.value = people.find((person) => person.self) ?? null;
    }
    this.#paint();
    this.#fadeNames(now);
    const active = [...this.#activity.values()].some(({ moved }) => now - moved < NAMED_MS);
    if (active) this.#timer = setTimeout(() => this.#refresh(), 500);
  }

  #paint(): void {
    const looks = new Map<string, AuthorLook>();
    for (const [id, info] of this.#known) {
      const faded = this.#fade && !this.#here.has(id);
      looks.set(id, { name: info.name, colour: this.#colourOf(info.colour), faded });
    }
    if (!this.#authors.set(looks)) return;
    this.#editor?.view.dispatch({ effects: authorsChanged.of(null) });
    this.#changed();
  }

  #fadeNames(now: number): void {
    const cursors = this.#cursors();
    const faded = cursors.map((cursor) => {
      const named = this.#isNamed(cursor.author, now);
      return cursor.named === named ? cursor : { ...cursor, named };
    });
    if (faded.some((cursor, i) => cursor !== cursors[i])) this.#show(faded);
  }

  #colourOf(colour: string | number | undefined): string {
    const named = typeof colour === 'number' ? this.#palette[colour] : colour;
    return named || NO_COLOUR;
  }
}

function same(a: readonly Person[], b: readonly Person[]): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

// Where in the text after it a change was made last: behind what it put in.
export function placeOfChange(change: Changeset): number | null {
  let at = 0;
  let place: number | null = null;
  for (const { opcode, chars } of change.ops) {
    if (opcode !== '-') at += chars;
    if (opcode !== '=') place = at;
  }
  return place;
}
