// What a pad is, seen by people and by the server: text with all of its formatting.

import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import { parseAttribs, parseOps } from '../src/changeset/index.ts';
import { visitor } from './pad.ts';

// Of how a text is drawn: what differs between screens. Colours of code are a matter of each screen,
// and do not come without a network.
const OWN = /^(?:cm-|tok-|pad-author|pad-(?:by|also|new)$|(?:by-|also-)?author-\d|pad-mention-me)/
  .source;

// What is on the screen: of each line its kind, and its pieces with all that is drawn around them.
export function seen(page: Page): Promise<string[]> {
  return page.locator('.cm-content').evaluate((content, own) => {
    const isOwn = new RegExp(own);
    const signOf = (element: Element) => {
      const shared = [...element.classList].filter((name) => !isOwn.test(name));
      const tag = /^(?:DIV|SPAN)$/.test(element.tagName) ? '' : element.tagName.toLowerCase();
      return [tag, ...shared.sort()].filter(Boolean).join('.');
    };
    const pieceOf = (node: Node, line: Element) => {
      let around = '';
      for (let it = node.parentElement; it && it !== line; it = it.parentElement) {
        around = `${signOf(it)} ${around}`.trim();
      }
      return { around, text: node.nodeValue ?? '' };
    };
    return [...content.querySelectorAll('.cm-line')].map((line) => {
      const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
      const pieces: { around: string; text: string }[] = [];
      while (walker.nextNode()) {
        const piece = pieceOf(walker.currentNode, line);
        const last = pieces.at(-1);
        if (last?.around === piece.around) last.text += piece.text;
        else if (piece.text) pieces.push(piece);
      }
      return `${signOf(line)}: ${pieces.map(({ around, text }) => `[${around}]${text}`).join('')}`;
    });
  }, OWN);
}

interface Exported {
  readonly atext: { readonly text: string; readonly attribs: string };
  readonly pool: { readonly numToAttrib: Readonly<Record<string, readonly [string, string]>> };
}

// What is stored: each piece of the text with its attributes, but for its author.
export async function stored(url: string, pad: string): Promise<string[]> {
  const answer = await fetch(`${url}p/${pad}/export/etherpad`);
  const records = (await answer.json()) as Record<string, Exported>;
  const { atext, pool } = records[`pad:${pad}`] as Exported;
  const pieces: { attributes: string; text: string }[] = [];
  let at = 0;
  for (const { chars, attribs } of parseOps(atext.attribs)) {
    const attributes = parseAttribs(attribs)
      .map((number) => pool.numToAttrib[number]?.join('=') ?? '?')
      .filter((pair) => !/^(?:author|insertorder|lmkr)=/.test(pair))
      .sort()
      .join(' ');
    const text = atext.text.slice(at, at + chars);
    at += chars;
    const last = pieces.at(-1);
    if (last?.attributes === attributes) last.text += text;
    else pieces.push({ attributes, text });
  }
  return pieces.map(({ attributes, text }) => `[${attributes}]${text}`);
}

// All people, and somebody who comes later, come to see the same, which has these words.
export async function expectSame(
  browser: Browser,
  url: string,
  pad: string,
  pages: readonly Page[],
  words: readonly string[],
): Promise<string[]> {
  const state = async () => {
    const all = await Promise.all(pages.map(seen));
    const isSame = all.every((one) => JSON.stringify(one) === JSON.stringify(all[0]));
    const lacks = words.filter((word) => !all.every((lines) => lines.join('\n').includes(word)));
    return isSame && lacks.length === 0 ? 'the same' : { lacks, all };
  };
  await expect.poll(state).toBe('the same');
  const [first] = pages as [Page];
  const later = await visitor(browser, pad, {}, url);
  await expect.poll(() => seen(later.page)).toEqual(await seen(first));
  await later.context.close();
  return seen(first);
}
