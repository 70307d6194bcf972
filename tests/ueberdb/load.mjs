// Loads JSON lines from standard input into a database: node load.mjs TYPE SETTINGS
import { createInterface } from 'node:readline';
import { Database } from 'ueberdb2';

/** Written at once: the layer writes buffered values together, and each call waits for that. */
const TOGETHER = 1000;

const [type, settings] = process.argv.slice(2);
const db = new Database(type, JSON.parse(settings));
await db.init();
let writes = [];
for await (const line of createInterface({ input: process.stdin })) {
  const { key, val } = JSON.parse(line);
  writes.push(db.set(key, val));
  if (writes.length === TOGETHER) {
    await Promise.all(writes);
    writes = [];
  }
}
await Promise.all(writes);
await db.close();
