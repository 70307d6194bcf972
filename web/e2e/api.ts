// The API of the server under test, as an application calls it.

import { serverUrl } from './browser.ts';

// The first member of what a function gives; an error of the API is one here.
export async function call(name: string, parameters: Record<string, string>): Promise<string> {
  const answer = await fetch(`${serverUrl()}api/1.3.1/${name}`, {
    method: 'POST',
    headers: { apikey: process.env.PADSVC_KEY ?? '' },
    // A long text does not fit into an address.
    body: new URLSearchParams(parameters),
  });
  const { code, message, data } = (await answer.json()) as {
    code: number;
    message: string;
    data: Record<string, unknown> | null;
  };
  if (code !== 0) throw new Error(`${name}: ${message}`);
  const [first] = Object.values(data ?? {});
  return typeof first === 'string' ? first : JSON.stringify(first ?? null);
}
