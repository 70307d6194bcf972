// A program as somebody would write it with the generated types. Compiled and run by
// typescript.test.js; `./padsvc.js` is what openapi-typescript generates.

import createClient from 'openapi-fetch';
import type { components, paths } from './padsvc.js';

type Pad = components['schemas']['CreatePadSuccess']['data'];

function expect(isSo: boolean, what: string): asserts isSo {
  if (!isSo) throw new Error(what);
}

export async function run(url: string, key: string): Promise<void> {
  const api = createClient<paths>({
    baseUrl: new URL('api/1.3.1', url).href,
    headers: { apikey: key },
  });
  const padID = `typescript-${Date.now()}`;
  const { data: made } = await api.POST('/createPad', { body: { padID, text: 'Hello' } });
  expect(made?.code === 0, 'createPad');
  const { deletionToken }: Pad = made.data;
  expect(typeof deletionToken === 'string', 'a deletion token');
  const { data: set } = await api.POST('/setText', { body: { padID, text: 'Bye' } });
  expect(set?.code === 0 && set.data === null, 'setText');
  const { data: read } = await api.GET('/getText', { params: { query: { padID } } });
  // The code tells the two kinds of answers apart.
  expect(read?.code === 0, 'getText');
  const text: string = read.data.text;
  expect(text.startsWith('Bye'), text);
  const { data: missing } = await api.GET('/getText', { params: { query: { padID: 'no such' } } });
  expect(missing?.code === 1, 'a pad that is missing');
  expect(missing.message === 'padID does not exist', missing.message);
  const nobody = createClient<paths>({ baseUrl: new URL('api/1.3.1', url).href });
  const { error, response } = await nobody.GET('/listAllPads');
  // A head that is too large is answered in plain text, so an error may be one.
  expect(response.status === 401 && typeof error === 'object', 'without a key');
  expect(error.code === 4, error.message);
  const { data: gone } = await api.POST('/deletePad', { body: { padID } });
  expect(gone?.code === 0, 'deletePad');
}
