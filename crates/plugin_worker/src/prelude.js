// What is taken from JavaScript before a plugin's script runs, and how its handlers are called.
// Runs once, in an engine in which nothing has been replaced yet, and keeps what it needs in
// variables of its own.

(function (now) {
  "use strict";
  const { defineProperty, freeze, getOwnPropertyNames, getPrototypeOf } = Object;
  const { construct } = Reflect;

  // Code comes from the package and from nowhere else.
  const kinds = [function () {}, async function () {}, function* () {}, async function* () {}];
  for (const kind of kinds) {
    defineProperty(getPrototypeOf(kind), "constructor", {
      value: undefined,
      writable: false,
      configurable: false,
    });
  }
  for (const name of [
    "eval", "Function", "Atomics", "SharedArrayBuffer", "performance", "navigator",
    "__loadScript", "gc", "scriptArgs", "print",
  ]) {
    delete globalThis[name];
  }

  // The time is the one that came with the hook.
  const Clock = Date;
  function PluginDate(...parts) {
    const date = construct(Clock, parts.length === 0 ? [now()] : parts, new.target ?? PluginDate);
    return new.target === undefined ? `${date}` : date;
  }
  for (const name of ["UTC", "parse"]) {
    defineProperty(PluginDate, name, { value: Clock[name], configurable: true, writable: true });
  }
  defineProperty(PluginDate, "now", { value: () => now(), configurable: true, writable: true });
  defineProperty(PluginDate, "name", { value: "Date" });
  defineProperty(PluginDate, "prototype", { value: Clock.prototype, writable: false });
  defineProperty(Clock.prototype, "constructor", { value: PluginDate });
  defineProperty(globalThis, "Date", { value: PluginDate, configurable: true, writable: true });

  function seal(value) {
    if (typeof value === "object" && value !== null) {
      for (const name of getOwnPropertyNames(value)) seal(value[name]);
      freeze(value);
    }
    return value;
  }

  return {
    // Native promises are awaited without looking anything up that a plugin could replace.
    invoke: async (handler, argument) => handler(argument),
    seal,
  };
})
