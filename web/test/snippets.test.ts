// Calls as text: whatever a value holds, it stays one.

import { expect, test } from 'vitest';
import { type Call, LANGUAGES, type Language, snippet } from '../src/api-docs/snippets.ts';

const call: Call = {
  path: 'api/1.3.1/setText',
  values: [
    ['padID', 'notes'],
    ['text', `it's\n"so"`],
  ],
  hasKey: true,
};

test.each([
  [
    'curl',
    `curl -H "apikey: $APIKEY" \\
  --data-urlencode 'padID=notes' \\
  --data-urlencode 'text=it'\\''s
"so"' \\
  "$PADSVC/api/1.3.1/setText"`,
  ],
  [
    'python',
    `import json, os, urllib.parse, urllib.request

data = {
    "padID": "notes",
    "text": "it's\\n\\"so\\"",
}
request = urllib.request.Request(
    "https://pads.example/api/1.3.1/setText",
    urllib.parse.urlencode(data).encode(),
    {"apikey": os.environ["APIKEY"]},
)
with urllib.request.urlopen(request) as answer:
    print(json.load(answer))`,
  ],
  [
    'javascript',
    `const answer = await fetch("https://pads.example/api/1.3.1/setText", {
  method: 'POST',
  headers: { apikey: process.env.APIKEY },
  body: new URLSearchParams({
    padID: "notes",
    text: "it's\\n\\"so\\"",
  }),
});
console.log(await answer.json());`,
  ],
] as const)('%s', (language, text) => {
  expect(snippet(language, call, 'https://pads.example')).toBe(text);
});

test.each(Object.keys(LANGUAGES) as Language[])('%s without a key or values', (language) => {
  const open = { path: 'api/1.3.1/x', values: [], hasKey: false };
  expect(snippet(language, open, 'https://pads.example')).not.toMatch(/apikey/i);
});
