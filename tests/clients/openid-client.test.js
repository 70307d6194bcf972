// The npm package openid-client, as it is: discovery, both ways to a token, and the checks that the
// package makes of every token. The settings of the clients and the user are in xtask/src/clients.rs.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import * as client from 'openid-client';

const { PADSVC_URL } = process.env;
const back = 'http://127.0.0.1:9/back';
// Only for tests is there no encryption between client and server.
const options = { execute: [client.allowInsecureRequests] };

const discover = (id, secret, how) =>
  client.discovery(new URL(PADSVC_URL), id, secret, how?.(secret), options);

// What the API says to who shows a token.
async function callApi(token) {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${PADSVC_URL}api/1.2/checkToken`, { headers });
  return (await answer.json()).code;
}

// What a browser does: opens the page, fills the form in, and is sent back.
async function signIn(address, user, password) {
  const page = await fetch(address);
  assert.equal(page.status, 200);
  const cookie = page.headers.get('set-cookie').split(';')[0];
  const html = await page.text();
  const [, action] = html.match(/action="([^"]+)"/);
  const [, form] = html.match(/name="form" value="([^"]+)"/);
  const answer = await fetch(new URL(action.replaceAll('&#38;', '&'), page.url), {
    method: 'POST',
    headers: { cookie },
    body: new URLSearchParams({ form, user, password }),
    redirect: 'manual',
  });
  assert.equal(answer.status, 303);
  return new URL(answer.headers.get('location'));
}

async function authorize(config, more = {}) {
  const verifier = client.randomPKCECodeVerifier();
  const checks = { state: client.randomState(), nonce: client.randomNonce() };
  const address = client.buildAuthorizationUrl(config, {
    redirect_uri: back,
    scope: 'openid profile',
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...checks,
    ...more,
  });
  return { address, checks, verifier };
}

function redeem(config, answer, { checks, verifier }) {
  return client.authorizationCodeGrant(config, answer, {
    pkceCodeVerifier: verifier,
    expectedState: checks.state,
    expectedNonce: checks.nonce,
    idTokenExpected: true,
  });
}

for (const [kind, id, secret, how] of [
  ['with its secret in the form', 'app', "the app's secret: +&%", client.ClientSecretPost],
  ['with its secret in a header', 'app', "the app's secret: +&%", client.ClientSecretBasic],
  ['without a secret', 'public', undefined, client.None],
]) {
  test(`a person signs in to a client ${kind}`, async () => {
    const config = await discover(id, secret, how);
    const request = await authorize(config);
    const answer = await signIn(request.address, 'root', 'correct horse');
    const tokens = await redeem(config, answer, request);
    assert.equal(tokens.claims().sub, 'root');
    assert.equal(tokens.claims().aud, id);
    const me = await client.fetchUserInfo(config, tokens.access_token, 'root');
    assert.deepEqual(me, { sub: 'root', preferred_username: 'root' });
    await verifies(config, tokens.access_token, { sub: 'root', client_id: id, admin: true });
    assert.equal(await callApi(tokens.access_token), 0);
    // A code is good once, and who shows it twice loses what it gave.
    await assert.rejects(redeem(config, answer, request), { error: 'invalid_grant' });
    assert.equal(await callApi(tokens.access_token), 4);
  });
}

test('a person without rights gets a token, but not into the API', async () => {
  const config = await discover('app', "the app's secret: +&%", client.ClientSecretPost);
  const request = await authorize(config);
  const tokens = await redeem(config, await signIn(request.address, 'ada', 'horse'), request);
  await verifies(config, tokens.access_token, { sub: 'ada', admin: false });
  assert.equal(await callApi(tokens.access_token), 4);
});

for (const how of [client.ClientSecretPost, client.ClientSecretBasic]) {
  test(`a service gets a token by ${how.name}`, async () => {
    const config = await discover('robot', "the robot's secret: +&%", how);
    const { access_token, expires_in } = await client.clientCredentialsGrant(config);
    assert.equal(expires_in, 3600);
    await verifies(config, access_token, { sub: 'robot', client_id: 'robot', admin: 'true' });
    assert.equal(await callApi(access_token), 0);
  });
}

test('mistakes come back as the package expects them', async () => {
  const wrong = await discover('robot', 'wrong', client.ClientSecretPost);
  await assert.rejects(client.clientCredentialsGrant(wrong), { error: 'invalid_client', status: 401 });
  const config = await discover('app', "the app's secret: +&%", client.ClientSecretPost);
  await assert.rejects(client.clientCredentialsGrant(config), { error: 'unauthorized_client' });
  const silent = await authorize(config, { prompt: 'none' });
  const { headers } = await fetch(silent.address, { redirect: 'manual' });
  const refused = redeem(config, new URL(headers.get('location')), silent);
  await assert.rejects(refused, { error: 'login_required' });
});

test('the package knows where to sign out', async () => {
  const config = await discover('app', "the app's secret: +&%", client.ClientSecretPost);
  const request = await authorize(config);
  const tokens = await redeem(config, await signIn(request.address, 'ada', 'horse'), request);
  const address = client.buildEndSessionUrl(config, {
    id_token_hint: tokens.id_token,
    post_logout_redirect_uri: back,
  });
  const answer = await fetch(address, { redirect: 'manual' });
  assert.equal(answer.headers.get('location'), back);
});

// Checks an access token with nothing but what the server publishes.
async function verifies(config, token, claims) {
  const { issuer, jwks_uri } = config.serverMetadata();
  const rules = { issuer, audience: 'account', typ: 'at+jwt', algorithms: ['RS256'] };
  const { payload } = await jwtVerify(token, createRemoteJWKSet(new URL(jwks_uri)), rules);
  for (const [name, value] of Object.entries(claims)) assert.equal(payload[name], value, name);
}
