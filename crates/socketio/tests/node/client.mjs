// The npm client against the server's transport: node client.mjs URL TRANSPORTS.
// It fails by throwing, and hangs never: a promise that is not kept ends with the timer below.

import assert from "node:assert/strict";
import { createRequire } from "node:module";

const fromWeb = createRequire(new URL("../../../../web/package.json", import.meta.url));
const { io } = fromWeb("socket.io-client");

const [url, list] = process.argv.slice(2);
const transports = list.split(",");

const patience = setTimeout(() => {
  console.error("nothing happens any more");
  process.exit(1);
}, 60_000);

const once = (emitter, event) => new Promise((resolve) => emitter.once(event, resolve));

async function connect(options = {}) {
  const socket = io(url, { transports, forceNew: true, ...options });
  const failed = once(socket, "connect_error").then((error) => Promise.reject(error));
  await Promise.race([once(socket, "connect"), failed]);
  return socket;
}

async function close(socket) {
  const closed = once(socket, "disconnect");
  socket.disconnect();
  assert.equal(await closed, "io client disconnect");
}

async function changesOver() {
  const socket = await connect();
  if (transports.length === 2 && socket.io.engine.transport.name === "polling") {
    await once(socket.io.engine, "upgrade");
  }
  assert.equal(socket.io.engine.transport.name, transports.at(-1));
  await close(socket);
}

async function bothDirections() {
  const socket = await connect({ query: { padId: "a" }, auth: { token: "t" } });
  for (const value of [1, "é\u2028😀", { a: [null, true] }, []]) {
    const answer = once(socket, "echo");
    socket.emit("echo", value);
    assert.deepEqual(await answer, value);
    const acknowledged = await new Promise((resolve) => {
      socket.emit("something", value, (error, argument) => resolve([error, argument]));
    });
    assert.deepEqual(acknowledged, [null, value]);
  }
  const query = once(socket, "query");
  socket.emit("query");
  assert.match(await query, /padId=a/);
  await close(socket);
}

// Begins at once, so that with two transports the change over happens in the middle.
async function order() {
  const socket = await connect();
  const count = 20_000;
  for (let number = 0; number < count; number++) {
    socket.emit("count", number);
    // Several rounds of the event loop, so that not all goes in one body.
    if (number % 1000 === 0) await new Promise(setImmediate);
  }
  const counted = once(socket, "counted");
  socket.emit("counted");
  assert.equal(await counted, count);
  await close(socket);
}

async function burst() {
  const socket = await connect();
  const count = 5000;
  let next = 0;
  const whole = new Promise((resolve) => {
    socket.on("burst", (number) => {
      assert.equal(number, next++);
      if (next === count) resolve();
    });
  });
  socket.emit("burst", count);
  await whole;
  await close(socket);
}

async function disconnectedByServer() {
  const socket = await connect();
  const reason = once(socket, "disconnect");
  socket.emit("leave");
  assert.equal(await reason, "io server disconnect");
  assert.equal(socket.active, false);
  // It can come back when asked to.
  socket.connect();
  await once(socket, "connect");
  await close(socket);
}

async function reconnects() {
  const socket = await connect({ reconnectionDelay: 10 });
  const before = socket.id;
  const reason = once(socket, "disconnect");
  socket.emit("drop");
  assert.equal(await reason, "transport close");
  await once(socket, "connect");
  assert.notEqual(socket.id, before);
  const answer = once(socket, "echo");
  socket.emit("echo", "again");
  assert.equal(await answer, "again");
  await close(socket);
}

async function unknownNamespace() {
  const socket = io(`${url}/foo`, { transports, forceNew: true });
  assert.equal((await once(socket, "connect_error")).message, "Invalid namespace");
  socket.disconnect();
}

async function limits() {
  const socket = await connect({ reconnection: false });
  const large = once(socket, "large");
  socket.emit("large", 3_000_000);
  assert.equal((await large).length, 3_000_000);
  // 42["echo","…"] as large as permitted.
  const longest = "x".repeat(1_000_000 - '42["echo",""]'.length);
  const answer = once(socket, "echo");
  socket.emit("echo", longest);
  assert.equal(await answer, longest);
  const reason = once(socket, "disconnect");
  socket.emit("echo", `${longest}x`);
  assert.match(await reason, /^transport (close|error)$/);
}

for (const part of [
  changesOver,
  bothDirections,
  order,
  burst,
  disconnectedByServer,
  reconnects,
  unknownNamespace,
  limits,
]) {
  const start = Date.now();
  await part();
  console.log(`${part.name}: ${Date.now() - start} ms`);
}
clearTimeout(patience);
console.log("all done");
