// Published clients of server-sent events, side by side: a JSON line {name, client, url, token} in
// begins one, {name, close} ends it. What it hears comes as {name, kind, id, data}; what goes
// wrong as {name, error, closed}, where `closed` says that it will not come back.

import { createInterface } from "node:readline";
import { createRequire } from "node:module";

const [modules] = process.argv.slice(2);
const load = createRequire(`${modules}/`);
const KINDS = ["message", "hello", "event", "presence", "timers", "resync", "bye", "problem"];
const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);
const open = new Map();
console.error = () => {}; // event-source-polyfill prints what it also shows its page

// What fetch-event-source expects of a browser, and event-source-polyfill of a page that has loaded.
globalThis.window = globalThis;
globalThis.document = {
  hidden: false,
  readyState: "complete",
  addEventListener() {},
  removeEventListener() {},
};

function listen(name, source) {
  for (const kind of KINDS) {
    source.addEventListener(kind, ({ data, lastEventId }) =>
      say({ name, kind, data, id: lastEventId }),
    );
  }
  source.onerror = (error) =>
    say({ name, error: String(error?.code ?? error?.status ?? ""), closed: source.readyState === 2 });
  source.onclosed = () => say({ name, error: "closed", closed: true }); // launchdarkly-eventsource
  return () => source.close();
}

const CLIENTS = {
  async eventsource(name, url) {
    const { EventSource } = await import(load.resolve("eventsource"));
    return listen(name, new EventSource(url));
  },
  async "event-source-polyfill"(name, url) {
    const { EventSourcePolyfill } = load("event-source-polyfill");
    return listen(name, new EventSourcePolyfill(url));
  },
  async "extended-eventsource"(name, url) {
    const { EventSource } = load("extended-eventsource");
    return listen(name, new EventSource(url, { disableLogger: true }));
  },
  async "launchdarkly-eventsource"(name, url) {
    const { EventSource } = load("launchdarkly-eventsource");
    return listen(name, new EventSource(url, { readTimeoutMillis: 5000 }));
  },
  async "fetch-event-source"(name, url) {
    const { fetchEventSource } = load("@microsoft/fetch-event-source");
    const stop = new AbortController();
    const following = fetchEventSource(url, {
      openWhenHidden: true,
      signal: stop.signal,
      onmessage: ({ event, id, data }) => say({ name, kind: event || "message", data, id }),
      // An orderly end is final to it unless this throws.
      onclose: () => {
        throw new Error("ended");
      },
      onerror: (error) => {
        say({ name, error: String(error.message), closed: false });
      },
    });
    following.catch((error) => say({ name, error: String(error), closed: true }));
    return () => stop.abort();
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { name, client, url, close } = JSON.parse(line);
  if (close) open.get(name)();
  else open.set(name, await CLIENTS[client](name, url));
}
