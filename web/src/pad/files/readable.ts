// Whether a file can be what its name says, before anything is asked or sent.
//
// Invariant: refuses only what the server would certainly refuse. The server looks at all of it.

// Beginnings of files, by endings.
const BEGINNINGS: Readonly<Record<string, readonly string[]>> = {
  docx: ['PK'],
  odt: ['PK'],
  pdf: ['%PDF'],
  rtf: ['{\\rtf'],
};
const PLAIN = ['txt', 'html', 'md', 'etherpad', 'htm', 'markdown', 'native'];
const LOOKED_AT = 1024;

export async function isReadable(file: File, endings: readonly string[]): Promise<boolean> {
  const ending = /\.([^.]+)$/.exec(file.name)?.[1]?.toLowerCase() ?? '';
  if (!endings.includes(ending)) return false;
  const bytes = new Uint8Array(await file.slice(0, LOOKED_AT).arrayBuffer());
  const start = String.fromCharCode(...bytes);
  const wanted = BEGINNINGS[ending];
  if (wanted) return wanted.some((beginning) => start.includes(beginning));
  // Of no text; with such a mark it is one of two bytes for each letter.
  const isWide = /^(?:\xff\xfe|\xfe\xff)/.test(start);
  return !PLAIN.includes(ending) || isWide || !start.includes('\0');
}
