// Counts who wrote how much of a pad, for the panel beside the text and for programs.

const { people } = padsvc.settings;

padsvc.on("message", ({ padId }) => authorship(padId));

padsvc.on("apiCall", ({ arguments: given }) => {
  const padId = given.padID ?? "";
  if (padId === "") throw new Error("padID is missing");
  return authorship(padId);
});

// Those who wrote most have names; the others are counted together. Text of nobody, such as what a pad begins
// with, is nobody's share.
async function authorship(padId) {
  const all = (await padsvc.pads.getAuthorship(padId)).filter(({ authorId }) => authorId);
  const authors = await Promise.all(
    all.slice(0, people).map(async ({ authorId, characters }) => ({
      authorId,
      name: await padsvc.authors.name(authorId),
      characters,
    })),
  );
  const rest = all.slice(people);
  return {
    authors,
    others: { count: rest.length, characters: sum(rest) },
    characters: sum(all),
  };
}

function sum(list) {
  return list.reduce((total, { characters }) => total + characters, 0);
}
