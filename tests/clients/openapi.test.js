// The OpenAPI documents as the linters and parsers of others see them: no error and no warning.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import SwaggerParser from '@apidevtools/swagger-parser';
import spectral from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';

const { PADSVC_URL } = process.env;

async function fetched(path) {
  const answer = await fetch(new URL(path, PADSVC_URL));
  assert.equal(answer.status, 200, path);
  return answer.json();
}

const latest = await fetched('api/openapi.json');
const versions = ['1', '1.2.7', '1.2.15', latest.info.version];

test('Spectral has nothing to say by its recommended rules', async () => {
  const linter = new spectral.Spectral();
  linter.setRuleset({ extends: [[oas, 'recommended']] });
  for (const version of versions) {
    const found = await linter.run(await fetched(`api/${version}/openapi.json`));
    const lines = found.map(({ code, path, message }) => `${code} ${path.join('.')}: ${message}`);
    assert.deepEqual(lines, [], version);
  }
});

test('swagger-parser takes them', async () => {
  for (const version of versions) {
    await SwaggerParser.validate(await fetched(`api/${version}/openapi.json`));
  }
});

test('both addresses give the same document', async () => {
  assert.deepEqual(await fetched('api-docs.json'), latest);
});
