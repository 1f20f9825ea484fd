// Parts of the client by themselves: a JSON line {part, args} in, {value} or {error} out.

import { createInterface } from "node:readline";

const [folder] = process.argv.slice(2);
const part = (name) => import(`${folder}/${name}.js`);
const { patched } = await part("json_patch");
const { framesOf } = await part("event_stream");
const { ServerClock } = await part("server_clock");
const { mayAskAgain, pauseMs } = await part("retries");
const { documentDigest } = await part("held_document");
const { digestOf, newKey, newToken } = await part("secrets");

function bodyOf(chunks) {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new Uint8Array(chunk));
      controller.close();
    },
  });
}

async function frames(...chunks) {
  const all = [];
  for await (const frame of framesOf(bodyOf(chunks), 1000)) all.push(frame);
  return all;
}

async function silence() {
  const never = new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array()) });
  for await (const frame of framesOf(never, 20)) return frame;
}

// A page that was asleep for so many milliseconds, and is shown again.
async function woken(asleep) {
  const { now } = Date;
  globalThis.document = Object.assign(new EventTarget(), { visibilityState: "visible" });
  const never = new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array()) });
  const wake = () => {
    Date.now = () => now() + asleep;
    document.dispatchEvent(new Event("visibilitychange"));
  };
  const timer = setTimeout(wake, 20);
  try {
    for await (const frame of framesOf(never, 200)) return frame;
  } catch (error) {
    return [error.name, error.message.startsWith(`nothing came for ${Math.floor(asleep / 1000)}`)];
  } finally {
    clearTimeout(timer);
    Date.now = now;
    delete globalThis.document;
  }
}

function clock(heard) {
  let now = 0;
  const own = new ServerClock(() => now);
  return heard.map(({ at, asked, date, recorded }) => {
    now = at;
    if (date) own.hear(date, asked);
    if (recorded) own.hearEvent(recorded);
    return own.now() - now;
  });
}

const PARTS = {
  patched,
  frames,
  silence,
  woken,
  clock,
  digest: documentDigest,
  again: (status, code, isRepeatable) => mayAskAgain({ status, code }, isRepeatable),
  pause: (failures, seconds, random) => pauseMs(failures, seconds, () => random),
  secrets: () => [newKey(), newToken(), digestOf("ws_ä")],
};

for await (const line of createInterface({ input: process.stdin })) {
  const { part: name, args } = JSON.parse(line);
  try {
    const before = JSON.stringify(args);
    const value = await PARTS[name](...args);
    if (JSON.stringify(args) !== before) throw new Error("the arguments were changed");
    process.stdout.write(`${JSON.stringify({ value })}\n`);
  } catch (error) {
    process.stdout.write(`${JSON.stringify({ error: error.name })}\n`);
  }
}
