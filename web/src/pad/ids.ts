// Which strings are names of pads and tokens of authors.
//
// Invariant: exactly the forms that Etherpad takes, so that its links and cookies keep working.
// Cleaning up a name that someone typed is another matter, and the server's.

// An optional group, then up to 50 UTF-16 units. The dot of the group prefix is any character.
const PAD_ID = /^(?:g.[a-zA-Z0-9]{16}\$)?[^$]{1,50}$/;

// Base64 for URLs with its padding; in the last, incomplete group the unused bits are zero.
const AUTHOR_TOKEN = /^t\.(?=.)(?:[\w-]{4})*(?:[\w-][AQgw]==|[\w-]{2}[AEIMQUYcgkosw048]=)?$/;

export function isPadId(id: string): boolean {
  return PAD_ID.test(id);
}

export function isAuthorToken(token: string): boolean {
  return AUTHOR_TOKEN.test(token);
}
