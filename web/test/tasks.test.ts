// Lines that are tasks: how they are read, how deep they are, and their HTML.

import { describe, expect, test } from 'vitest';
import { toHtml } from '../src/document/html.ts';
import { depthOf, formatOf, PLAIN, type Task, taskList } from '../src/document/lines.ts';

describe('tasks', () => {
  test.each([
    [{ 'tasklist-not-done': 'tasklist-not-done' }, 'open', 1],
    [{ 'tasklist-done': 'tasklist-done', list: 'indent2' }, 'done', 3],
    [{ 'checklist-done': 'checklist-done' }, 'done', 1],
    [{ 'checklist-not-done': 'true' }, 'open', 1],
    [{ 'tasklist-done': 'tasklist-done', list: 'indent16' }, 'done', 16],
    [{ list: 'bullet2' }, null, 2],
    [{ heading: 'h1' }, null, 0],
  ] as const)('%j', (attributes, task, depth) => {
    const format = formatOf(new Map(Object.entries(attributes)));
    expect(format.task).toBe(task);
    expect(depthOf(format)).toBe(depth);
  });

  test('become nested HTML with boxes', () => {
    const line = (text: string, task: Task, depth: number) => ({
      ...PLAIN,
      task,
      list: taskList(depth),
      pieces: [{ text, formats: new Map() }],
    });
    expect(toHtml([line('a', 'open', 1), line('b', 'done', 2)])).toBe(
      '<ul><li><input type="checkbox" disabled> a<ul><li><input type="checkbox" checked disabled> b</li></ul></li></ul>',
    );
  });
});
