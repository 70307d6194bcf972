// Sets of attributes by small numbers, so that a run of text is two integers.
//
// Invariant: a number, once given, means the same set for ever; 0 is the empty set. All sets of a
// page share one pool.

import {
  type Attribs,
  type Attribute,
  composeAttribs,
  type Pool,
  parseAttribs,
} from '../changeset/index.ts';

export type SetId = number;

// Whose name no page may put on text, not even on what had it before.
export const SYSTEM_AUTHOR = 'a.padsvc-system';

export class AttributeSets {
  readonly pool: Pool;
  readonly #attribs: Attribs[] = [''];
  readonly #ids = new Map<Attribs, SetId>([['', 0]]);
  readonly #maps: (ReadonlyMap<string, string> | undefined)[] = [];
  readonly #restyled = new Map<string, SetId>();

  constructor(pool: Pool) {
    this.pool = pool;
  }

  id(attribs: Attribs): SetId {
    const known = this.#ids.get(attribs);
    if (known !== undefined) return known;
    const id = this.#attribs.length;
    this.#attribs.push(attribs);
    this.#ids.set(attribs, id);
    return id;
  }

  attribs(id: SetId): Attribs {
    return this.#attribs[id] ?? '';
  }

  // What the set holds, by key.
  map(id: SetId): ReadonlyMap<string, string> {
    const known = this.#maps[id];
    if (known) return known;
    const map = new Map<string, string>();
    for (const number of parseAttribs(this.attribs(id))) {
      const attribute = this.pool.get(number);
      if (attribute && attribute[1] !== '') map.set(...attribute);
    }
    this.#maps[id] = map;
    return map;
  }

  // The set of new text with these attributes.
  ofInsert(attribs: Attribs): SetId {
    return this.restyled(0, attribs);
  }

  // The set that text of set `id` has after a restyling.
  restyled(id: SetId, attribs: Attribs): SetId {
    const key = `${id}/${attribs}`;
    const known = this.#restyled.get(key);
    if (known !== undefined) return known;
    const result = this.id(composeAttribs(this.attribs(id), attribs, false, this.pool));
    this.#restyled.set(key, result);
    return result;
  }

  // A list for new text.
  insertOf(attributes: Iterable<Attribute>): Attribs {
    return this.pool.attribsOfInsert([...attributes]);
  }

  // A list for kept text, where an empty value takes the key away.
  restyleOf(attributes: Readonly<Record<string, string>>): Attribs {
    return Object.keys(attributes)
      .sort()
      .map((key) => `*${this.pool.intern([key, attributes[key] ?? '']).toString(36)}`)
      .join('');
  }
}
