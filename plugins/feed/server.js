// An Atom feed of a pad's changes: GET /plugins/feed/atom?pad=NAME.
//
// All changes within so many minutes are one entry, which keeps its id while it grows, so that feed readers show
// it once. Who may use the service at all is decided before a request comes here. Pads of groups have rules of
// their own, which a request without a visitor cannot be held to: they have no feed.

const { entries, minutes, names, excerpts, language } = padsvc.settings;

const WINDOW = minutes * 60_000;
// Changes are read newest first, in pages, and no further back than this many pages.
const PAGE = 100;
const PAGES = 40;
// Longer texts are not compared.
const COMPARED = 100_000;
const EXCERPT = 500;
const SHOWN_NAMES = 3;

const allowed = padsvc.settings.pads.split(/[,\n]/).map((entry) => entry.trim()).filter((entry) => entry !== "");

padsvc.on("request", async ({ method, path, query, base }) => {
  if (path !== "atom") return plain(404, "answer.nothing");
  if (method !== "GET") return plain(405, "answer.method");
  const padId = query.pad ?? "";
  if (!isAllowed(padId) || !(await padsvc.pads.exists(padId))) return plain(404, "answer.noPad");
  const body = await feed(padId, base);
  return { status: 200, type: "application/atom+xml; charset=utf-8", body };
});

function plain(status, key) {
  return { status, type: "text/plain; charset=utf-8", body: `${text(key)}\n` };
}

function isAllowed(padId) {
  if (padId === "" || padId.length > 100 || padId.includes("$")) return false;
  return allowed.some((entry) =>
    entry.endsWith("*") ? padId.startsWith(entry.slice(0, -1)) : entry === padId,
  );
}

async function feed(padId, base) {
  const windows = await newest(padId);
  const pad = `${base.replace(/plugins\/[^/]*\/?$/, "")}p/${encodeURIComponent(padId)}`;
  const self = `${base}atom?pad=${encodeURIComponent(padId)}`;
  const title = (await padsvc.pads.getTitle(padId)) ?? padId;
  const people = names ? await namesOf(windows) : new Map();
  const passages = excerpts ? await passagesOf(padId, windows) : [];
  const updated = windows[0]?.time ?? 0;
  const parts = windows.map((window, index) =>
    entry(window, { pad, padId, people, passage: passages[index] ?? "" }),
  );
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${language}">
<title>${escape(title)}</title>
<id>${escape(self)}</id>
<link rel="self" type="application/atom+xml" href="${escape(self)}"/>
<link rel="alternate" type="text/html" href="${escape(pad)}"/>
<updated>${instant(updated)}</updated>
${parts.join("")}</feed>
`;
}

function entry({ start, time, first, last, authors }, { pad, padId, people, passage }) {
  const known = authors.map((id) => people.get(id)).filter((name) => name);
  const shown = known.slice(0, SHOWN_NAMES).join(", ");
  const title = shown === "" ? text("entry.unnamed") : text("entry.title", { names: shown });
  const writers = (known.length === 0 ? [text("entry.somebody")] : known)
    .map((name) => `<author><name>${escape(name)}</name></author>\n`)
    .join("");
  // The history shows what came after the revision before the dots.
  const place = first > 0 ? `#${first - 1}..${last}` : `#${last}`;
  const content = passage === "" ? "" : `<content type="text">${escape(passage)}</content>\n`;
  return `<entry>
<title>${escape(title)}</title>
<id>${escape(`urn:padsvc:changes:${encodeURIComponent(padId)}:${start}`)}</id>
<link rel="alternate" type="text/html" href="${escape(`${pad}/timeslider${place}`)}"/>
<updated>${instant(time)}</updated>
${writers}${content}</entry>
`;
}

// The newest windows with changes, newest first: when each began and was last changed, its revisions, its authors.
async function newest(padId) {
  const windows = [];
  let to = await padsvc.pads.getRevisionsCount(padId);
  for (let page = 0; page < PAGES && to >= 0 && windows.length <= entries; page += 1) {
    const from = Math.max(0, to - PAGE + 1);
    const changes = await padsvc.pads.getChanges(padId, from, to - from + 1);
    for (const change of changes.reverse()) add(windows, change);
    to = from - 1;
  }
  // The oldest one that was read may have begun earlier.
  if (to >= 0 && windows.length > 1) windows.pop();
  return windows.slice(0, entries);
}

function add(windows, { revision, authorId, time }) {
  const start = Math.floor(time / WINDOW) * WINDOW;
  let window = windows.at(-1);
  if (window?.start !== start) {
    window = { start, time, first: revision, last: revision, authors: [] };
    windows.push(window);
  }
  window.first = revision;
  if (authorId && !window.authors.includes(authorId) && window.authors.length < 10) {
    window.authors.push(authorId);
  }
}

async function namesOf(windows) {
  const people = new Map();
  for (const id of new Set(windows.flatMap(({ authors }) => authors))) {
    people.set(id, await padsvc.authors.name(id));
  }
  return people;
}

// What each window added to the text.
async function passagesOf(padId, windows) {
  const passages = [];
  let after = null;
  for (const { first, last } of windows) {
    after ??= await padsvc.pads.getText(padId, last);
    if (after.length > COMPARED) break;
    const before = first === 0 ? "" : await padsvc.pads.getText(padId, first - 1);
    passages.push(added(before, after));
    after = before;
  }
  return passages;
}

// The text between what both begin and end with, in the later one.
function added(before, after) {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const passage = after.slice(start, after.length - end).trim();
  return passage.length > EXCERPT ? `${passage.slice(0, EXCERPT).toWellFormed()}…` : passage.toWellFormed();
}

function instant(time) {
  return new Date(time).toISOString();
}

// Markup as text, and without what XML cannot hold.
function escape(text) {
  const marks = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  return text.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "").replace(/[&<>"]/g, (mark) => marks[mark]);
}

// A text with its places filled.
function text(key, values = {}) {
  return padsvc.text(key, language).replace(/\{(\w+)\}/g, (place, name) => values[name] ?? place);
}
