// What the client sends: a JSON line {on, name, args, options} in, {method, url, headers, body} out.
// `on` is the service, a battle for a seat and read through another's eyes, or the battle alone.
// Every request is refused, so each call sends one.

import { createInterface } from "node:readline";

const [library, encounter] = process.argv.slice(2);
const { Warlog, WarlogProblem } = await import(library);
let sent;
const service = new Warlog({
  url: "http://table",
  token: "ws_x",
  language: "ru",
  fetch: async (url, { method, headers, body }) => {
    sent ??= { method, url, headers, body: body ?? null };
    return new Response("", { status: 500 });
  },
});
const THINGS = {
  service,
  battle: service.battle(encounter, { seat: "anna", view: "ben" }),
  bare: service.battle(encounter),
};

/** A call whose options come last; behind the first argument of `inspect` there is a query. */
async function made({ on, name, args, options }) {
  const value = THINGS[on][name](...args, options);
  if (value[Symbol.asyncIterator]) while (!sent) await value.next();
  await value;
}

for await (const line of createInterface({ input: process.stdin })) {
  sent = undefined;
  try {
    await made(JSON.parse(line));
  } catch (error) {
    if (!(error instanceof WarlogProblem)) throw error;
  }
  console.log(JSON.stringify(sent));
}
