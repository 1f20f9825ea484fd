// The client as tests drive it: a JSON line {id, on, do, args} in, {id, value} or {id, error} out.
// `on` names what was made before: a service by `open`, a battle by `battle`. What a battle that is
// followed says comes as {followed, record, document}, `document` with `shows` alone.

import { createInterface } from "node:readline";

const [library] = process.argv.slice(2);
const { Warlog, WarlogProblem, WarlogUnreachable } = await import(library);
const things = new Map();
const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);

function told(error) {
  const { name, message } = error;
  if (error instanceof WarlogProblem) return { name, ...error.body, retryAfter: error.retryAfter };
  if (error instanceof WarlogUnreachable) return { name, message, key: error.key };
  return { name, message };
}

function documentOf({ decisions, scene, state, table }) {
  return { decisions, state, table, ...(scene === undefined ? {} : { scene }) };
}

async function follow(name, { shows, ...options }) {
  const battle = things.get(name);
  const stop = new AbortController();
  things.set(`${name}/stop`, stop);
  try {
    for await (const record of battle.follow({ ...options, signal: stop.signal })) {
      const document = shows ? { document: documentOf(battle), seq: battle.seq } : {};
      say({ followed: name, record, ...document });
    }
    say({ followed: name, ended: true });
  } catch (error) {
    say({ followed: name, ended: true, error: told(error) });
  }
}

const ORDERS = {
  open: (name, [options]) => void things.set(name, new Warlog(options)),
  battle: (name, [of, id, options]) => void things.set(name, things.get(of).battle(id, options)),
  follow: (name, [options]) => void follow(name, options),
  stop: (name) => things.get(`${name}/stop`).abort(),
  spoil: (name) => void (things.get(name).table.spoiled = true),
  document: (name) => documentOf(things.get(name)),
  properties: (name, names) =>
    Object.fromEntries(names.map((each) => [each, things.get(name)[each]])),
};

async function done(order, on, args) {
  const own = ORDERS[order];
  if (own) return own(on, args);
  const value = await things.get(on)[order](...args);
  return value instanceof Response ? value.text() : value;
}

createInterface({ input: process.stdin }).on("line", async (line) => {
  const { id, on, do: order, args } = JSON.parse(line);
  try {
    say({ id, value: (await done(order, on, args)) ?? null });
  } catch (error) {
    say({ id, error: told(error) });
  }
});
