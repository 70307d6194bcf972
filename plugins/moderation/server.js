// Filters chat messages and names. Nothing is stored, and no text leaves the worker.
//
// Words are compared as people read them: without case, accents and invisible characters, and as whole words,
// so that a list with "ass" leaves "class" alone. Scripts without blanks between words have no whole words to
// compare; there a listed word is found anywhere. No regular expression is made from the settings: none that
// an operator writes can take long.

const { action, lookalikes, refuseLinks, repeats, language } = padsvc.settings;

const MASK = "•";
const MINUTE = 60_000;
// Authors whose last message is remembered.
const REMEMBERED = 500;

// Letters, digits and marks; signs that stand for letters; characters that nobody sees.
const TOKEN = /[\p{L}\p{N}\p{M}@$\u00ad\u200b-\u200f\u2060\ufeff]+/gu;
const UNSEEN = /[\u0300-\u036f\u00ad\u0640\u064b-\u065f\u0670\u200b-\u200f\u2060\ufeff]/g;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const LINK = /(?:\b(?:https?|ftp):\/\/|\bwww\.)[^\s]/iu;
const LETTERS = { 0: "o", 1: "i", 3: "e", 4: "a", 5: "s", 7: "t", "@": "a", $: "s" };

const listed = readWords(padsvc.settings.words);
const reserved = new Set(split(padsvc.settings.reservedNames).map(plain));

padsvc.on("chatMessage", ({ padId, authorId, text }) => {
  if (refuseLinks && LINK.test(text)) return refused("reason.link");
  if (isRepeated(`${padId} ${authorId}`, plain(text.trim()))) return refused("reason.repeated");
  return filtered(text, "reason.word");
});

padsvc.on("memberNamed", ({ name }) => {
  const trimmed = plain(name.trim());
  if (reserved.has(trimmed) || (lookalikes && reserved.has(withLetters(trimmed)))) {
    return refused("reason.reserved");
  }
  return filtered(name, "reason.name");
});

function refused(reason) {
  return { refuse: padsvc.text(reason, language) };
}

function filtered(text, reason) {
  const masked = mask(text);
  if (masked === text) return;
  return action === "refuse" ? refused(reason) : { text: masked };
}

function mask(text) {
  let masked = text.replace(TOKEN, (token) => (isListed(token) ? dots(token) : token));
  for (const word of listed.anywhere) masked = masked.replaceAll(word, dots(word));
  return masked;
}

function dots(word) {
  return MASK.repeat([...word].length);
}

function isListed(token) {
  const word = plain(token);
  return hasWord(word) || (lookalikes && hasWord(withLetters(word)));
}

function hasWord(word) {
  if (listed.whole.has(word)) return true;
  return listed.lengths.some((length) => listed.beginnings.has(word.slice(0, length)));
}

function readWords(text) {
  const words = { whole: new Set(), beginnings: new Set(), lengths: [], anywhere: [] };
  for (const entry of split(text)) {
    const beginning = entry.endsWith("*") ? plain(entry.slice(0, -1)) : "";
    if (UNSPACED.test(entry)) words.anywhere.push(entry.replace("*", ""));
    else if (beginning !== "") words.beginnings.add(beginning);
    else if (plain(entry) !== "") words.whole.add(plain(entry));
  }
  words.lengths = [...new Set([...words.beginnings].map((word) => word.length))];
  return words;
}

function split(text) {
  return text.split(/[,،、\n]/).map((entry) => entry.trim()).filter((entry) => entry !== "" && entry !== "*");
}

// As it is compared.
function plain(text) {
  return text.normalize("NFKD").replace(UNSEEN, "").toLowerCase();
}

function withLetters(word) {
  return [...word].map((sign) => LETTERS[sign] ?? sign).join("");
}

// The last message of each author, for as long as the worker runs.
const last = new Map();

function isRepeated(author, text) {
  if (repeats === 0 || text === "") return false;
  const now = Date.now();
  const before = last.get(author);
  const goes = before !== undefined && before.text === text && now - before.since < MINUTE;
  const count = goes ? before.count + 1 : 1;
  last.delete(author);
  last.set(author, { text, count, since: goes ? before.since : now });
  if (last.size > REMEMBERED) last.delete(last.keys().next().value);
  return count > repeats;
}
