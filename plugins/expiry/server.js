// Looks at all pads once an hour, a bounded number at a time, and archives or deletes those that nobody has
// changed for so many days. With the action "report", which it begins with, it only counts.
//
// Where it is among the pads is one value in its storage, so that a worker that ends loses nothing. A pad that
// cannot be archived is left as it is, counted, and tried again the next time.

const { days, action, warnDays, language } = padsvc.settings;
// Without one it would not know its archives again.
const prefix = padsvc.settings.prefix.trim() || "archived-";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
// Each pad takes up to three calls, and a hook may make a thousand.
const PADS_AT_ONCE = 300;
const LISTED = 20;
const NAME_LENGTH = 50;

const kept = padsvc.settings.keep.split(/[,\n]/).map((entry) => entry.trim()).filter((entry) => entry !== "");

// A worker also starts after a pause. The timer goes on meanwhile, and would begin its hour again if it were
// set each time: it is set once, and when it has been silent for too long.
padsvc.on("started", async () => {
  const state = await readState();
  if (state.checked !== 0 && Date.now() - state.checked < 3 * HOUR) return;
  await padsvc.timers.every("check", HOUR / 1000);
  if (state.checked === 0) await padsvc.storage.set("state", { ...state, checked: Date.now() });
});

padsvc.on("timer", () => check());

// Somebody has opened a pad that will expire soon.
padsvc.on("padOpened", async ({ padId }) => {
  if (action === "report" || isKept(padId)) return;
  const end = expiry(await padsvc.pads.lastEdited(padId));
  if (end - Date.now() > warnDays * DAY) return;
  const date = dateOf(Math.max(end, Date.now()));
  await padsvc.pads.notice(padId, text(`notice.${action}`, language, { date }));
});

padsvc.on("adminPage", async ({ language, action }) => {
  if (action === "check") await check();
  return { parts: parts(await readState(), language) };
});

// One run at a time: the button may be pressed while the timer's run goes on.
let running = null;

function check() {
  running ??= run().finally(() => {
    running = null;
  });
  return running;
}

async function run() {
  const state = await readState();
  const from = state.after;
  if (from === null) Object.assign(state, { pads: 0, expired: 0, failed: 0, soon: [] });
  let after = from;
  for (let looked = 0; looked < PADS_AT_ONCE; ) {
    const page = await padsvc.pads.list(after, 100);
    for (const padId of page.pads) await look(padId, state);
    looked += page.pads.length;
    after = page.next;
    if (after === null || page.pads.length === 0) break;
  }
  await padsvc.storage.set("state", { ...state, after, checked: Date.now() });
  if (after !== null) await padsvc.timers.after("continue", 60);
}

async function look(padId, state) {
  state.pads += 1;
  if (isKept(padId)) return;
  try {
    const left = daysLeft(await padsvc.pads.lastEdited(padId));
    if (left > 0) {
      if (left <= Math.max(warnDays, 1)) note(state, padId, left);
      return;
    }
    if (action === "archive") await padsvc.pads.copy(padId, archiveName(padId));
    if (action !== "report") await padsvc.pads.delete(padId);
    else note(state, padId, 0);
    state.expired += 1;
  } catch (error) {
    state.failed += 1;
    console.warn(`${padId}: ${error.message}`);
  }
}

// The pads that expire first, for the admin area.
function note(state, padId, left) {
  state.soon.push([padId, left]);
  state.soon.sort((one, other) => one[1] - other[1]);
  state.soon.length = Math.min(state.soon.length, LISTED);
}

// When a pad expires that was changed then.
function expiry(edited) {
  return edited + days * DAY;
}

function daysLeft(edited) {
  return Math.ceil((expiry(edited) - Date.now()) / DAY);
}

// As everybody reads it, whatever their language.
function dateOf(time) {
  return new Date(time).toISOString().slice(0, 10);
}

// A pad of a group stays in its group: who may read it does not change.
function parted(padId) {
  const end = padId.indexOf("$") + 1;
  return [padId.slice(0, end), padId.slice(end)];
}

function archiveName(padId) {
  const [group, name] = parted(padId);
  const archive = `${prefix}${dateOf(Date.now())}-${name}`.slice(0, NAME_LENGTH);
  // The cut may have gone through a character.
  return group + archive.replace(/[\ud800-\udbff]$/, "");
}

function isKept(padId) {
  const [, name] = parted(padId);
  if (name.startsWith(prefix)) return true;
  const fits = (entry) =>
    entry.endsWith("*") ? name.startsWith(entry.slice(0, -1)) : entry === name || entry === padId;
  return kept.some(fits);
}

async function readState() {
  const state = await padsvc.storage.get("state");
  return state ?? { after: null, checked: 0, pads: 0, expired: 0, failed: 0, soon: [] };
}

function parts(state, language) {
  const say = (key, values) => text(key, language, values);
  const checked = new Date(state.checked).toISOString().slice(0, 16).replace("T", " ");
  const parts = [
    { heading: say("admin.heading") },
    { text: say(`admin.rule.${action}`, { days }) },
    { text: say("admin.checked", { time: `${checked} UTC`, pads: state.pads }) },
    { text: say(`admin.expired.${action}`, { count: state.expired }) },
  ];
  if (state.failed > 0) parts.push({ text: say("admin.failed", { count: state.failed }) });
  if (state.after !== null) parts.push({ text: say("admin.running") });
  if (state.soon.length > 0) {
    const columns = [say("admin.pad"), say("admin.daysLeft")];
    const rows = state.soon.map(([padId, left]) => [padId, `${left}`]);
    parts.push({ table: { columns, rows } });
  }
  parts.push({ button: { action: "check", label: say("admin.check") } });
  return parts;
}

// A text with its places filled.
function text(key, language, values = {}) {
  return padsvc.text(key, language).replace(/\{(\w+)\}/g, (place, name) => `${values[name] ?? place}`);
}
