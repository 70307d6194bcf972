// Which strings are names of pads and tokens of authors.
//
// Invariant: exactly the forms that Etherpad takes, so that its links and cookies keep working.
// Cleaning up a name that someone typed is another matter, and the server's.

// An optional group, then up to 50 UTF-16 units. The dot of the group prefix is any character.
const PAD_ID = /^(?:g.[a-zA-Z0-9]{16}\$)?[^$]{1,50}$/;

export function isPadId(id: string): boolean {
  return PAD_ID.test(id);
}

export function isAuthorToken(token: string): boolean {
  return token.startsWith('t.') && isBase64Url(token.slice(2));
}

// Base64 for URLs, not empty, padded, and the only way to write its bytes.
function isBase64Url(text: string): boolean {
  if (!/^[\w=-]+$/.test(text)) return false;
  const base64 = text.replaceAll('-', '+').replaceAll('_', '/');
  try {
    return btoa(atob(base64)) === base64;
  } catch {
    return false;
  }
}
