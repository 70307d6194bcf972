// What openapi-typescript makes of the OpenAPI document, with openapi-fetch as the client: it compiles
// strictly together with a program that uses it, and that program works.

import assert from 'node:assert/strict';
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';

const { PADSVC_URL, PADSVC_APIKEY } = process.env;
// Beside the packages, so that they are found, and where nothing is committed.
const folder = join(import.meta.dirname, 'node_modules/.cache/padsvc');

function compiled(file) {
  const program = ts.createProgram([file], {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    types: [],
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  });
  const problems = [...ts.getPreEmitDiagnostics(program), ...program.emit().diagnostics];
  return problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
}

test('a program with a generated client compiles and works', async () => {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const types = astToString(await openapiTS(new URL('api/openapi.json', PADSVC_URL)));
  await writeFile(join(folder, 'padsvc.d.ts'), types);
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await copyFile(join(import.meta.dirname, 'typescript.ts'), join(folder, 'program.ts'));
  assert.deepEqual(compiled(join(folder, 'program.ts')), []);
  const { run } = await import(pathToFileURL(join(folder, 'program.js')).href);
  await run(PADSVC_URL, PADSVC_APIKEY);
});
