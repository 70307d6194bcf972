// The server's `/admin/api/…`: JSON both ways.
//
// Invariant: an answer that is not a good one is an `ApiError` with words for the reader. A login
// that has ended leads to the sign-in page, and back here.

import { say } from './words.ts';

export class ApiError extends Error {
  // The HTTP status; 0 when there was no answer.
  readonly status: number;
  // What was answered, if it could be read.
  readonly body: unknown;

  constructor(message: string, status: number, body: unknown = null) {
    super(message);
    this.status = status;
    this.body = body;
  }
}

export interface Api {
  get<T>(path: string): Promise<T>;
  text(path: string): Promise<string>;
  post<T>(path: string, body: unknown): Promise<T>;
  // A file as it is, or several as a form.
  send<T>(path: string, body: Blob | FormData): Promise<T>;
}

export function api(base: string): Api {
  const ask = async (path: string, options: RequestInit): Promise<string> => {
    const address = `${base}admin/${path}`;
    const answer = await fetch(address, { cache: 'no-store', ...options }).catch(() => null);
    if (!answer) throw new ApiError(say('problem.offline'), 0);
    if (answer.status === 401) signIn(base);
    const text = await answer.text();
    if (answer.ok) return text;
    const other = say('problem.other', { status: answer.status });
    const body = parse(text);
    throw new ApiError(reason(body) ?? other, answer.status, body);
  };
  return {
    get: async <T>(path: string) => parse(await ask(path, {})) as T,
    text: (path) => ask(path, {}),
    post: async <T>(path: string, body: unknown) =>
      parse(await ask(path, { method: 'POST', body: JSON.stringify(body) })) as T,
    send: async <T>(path: string, body: Blob | FormData) =>
      parse(await ask(path, { method: 'POST', body })) as T,
  };
}

function signIn(base: string): void {
  const here = location.pathname.slice(new URL(base || './', location.href).pathname.length);
  location.assign(`${base}sign-in?next=${encodeURIComponent(here + location.search)}`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function reason(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || !('error' in body)) return null;
  return typeof body.error === 'string' ? body.error : null;
}
