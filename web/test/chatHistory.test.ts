// The chat as it was at a moment, of which few pages are asked for.

import { expect, test } from 'vitest';
import { ChatHistory, PAGE_MESSAGES } from '../src/history/chatHistory.ts';

// A chat whose messages were sent at 10, 20, 30 …
function chat(count: number) {
  let asked = 0;
  let waiting: [number, number] | null = null;
  const chatHistory = new ChatHistory((first, last) => {
    asked++;
    expect(waiting).toBeNull();
    waiting = [first, last];
  });
  const message = (number: number) => ({
    text: `${number}`,
    time: (number + 1) * 10,
    authorId: null,
    name: null,
  });
  const answer = () => {
    while (waiting) {
      const [first, last] = waiting;
      waiting = null;
      expect(last - first).toBeLessThan(PAGE_MESSAGES);
      const numbers = Array.from({ length: last - first + 1 }, (_, at) => first + at);
      chatHistory.answered(numbers.map(message));
    }
  };
  const at = (moment: number) => {
    chatHistory.upTo(moment);
    answer();
    return chatHistory.said.value?.map(({ text }) => Number(text));
  };
  chatHistory.joined(count);
  return { chatHistory, at, answer, asked: () => asked };
}

test('nothing is asked while nobody looks, or where nothing was said', () => {
  expect(chat(1000).asked()).toBe(0);
  const quiet = chat(0);
  expect(quiet.at(1e9)).toEqual([]);
  expect(quiet.asked()).toBe(0);
});

test('what had been said by then ends with the last message before it', () => {
  for (const count of [1, 49, 50, 51, 100, 1234]) {
    const { at } = chat(count);
    for (const moment of [0, 9, 10, 11, 499, 500, 501, 510, 1000, 6170, 1e9]) {
      const known = Math.min(Math.floor(moment / 10), count);
      const said = at(moment) ?? [];
      expect(said.at(-1) ?? -1, `${count} at ${moment}`).toBe(known - 1);
      expect(said.length).toBeGreaterThanOrEqual(Math.min(known, PAGE_MESSAGES));
      expect(said).toEqual(said.map((_, at) => known - said.length + at));
    }
  }
});

test('a long chat is not read as a whole', () => {
  const long = chat(100_000);
  expect(long.at(123_450)?.at(-1)).toBe(12_344);
  expect(long.asked()).toBeLessThan(15);
});

test('what is said meanwhile is there at the end', () => {
  const { chatHistory, at, answer } = chat(50);
  expect(at(Infinity)?.at(-1)).toBe(49);
  chatHistory.grew();
  answer();
  expect(chatHistory.said.value?.at(-1)?.text).toBe('50');
  chatHistory.grew();
  answer();
  expect(chatHistory.said.value?.at(-1)?.text).toBe('51');
});
