// A call as one writes it in a shell or a program.
//
// Invariant: values are quoted, whatever they hold, and the key is never one of them: it comes from the
// variable APIKEY.

export const LANGUAGES = { curl: 'curl', python: 'Python', javascript: 'JavaScript' } as const;

export type Language = keyof typeof LANGUAGES;

export interface Call {
  // Below the root of the service.
  readonly path: string;
  readonly values: readonly (readonly [name: string, value: string])[];
  readonly hasKey: boolean;
}

// `address` is the service's root, without a slash at its end.
export function snippet(language: Language, call: Call, address: string): string {
  return { curl, python, javascript }[language](call, address);
}

// The page says how to set the address for a shell.
function curl({ path, values, hasKey }: Call): string {
  const parts = [
    ...(hasKey ? ['-H "apikey: $APIKEY"'] : []),
    ...values.map(([name, value]) => `--data-urlencode '${name}=${inShell(value)}'`),
    `"$PADSVC/${path}"`,
  ];
  return `curl ${parts.join(' \\\n  ')}`;
}

const inShell = (value: string) => value.replaceAll("'", "'\\''");

function python({ path, values, hasKey }: Call, address: string): string {
  const data = values.map(([name, value]) => `    ${JSON.stringify(name)}: ${quoted(value)},\n`);
  return [
    'import json, os, urllib.parse, urllib.request',
    '',
    `data = {${data.length > 0 ? `\n${data.join('')}` : ''}}`,
    'request = urllib.request.Request(',
    `    ${JSON.stringify(`${address}/${path}`)},`,
    '    urllib.parse.urlencode(data).encode(),',
    ...(hasKey ? ['    {"apikey": os.environ["APIKEY"]},'] : []),
    ')',
    'with urllib.request.urlopen(request) as answer:',
    '    print(json.load(answer))',
  ].join('\n');
}

function javascript({ path, values, hasKey }: Call, address: string): string {
  const data = values.map(([name, value]) => `    ${name}: ${quoted(value)},\n`);
  return [
    `const answer = await fetch(${JSON.stringify(`${address}/${path}`)}, {`,
    "  method: 'POST',",
    ...(hasKey ? ['  headers: { apikey: process.env.APIKEY },'] : []),
    `  body: new URLSearchParams({${data.length > 0 ? `\n${data.join('')}  ` : ''}}),`,
    '});',
    'console.log(await answer.json());',
  ].join('\n');
}

// A literal that both languages read alike.
const quoted = (value: string) => JSON.stringify(value);
