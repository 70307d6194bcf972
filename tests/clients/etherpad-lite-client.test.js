// The npm package etherpad-lite-client, as it is, through what an application usually does: give a
// user of its own access to a pad of a group, then write, chat, list and clean up.
//
// The package asks with GET and speaks version 1.2.12.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { promisify } from 'node:util';
import etherpad from 'etherpad-lite-client';

const { PADSVC_URL, PADSVC_APIKEY } = process.env;
const { hostname: host, port } = new URL(PADSVC_URL);

// The package calls back; promises read better.
function connect(apikey) {
  const api = etherpad.connect({ apikey, host, port });
  return new Proxy(api, { get: (target, name) => promisify(target[name]) });
}

const api = connect(PADSVC_APIKEY);
const inAnHour = Math.floor(Date.now() / 1000) + 3600;

test('a user gets into a pad of a group, and everything is cleaned up', async () => {
  const { authorID } = await api.createAuthorIfNotExistsFor({ authorMapper: 'js-7', name: 'Ada' });
  const again = await api.createAuthorIfNotExistsFor({ authorMapper: 'js-7', name: 'Ada' });
  assert.match(authorID, /^a\.[0-9A-Za-z]{16}$/);
  assert.equal(again.authorID, authorID);
  assert.deepEqual(await api.getAuthorName({ authorID }), { authorName: 'Ada' });

  const { groupID } = await api.createGroupIfNotExistsFor({ groupMapper: 'js-class' });
  assert.match(groupID, /^g\.[0-9A-Za-z]{16}$/);

  const { padID } = await api.createGroupPad({ groupID, padName: 'minutes', text: 'First' });
  assert.equal(padID, `${groupID}$minutes`);

  const { sessionID } = await api.createSession({ groupID, authorID, validUntil: inAnHour });
  // It goes into a cookie as it is, so nothing in it may need an escape.
  assert.match(`sessionID=${sessionID}`, /^sessionID=s\.[0-9A-Za-z]{16}$/);
  const session = { groupID, authorID, validUntil: inAnHour };
  assert.deepEqual(await api.getSessionInfo({ sessionID }), session);
  assert.deepEqual(await api.listSessionsOfGroup({ groupID }), { [sessionID]: session });
  assert.deepEqual(await api.listSessionsOfAuthor({ authorID }), { [sessionID]: session });

  await write(padID);
  await chat(padID, authorID);

  assert.deepEqual(await api.listPads({ groupID }), { padIDs: [padID] });
  assert.ok((await api.listAllPads({})).padIDs.includes(padID));
  assert.ok((await api.listAllGroups({})).groupIDs.includes(groupID));

  await api.deleteSession({ sessionID });
  await api.deletePad({ padID });
  await assert.rejects(api.getText({ padID }), { code: 1, message: 'padID does not exist' });
  await api.deleteGroup({ groupID });
  await assert.rejects(api.listPads({ groupID }), { code: 1, message: 'groupID does not exist' });
});

async function write(padID) {
  assert.deepEqual(await api.getText({ padID }), { text: 'First\n' });
  await api.setText({ padID, text: 'Grüße, 你好 & 😀 = 100 %' });
  assert.deepEqual(await api.getText({ padID }), { text: 'Grüße, 你好 & 😀 = 100 %\n' });
  assert.deepEqual(await api.getText({ padID, rev: 0 }), { text: 'First\n' });
  await api.setHTML({ padID, html: '<p>Now <strong>bold</strong></p>' });
  assert.match((await api.getHTML({ padID })).html, /<strong>bold<\/strong>/);
  assert.deepEqual(await api.getRevisionsCount({ padID }), { revisions: 2 });
  assert.match(await api.getRevisionChangeset({ padID }), /^Z:/);
}

async function chat(padID, authorID) {
  await api.appendChatMessage({ padID, authorID, text: 'Is this right?', time: 1700000000000 });
  assert.deepEqual(await api.getChatHead({ padID }), { chatHead: 0 });
  assert.deepEqual(await api.getChatHistory({ padID }), {
    messages: [
      { text: 'Is this right?', userId: authorID, time: 1700000000000, userName: 'Ada' },
    ],
  });
}

test('pads without a group are created, copied, moved and deleted', async () => {
  await api.createPad({ padID: 'js-notes', text: 'Notes' });
  await api.copyPad({ sourceID: 'js-notes', destinationID: 'js-copy' });
  await api.copyPad({ sourceID: 'js-notes', destinationID: 'js-copy', force: true });
  await api.movePad({ sourceID: 'js-copy', destinationID: 'js-moved' });
  assert.deepEqual(await api.getText({ padID: 'js-moved' }), { text: 'Notes\n' });
  const { readOnlyID } = await api.getReadOnlyID({ padID: 'js-moved' });
  assert.deepEqual(await api.getPadID({ roID: readOnlyID }), { padID: 'js-moved' });
  await api.deletePad({ padID: 'js-notes' });
  await api.deletePad({ padID: 'js-moved' });
});

test('mistakes come back as the package expects them', async () => {
  await api.checkToken({});
  await assert.rejects(connect('wrong').checkToken({}), { code: 4, message: 'no or wrong API Key' });
  // The package still knows functions that the API has dropped.
  await assert.rejects(api.setPassword({ padID: 'a' }), { code: 3, message: 'no such function' });
  await assert.rejects(api.createPad({ padID: 'a/b' }), {
    code: 1,
    message: 'malformed padID: Remove special characters',
  });
});
