// The module `padsvc`, which the part of a plugin that runs in the page imports: the import map of
// the pad page leads here.

import type { Setup } from './api.ts';

export type * from './api.ts';

// The version of the interface. What is in the first number stays as it is.
export const version = '1.0.0';

export function definePlugin(setup: Setup): Setup {
  return setup;
}

type Child = Node | string | readonly Child[];

// An element with attributes and children. Texts become text, never markup, and code in attributes
// is refused: that is what listeners are for, and the policy of the page would not run it.
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string | number | boolean>> = {},
  children: Child = [],
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (/^on|^style$|^srcdoc$/i.test(key)) throw new Error(`${key} is no attribute for a plugin`);
    if (/^\s*javascript:/i.test(String(value))) throw new Error('a script is no address');
    if (value === true) made.setAttribute(key, '');
    else if (value !== false) made.setAttribute(key, String(value));
  }
  made.append(...flat(children));
  return made;
}

function flat(child: Child): (Node | string)[] {
  return Array.isArray(child) ? child.flatMap(flat) : [child as Node | string];
}
