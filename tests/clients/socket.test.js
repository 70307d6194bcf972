// Clients of the socket that others have written, as they are: socket.io-client over each of its
// transports, and etherpad-cli-client.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import cli from 'etherpad-cli-client';
import { Typist } from './typist.js';

const { PADSVC_URL, PADSVC_APIKEY } = process.env;
// A message that does not come is a failure and not a hang.
const patience = { timeout: 300_000 };

async function call(name, fields) {
  const answer = await fetch(`${PADSVC_URL}api/1.3.1/${name}`, {
    method: 'POST',
    headers: { apikey: PADSVC_APIKEY, 'content-type': 'application/json' },
    body: JSON.stringify(fields),
  });
  const { code, message, data } = await answer.json();
  assert.equal(code, 0, message);
  return data;
}

const token = (person) => `t.${String(person).padStart(20, '0')}`;

test('people on all transports type at once and see the same', patience, async () => {
  const padID = 'js-transports';
  const before = 'First line\nsecond 😀 line\nthird';
  const written = [];
  await call('createPad', { padID, text: before });
  const choices = [['websocket'], ['polling'], undefined, ['polling'], ['websocket']];
  const typists = await Promise.all(
    choices.map((transports, person) => Typist.join(PADSVC_URL, padID, token(person), transports)),
  );
  const rounds = 8;
  await Promise.all(
    typists.map(async (typist, person) => {
      for (let round = 0; round < rounds; round += 1) {
        // Everywhere but in the middle of an emoji, which is two units.
        let at = (person * 7 + round * 3) % typist.text.length;
        if (/[\udc00-\udfff]/.test(typist.text[at])) at -= 1;
        written.push(`<${person}.${round}>`);
        await typist.type(at, written.at(-1));
      }
    }),
  );
  const head = rounds * typists.length;
  await Promise.all(typists.map((typist) => typist.until(() => typist.rev === head)));
  const { text } = await call('getText', { padID });
  for (const typist of typists) assert.equal(typist.text, text);
  // Nothing is lost and nothing is twice there, though people write into each other's words.
  const letters = (string) => [...string].sort().join('');
  assert.equal(letters(text), letters(`${before}${written.join('')}\n`));
  // Who may choose begins by polling, and goes on over a websocket in its own time.
  const { engine } = typists[2].socket.io;
  while (engine.transport.name !== 'websocket') await once(engine, 'upgrade');
  const transports = typists.map((typist) => typist.transport);
  assert.deepEqual(transports, ['websocket', 'polling', 'websocket', 'polling', 'websocket']);
  for (const typist of typists) typist.close();
});

test('etherpad-cli-client follows what others write', patience, async () => {
  const padID = 'js-cli';
  await call('createPad', { padID, text: 'Before' });
  const reader = cli.connect(`${PADSVC_URL}p/${padID}`);
  const [state] = await once(reader, 'connected');
  assert.equal(state.padId, padID);
  const typist = await Typist.join(PADSVC_URL, padID, token(9), ['websocket']);
  // It tells the text after every change that it has applied. The other client reads along, and
  // the server shows lists in words of its own.
  const follows = async (change) => {
    const told = once(reader, 'newContents');
    const rev = typist.rev + 1;
    await change();
    await typist.until(() => typist.rev === rev);
    const [{ text }] = await told;
    assert.equal(text, typist.text);
  };
  await follows(() => typist.type(0, 'Hello! '));
  await follows(() => typist.type(3, 'Grüße, 你好\n😀\n'));
  await follows(() => call('appendText', { padID, text: 'after\nmore' }));
  await follows(() => call('setText', { padID, text: 'Something else\n\nentirely' }));
  await follows(() => call('setHTML', { padID, html: '<ul><li>a</li><li><b>b</b></li></ul>' }));
  await follows(() => call('restoreRevision', { padID, rev: 2 }));
  for (let round = 0; round < 10; round += 1) {
    await follows(() => typist.type(round, `${round}`));
  }
  assert.equal(typist.text, (await call('getText', { padID })).text);
  typist.close();
  // Deleting the pad sends everybody away, this client too.
  const left = once(reader, 'disconnect');
  await call('deletePad', { padID });
  await left;
});

// All that Etherpad itself does not know, as its clients meet it.
const FORMATTED = `
<h2>Plan</h2>
<p>See <a href="https://example.org/">here</a> or <code>x</code>, <mark class="highlight:pink">pink</mark>,
<span class="color:red">red</span>, m<sup>2</sup>, H<sub>2</sub>O and so on</p>
<ul><li><input type="checkbox" checked>baked</li><li><input type="checkbox">raw</li></ul>
<blockquote>said</blockquote>
<pre><code class="language-rust">let x;</code></pre>
<hr><p>end</p>`;

test('clients of Etherpad edit formatted text, and all of it stays formatted', patience, async () => {
  const padID = 'js-formatted';
  await call('createPad', { padID, text: '' });
  const form = new FormData();
  form.append('file', new Blob([FORMATTED]), 'plan.html');
  const imported = await fetch(`${PADSVC_URL}p/${padID}/import`, { method: 'POST', body: form });
  assert.equal(imported.status, 200, await imported.text());
  const exported = async () => (await fetch(`${PADSVC_URL}p/${padID}/export/html`)).text();
  let expected = await exported();
  for (const part of ['<h2>', '<code>', 'highlight:pink', 'color:red', '<sup>', '<sub>', '<hr>']) {
    assert.ok(expected.includes(part), `${part} in ${expected}`);
  }
  const reader = cli.connect(`${PADSVC_URL}p/${padID}`);
  await once(reader, 'connected');
  const typist = await Typist.join(PADSVC_URL, padID, token(10), ['websocket']);
  for (const word of ['Plan', 'See', 'and', 'baked', 'raw', 'said', 'let', 'end']) {
    const told = once(reader, 'newContents');
    await typist.type(typist.text.indexOf(word) + 1, '+typed+');
    assert.equal((await told)[0].text, typist.text);
    expected = expected.replace(word, `${word[0]}+typed+${word.slice(1)}`);
  }
  assert.equal(await exported(), expected);
  typist.close();
  const left = once(reader, 'disconnect');
  await call('deletePad', { padID });
  await left;
});
