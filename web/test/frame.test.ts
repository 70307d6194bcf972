// What the frame decides by itself: options of the address, who has a say in how a pad looks, links
// in messages, what is kept in the browser.

import { describe, expect, test } from 'vitest';
import { keysOf, shortcutText } from '../src/a11y/shortcuts.ts';
import { splitLinks } from '../src/pad/links.ts';
import type { PadOptions } from '../src/pad/live.ts';
import { safeAddress } from '../src/pad/notices/address.ts';
import { readParameters, readServerOptions } from '../src/pad/parameters.ts';
import { FONTS, resolveView, type Says } from '../src/pad/view.ts';
import { checkPrefs } from '../src/prefs/prefs.ts';
import { initials, isColour, longColour } from '../src/theme/colour.ts';

const options: PadOptions = {
  enforceSettings: false,
  showChat: true,
  alwaysShowChat: false,
  chatAndUsers: false,
  lang: null,
  view: {
    showAuthorColors: true,
    showLineNumbers: true,
    rtlIsTrue: false,
    fadeInactiveAuthorColors: true,
    padFontFamily: '',
  },
};
const says = (change: Partial<Says>): Says => ({
  parameters: {},
  prefs: {},
  options,
  server: {},
  ...change,
});

describe('options in the address', () => {
  test('are true, false or not there', () => {
    const query = '?showChat=false&rtl=true&noColors=yes&userName=%20Ada%20&lang=de&userColor=';
    expect(readParameters(query)).toEqual({
      showChat: false,
      rtl: true,
      userName: 'Ada',
      lang: 'de',
    });
  });

  test('of the server are the same ones', () => {
    const given = { noColors: true, showChat: false, userName: null, lang: 'fr', unknown: 1 };
    expect(readServerOptions(given)).toEqual({ noColors: true, showChat: false, lang: 'fr' });
  });
});

describe('who has a say', () => {
  test('nobody: the defaults', () => {
    const view = resolveView(says({ options: null }));
    expect(view).toMatchObject({ controls: true, chat: true, chatOpen: false });
    expect(view.look).toMatchObject({ lineNumbers: false, authorship: 'stripe', font: '' });
  });

  test('the visitor goes before the pad, and the address before the visitor', () => {
    const without = { ...options, view: { ...options.view, showLineNumbers: false } };
    const numbers = (change: Partial<Says>) => resolveView(says(change)).look.lineNumbers;
    expect(numbers({ options: without })).toBe(false);
    expect(numbers({ options: without, prefs: { lineNumbers: true } })).toBe(true);
    expect(numbers({ prefs: { lineNumbers: true }, parameters: { showLineNumbers: false } })).toBe(
      false,
    );
  });

  test('what the creator has fixed goes before the visitor, but not the size of letters', () => {
    const fixed = { ...options, enforceSettings: true };
    const prefs = { lineNumbers: false, authorship: 'off', size: 24 } as const;
    const { look } = resolveView(says({ options: fixed, prefs }));
    expect(look).toMatchObject({ lineNumbers: true, authorship: 'stripe', size: 24 });
  });

  test('colours, fonts and directions', () => {
    const look = (change: Partial<Says>) => resolveView(says(change)).look;
    expect(look({ server: { noColors: true } }).authorship).toBe('off');
    expect(look({ parameters: { noColors: false }, prefs: { authorship: 'off' } }).authorship).toBe(
      'stripe',
    );
    // Colours exactly as they were chosen are shown in full, and who chose something keeps it.
    expect(look({ server: { enforceReadableAuthorColors: false } }).authorship).toBe('background');
    expect(look({ prefs: { authorship: 'background' } }).authorship).toBe('background');
    expect(look({ parameters: { useMonospaceFont: true } }).font).toBe(FONTS.monospace);
    const font = (padFontFamily: string) =>
      look({ options: { ...options, view: { ...options.view, padFontFamily } } }).font;
    expect(font('RobotoMono')).toBe(FONTS.monospace);
    expect(font('Garamond')).toBe('Garamond');
    expect(font('x;} body{display:none')).toBe('');
    expect(look({ parameters: { rtl: true } }).direction).toBe('rtl');
    expect(look({ server: { enforceReadableAuthorColors: false } }).readable).toBe(false);
    expect(look({ parameters: { rtl: true, noColors: true } }).authorship).toBe('off');
  });
});

test('a server can ask for the chat, with people; the address goes before it', () => {
  const chat = (change: Partial<Says>) => {
    const { chatOpen, chatAndUsers } = resolveView(says(change));
    return { chatOpen, chatAndUsers };
  };
  expect(chat({})).toEqual({ chatOpen: false, chatAndUsers: false });
  expect(chat({ server: { alwaysShowChat: true } })).toEqual({
    chatOpen: true,
    chatAndUsers: false,
  });
  expect(chat({ server: { chatAndUsers: true } })).toEqual({ chatOpen: true, chatAndUsers: true });
  const address = { alwaysShowChat: false, chatAndUsers: false };
  expect(chat({ server: { chatAndUsers: true }, parameters: address })).toEqual({
    chatOpen: false,
    chatAndUsers: false,
  });
});

describe('links in messages', () => {
  const links = (text: string) =>
    splitLinks(text)
      .filter((part) => part.href)
      .map((part) => part.href);

  test('are found, without the sentence around them', () => {
    expect(links('see https://a.example/x?y=1#z, and www.b.example.')).toEqual([
      'https://a.example/x?y=1#z',
      'https://www.b.example',
    ]);
    expect(links('(https://a.example/a_(b))')).toEqual(['https://a.example/a_(b)']);
    expect(links('write to mailto:ada@a.example!')).toEqual(['mailto:ada@a.example']);
  });

  test('are nothing but addresses of pages and of people', () => {
    expect(links('javascript:alert(1) data:text/html,x file:///etc ftp://x')).toEqual([]);
    expect(links('http://')).toEqual([]);
  });

  test('lose no letter', () => {
    for (const text of ['', 'a', 'x https://a.b… y', '<i>http://a.b</i>', 'http://a http://b']) {
      expect(
        splitLinks(text)
          .map((part) => part.text)
          .join(''),
      ).toBe(text);
    }
  });

  test('of the privacy notice too', () => {
    expect(safeAddress('https://a.example')).toBe('https://a.example');
    expect(safeAddress('mailto:a@b.example')).toBe('mailto:a@b.example');
    for (const bad of ['javascript:alert(1)', 'nonsense', '', null]) {
      expect(safeAddress(bad)).toBe(null);
    }
  });
});

describe('what the browser kept', () => {
  test('is checked member by member', () => {
    const record = {
      lineNumbers: false,
      size: 18,
      theme: 'pink',
      font: 'a;b{}',
      other: 1,
      fade: 0,
    };
    expect(checkPrefs(record)).toEqual({ lineNumbers: false, size: 18 });
    for (const odd of [null, 7, 'x', []]) expect(checkPrefs(odd)).toEqual({});
  });
});

describe('people', () => {
  test('have colours and letters', () => {
    expect(['#fff', '#A0b1C2', 'red', '#ffff', '#ggg'].filter(isColour)).toEqual([
      '#fff',
      '#A0b1C2',
    ]);
    expect(longColour('#aBc')).toBe('#aabbcc');
    expect(initials('ada  lovelace king')).toBe('AK');
    expect(initials('ada')).toBe('A');
    expect(initials('😀 smile')).toBe('😀S');
  });
});

test('keys are written as the machine calls them', () => {
  expect(shortcutText('Ctrl+Shift+L', false)).toBe('Ctrl+Shift+L');
  expect(shortcutText('Ctrl+Shift+L', true)).toBe('⌘⇧L');
  expect(keysOf('F6', true)).toEqual(['F6']);
});
