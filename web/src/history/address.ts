// What the address of the history names.

// `#40` is a revision, `#12..40` what came after 12.
export function named(hash: string) {
  const [, other, revision] = /^#(?:(\d{1,15})\.\.)?(\d{1,15})$/.exec(hash) ?? [];
  if (revision === undefined) return null;
  return { revision: Number(revision), other: other === undefined ? null : Number(other) };
}
