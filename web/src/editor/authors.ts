// Who wrote what, as classes: one per author, in one stylesheet of our own.
//
// Invariant: no colour is ever written into the text's elements, so the page's policy needs no
// exception, and a change of colour touches one rule.

import { StateEffect } from '@codemirror/state';

export interface AuthorLook {
  readonly name: string | null;
  // `#rrggbb`
  readonly colour: string;
  // Somebody who is not here now, when such are shown paler.
  readonly faded: boolean;
}

// Names or colours are different now: whatever shows them is redrawn.
export const authorsChanged = StateEffect.define<null>();

const HEX = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i;

export class Authors {
  readonly #sheet = new CSSStyleSheet();
  readonly #classes = new Map<string, string>();
  readonly #looks = new Map<string, AuthorLook>();

  constructor() {
    document.adoptedStyleSheets.push(this.#sheet);
  }

  // The class of an author, whose colour may come later.
  classOf(id: string): string {
    let name = this.#classes.get(id);
    if (name === undefined) {
      name = `author-${this.#classes.size}`;
      this.#classes.set(id, name);
    }
    return name;
  }

  lookOf(id: string): AuthorLook | undefined {
    return this.#looks.get(id);
  }

  all(): ReadonlyMap<string, AuthorLook> {
    return this.#looks;
  }

  // Says whether anything changed.
  set(looks: ReadonlyMap<string, AuthorLook>): boolean {
    const same = [...looks].every(([id, look]) => sameLook(this.#looks.get(id), look));
    if (same) return false;
    for (const [id, look] of looks) this.#looks.set(id, look);
    const rules = [...this.#looks].map(([id, { colour, faded }]) => {
      const safe = HEX.test(colour) ? colour : '#888888';
      const name = this.classOf(id);
      const fade = `--author-fade:${faded ? 0.5 : 1}`;
      // A line has a main writer and perhaps another one, beside the writers of its parts.
      return `.${name}{--author:${safe};${fade}}.by-${name}{--by:${safe};${fade}}.also-${name}{--also:${safe}}`;
    });
    this.#sheet.replaceSync(rules.join('\n'));
    return true;
  }

  remove(): void {
    const others = document.adoptedStyleSheets.filter((sheet) => sheet !== this.#sheet);
    document.adoptedStyleSheets = others;
  }
}

function sameLook(a: AuthorLook | undefined, b: AuthorLook): boolean {
  return a?.name === b.name && a.colour === b.colour && a.faded === b.faded;
}
