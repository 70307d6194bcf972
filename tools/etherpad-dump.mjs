#!/usr/bin/env node
// Dump of an Etherpad's database as JSON lines, for `padsvc migrate -`.
//
// Run it in the folder of an Etherpad. It reads `settings.json`, opens the database with the
// ueberdb2 of that Etherpad, and writes every record as {"key": …, "val": …}, one per line: first to
// last in the order of keys, between a line that begins the dump and one that ends it. It never
// calls anything that writes to the database. Nothing has to be installed for it.

import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs, promisify } from 'node:util';

const USAGE = `Usage: node etherpad-dump.mjs [options] | padsvc migrate -

  --folder FOLDER    the Etherpad's folder (default: the current one)
  --settings FILE    its settings (default: settings.json in that folder)
  --type TYPE        the kind of database, instead of dbType in the settings
  --db JSON          how to open it, instead of dbSettings in the settings
  --to FILE          write to a file; continues it if an earlier run was interrupted
  --quiet            no progress on standard error
`;

const BEGIN = 'etherpad-dump:begin';
const END = 'etherpad-dump:end';
/** How many records are read at once. */
const TOGETHER = 64;
/** How many keys are asked for at once, where the database can give them in pages. */
const PAGE = 10_000;
/** Databases whose keys come in pages without all of them being read for each page. */
const PAGED = ['mysql', 'postgres', 'postgrespool'];
/** What there may be, for databases that cannot list all keys. */
const PATTERNS = ['pad', 'pad2readonly', 'readonly2pad', 'globalAuthor', 'token2author',
  'mapper2author', 'group', 'mapper2group', 'session', 'group2sessions', 'author2sessions',
  'comments', 'comment-replies', 'title', 'links'].flatMap((kind) => [`${kind}:*`, `${kind}:*:*`]);

class Problem extends Error {}

/** Etherpad's settings are JSON with comments, trailing commas and ${VARIABLE:default}. */
const parseSettings = (text) => {
  const tokens = /"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;
  const plain = text.replace(tokens, (token) => (token.startsWith('"') ? token : ' '));
  const strings = /"(?:[^"\\]|\\.)*"|,(?=\s*[}\]])/g;
  const json = plain.replace(strings, (token) => (token === ',' ? '' : token));
  return JSON.parse(json, (_, value) => (typeof value === 'string' ? fromEnvironment(value) : value));
};

const fromEnvironment = (text) => {
  const whole = /^\$\{([^:}]*)(?::([^}]*))?\}$/.exec(text);
  if (whole == null) return text;
  const value = process.env[whole[1]] ?? whole[2];
  if (value === undefined) return null;
  if (value === 'true' || value === 'false') return value === 'true';
  return value !== '' && Number.isFinite(Number(value)) ? Number(value) : value;
};

/** The folder of the ueberdb2 that the Etherpad itself uses. */
const findUeberdb = (folder) => {
  for (const start of [path.join(folder, 'src'), folder]) {
    for (let at = start; ; at = path.dirname(at)) {
      const found = path.join(at, 'node_modules', 'ueberdb2');
      if (fs.existsSync(path.join(found, 'package.json'))) return fs.realpathSync(found);
      if (at === path.dirname(at)) break;
    }
  }
  throw new Problem(`no ueberdb2 in ${folder}: is it the folder of an Etherpad, and installed?`);
};

const loadUeberdb = async (folder) => {
  const place = findUeberdb(folder);
  const about = JSON.parse(fs.readFileSync(path.join(place, 'package.json'), 'utf8'));
  const main = about.exports?.['.'] ?? {};
  const entry = main.import?.default ?? main.import ?? main.default ?? about.main ?? 'index.js';
  // Older versions name their entry without its ending.
  const file = createRequire(import.meta.url).resolve(path.join(place, entry));
  const module = await import(pathToFileURL(file).href);
  const Database = module.Database ?? module.default?.Database ?? module.default?.database;
  if (Database == null) throw new Problem(`this version of ueberdb2 is not known: ${about.version}`);
  return { Database, version: about.version };
};

/** What is used of a database. Before version 2 its methods took callbacks. */
const withPromises = (db, version) => {
  const names = ['init', 'get', 'findKeys', 'findKeysPaged', 'close'];
  const known = names.filter((name) => typeof db[name] === 'function');
  const hasCallbacks = Number.parseInt(version, 10) < 2;
  const method = (name) => (hasCallbacks ? promisify(db[name]).bind(db) : db[name].bind(db));
  return Object.fromEntries(known.map((name) => [name, method(name)]));
};

const open = async (options) => {
  const folder = path.resolve(options.folder ?? '.');
  const file = path.resolve(options.settings ?? path.join(folder, 'settings.json'));
  // Etherpad takes relative names of files to be in its folder.
  process.chdir(folder);
  const settings = options.type == null ? parseSettings(fs.readFileSync(file, 'utf8')) : {};
  const type = options.type ?? settings.dbType ?? 'dirty';
  const how = options.db == null ? settings.dbSettings ?? {} : JSON.parse(options.db);
  if (how.filename != null && !fs.existsSync(how.filename)) {
    // Otherwise a new and empty one is made.
    throw new Problem(`there is no database at ${path.resolve(how.filename)}`);
  }
  const { Database, version } = await loadUeberdb(folder);
  const db = withPromises(new Database(type, how, { cache: 0, writeInterval: 0 }), version);
  await db.init();
  return { db, type, version };
};

/** All keys after one, ascending by UTF-16 units, in lists. */
const keyLists = async function* (db, type, after) {
  if (PAGED.includes(type) && typeof db.findKeysPaged === 'function') {
    // The order of the database is not ours; it is only ever compared with itself.
    for (let last = after; ; ) {
      const keys = await db.findKeysPaged('*', null, { limit: PAGE, ...(last != null && { after: last }) });
      if (keys.length === 0) return;
      last = keys.at(-1);
      yield keys;
    }
  }
  let keys = (await db.findKeys('*', null)) ?? [];
  if (keys.length === 0) {
    const lists = await Promise.all(PATTERNS.map((pattern) => db.findKeys(pattern, null)));
    keys = ['groups', ...lists.flatMap((list) => list ?? [])];
  }
  keys = [...new Set(keys)].sort();
  yield after == null ? keys : keys.filter((key) => key > after);
};

/** Whether a key is the database layer's own, such as its lists in Redis. */
const isOwn = (key) => key.startsWith('ueberDB:') || key === BEGIN || key === END;

/** What is in a file already: how many records, and which is the last. An incomplete last line is
 *  cut off. */
const resume = (file) => {
  if (!fs.existsSync(file) || fs.statSync(file).size === 0) return null;
  const handle = fs.openSync(file, 'r+');
  const buffer = Buffer.alloc(1 << 20);
  let [rest, end, records, last] = [Buffer.alloc(0), 0, 0, null];
  for (let length; (length = fs.readSync(handle, buffer)) > 0; ) {
    let data = Buffer.concat([rest, buffer.subarray(0, length)]);
    for (let at; (at = data.indexOf(10)) >= 0; data = data.subarray(at + 1)) {
      const { key } = JSON.parse(data.subarray(0, at).toString());
      if (key === END) throw new Problem(`${file} is complete; remove it for a new dump`);
      if (key !== BEGIN) [records, last] = [records + 1, key];
      end += at + 1;
    }
    rest = Buffer.from(data);
  }
  fs.ftruncateSync(handle, end);
  fs.closeSync(handle);
  return end === 0 ? null : { records, last };
};

const output = (file) => {
  const stream = file == null ? process.stdout : fs.createWriteStream(file, { flags: 'a' });
  let failure = null;
  stream.on('error', (error) => { failure = error; });
  const write = (text) => new Promise((done, fail) => {
    if (failure != null) fail(failure);
    else stream.write(text, (error) => (error == null ? done() : fail(error)));
  });
  const close = () => new Promise((done) => { file == null ? done() : stream.end(done); });
  return { write, close };
};

const line = (key, val) => `${JSON.stringify({ key, val })}\n`;

const dump = async (options) => {
  const earlier = options.to == null ? null : resume(options.to);
  const to = options.to == null ? null : path.resolve(options.to);
  const { db, type, version } = await open(options);
  const { write, close } = output(to);
  if (earlier == null) await write(line(BEGIN, { version: 1, type, ueberdb2: version }));
  let records = earlier?.records ?? 0;
  const progress = (end) => {
    if (options.quiet) return;
    const text = `${records} records read`;
    process.stderr.write(process.stderr.isTTY ? `\r${text}${end}` : end === '\n' ? `${text}\n` : '');
  };
  for await (const keys of keyLists(db, type, earlier?.last)) {
    const wanted = keys.filter((key) => !isOwn(key));
    for (let at = 0; at < wanted.length; at += TOGETHER) {
      const some = wanted.slice(at, at + TOGETHER);
      const values = await Promise.all(some.map((key) => db.get(key)));
      // Deleted records may remain as null.
      const lines = some.flatMap((key, i) => (values[i] == null ? [] : [line(key, values[i])]));
      if (lines.length > 0) await write(lines.join(''));
      records += lines.length;
      progress('');
    }
  }
  await write(line(END, { records }));
  await close();
  progress('\n');
  await db.close();
};

const main = async () => {
  const { values } = parseArgs({
    options: {
      folder: { type: 'string' },
      settings: { type: 'string' },
      type: { type: 'string' },
      db: { type: 'string' },
      to: { type: 'string' },
      quiet: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) process.stdout.write(USAGE);
  else await dump(values);
};

// Database layers log to the console; standard output is for records alone.
for (const name of ['log', 'info', 'debug']) console[name] = console.error;

main().then(
  () => process.exit(0),
  (error) => {
    const isKnown = error instanceof Problem || error.code?.startsWith?.('ERR_PARSE_ARGS');
    console.error(`etherpad-dump: ${isKnown ? error.message : error.stack}`);
    process.exit(1);
  },
);
