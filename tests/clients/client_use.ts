// How the client is used from TypeScript, and what the compiler refuses.

import { Warlog, WarlogProblem, WarlogUnreachable, verify, type Battle } from "warlog";

const warlog = new Warlog({ url: "http://127.0.0.1:8080", token: "ws_", language: "ru" });
const { seat, token, encounter } = await warlog.join("7K3QF-9TX0M");
const battle: Battle = warlog.battle(encounter, { token, view: seat });

for await (const record of battle.follow({ scene: true, narrate: "en", after: "4-0a1b2c3d" })) {
  if (record.type === "event") for (const step of record.patch ?? []) step.path.length;
  if (record.type === "status") record.status === "offline" && record.since?.toFixed();
}
const [decision] = battle.decisions;
if (decision) await battle.answer(decision, "pass", { key: "kept" });
const tree = await battle.legalActions({ combatant: "mara" });
let walk = tree.actions[0]?.start().forced();
if (walk?.next?.options?.[0]) walk = walk.choose(walk.next, walk.next.options[0]);
if (walk?.isComplete) await battle.act(walk.action);
await battle.act([tree.complete({ type: "shoot", target: "ghoul" })], { by: "anna" });
try {
  await battle.rewind(12);
} catch (error) {
  if (error instanceof WarlogProblem) error.params["path"] === error.rule;
  if (error instanceof WarlogUnreachable) error.key?.length;
}
(await battle.verify({ heads: ["4-0a"] })).first?.code;
(await verify("")).clean;
battle.subscribe(({ head }) => head?.hash)();
(await warlog.rulesetSchema("crossfire-d6", { version: "1" })).schema.$defs;

// @ts-expect-error there is no such language
new Warlog({ language: "de" });
// @ts-expect-error an action has a type
await battle.act({ target: "ghoul" });
// @ts-expect-error nothing may have been told yet
battle.head.seq;
// @ts-expect-error what is held is replaced, never changed
battle.decisions.push(decision);
// @ts-expect-error not every record is an event
for await (const record of battle.follow()) record.recorded_at;
