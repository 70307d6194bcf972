// Sends a file to be imported, and says how that went.
//
// Invariant: always ends in one outcome, unless it was cancelled.

export type Failure =
  | 'uploadFailed'
  | 'maxFileSize'
  | 'padHasData'
  | 'convertFailed'
  | 'denied'
  | 'missing'
  | 'tooMany'
  | 'offline'
  | 'internal';

export type Outcome =
  // With `whole` the pad has another history now, and the page has to be loaded again.
  | { readonly kind: 'done'; readonly whole: boolean }
  | {
      readonly kind: 'failed';
      readonly failure: Failure;
      // What the server says about it, in English.
      readonly reason: string;
      readonly seconds: number;
    };

const WORDS: readonly string[] = ['uploadFailed', 'maxFileSize', 'padHasData', 'convertFailed'];
const STATUSES: Readonly<Record<number, Failure>> = {
  0: 'offline',
  403: 'denied',
  404: 'missing',
  413: 'maxFileSize',
  429: 'tooMany',
};

// `progress` hears the share that is sent, from 0 to 1. The answer cancels it.
export function upload(
  address: string,
  file: File,
  progress: (share: number) => void,
  end: (outcome: Outcome) => void,
): () => void {
  const request = new XMLHttpRequest();
  request.upload.onprogress = ({ loaded, total }) => progress(total > 0 ? loaded / total : 0);
  request.onload = () => {
    const wait = Number(request.getResponseHeader('retry-after'));
    end(outcomeOf(request.status, request.responseText, wait || 0));
  };
  request.onerror = () => end(outcomeOf(0, '', 0));
  request.open('POST', address);
  const form = new FormData();
  form.append('file', file);
  request.send(form);
  return () => request.abort();
}

export function outcomeOf(status: number, body: string, seconds: number): Outcome {
  const { code, message, reason, data } = answerOf(body);
  if (status === 200 && code === 0) {
    return { kind: 'done', whole: data?.directDatabaseAccess === true };
  }
  const named = WORDS.includes(message ?? '') ? (message as Failure) : undefined;
  const failure = named ?? STATUSES[status] ?? 'internal';
  return { kind: 'failed', failure, reason: reason ?? '', seconds };
}

interface Answer {
  code?: number;
  message?: string;
  reason?: string;
  data?: { directDatabaseAccess?: boolean } | null;
}

function answerOf(body: string): Answer {
  try {
    return JSON.parse(body) ?? {};
  } catch {
    return {};
  }
}
