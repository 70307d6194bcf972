// Keeps the goal of each pad.
//
// Goals are kept in a few values rather than in one for each pad, because a plugin may have a thousand values and
// a service far more pads. Each holds a bounded number of goals; the one that was set longest ago makes room.

const VALUES = 32;
const GOALS = 300;
const MOST = 1_000_000;
const usual = padsvc.settings.goal;

padsvc.on("clientVars", async ({ padId }) => ({ goal: await goalOf(padId) }));

// {} asks for the goal, {goal} sets it; 0 is none.
padsvc.on("message", async ({ padId, readOnly, data }) => {
  const goal = data?.goal;
  if (goal === undefined) return { goal: await goalOf(padId) };
  if (readOnly) throw new Error("who may only read sets no goal");
  if (!Number.isInteger(goal) || goal < 0 || goal > MOST) {
    throw new Error(`a goal is a whole number from 0 to ${MOST}`);
  }
  await inTurn(() => setGoal(padId, goal));
  return { goal };
});

async function goalOf(padId) {
  const goals = (await padsvc.storage.get(keyOf(padId))) ?? [];
  const found = goals.find(([id]) => id === padId);
  return found ? found[1] : usual;
}

async function setGoal(padId, goal) {
  const key = keyOf(padId);
  const goals = ((await padsvc.storage.get(key)) ?? []).filter(([id]) => id !== padId);
  if (goal !== usual) goals.push([padId, goal]);
  await padsvc.storage.set(key, goals.slice(-GOALS));
}

// Spreads pads evenly; the same pad is always in the same value.
function keyOf(padId) {
  let hash = 0;
  for (const sign of padId) hash = (hash * 31 + sign.codePointAt(0)) % 1_000_003;
  return `goals/${hash % VALUES}`;
}

// Two who set goals at once: each reads what the other has written.
let turn = Promise.resolve();

function inTurn(action) {
  const result = turn.then(action);
  turn = result.catch(() => {});
  return result;
}
