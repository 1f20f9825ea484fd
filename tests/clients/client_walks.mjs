// Battles played by nothing but walks through the tree of legal actions: a JSON array of creations
// on the input; a line for each with what was done, refused and met on the way.

import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";

const [library, url, token, steps, seed] = process.argv.slice(2);
const { Warlog } = await import(library);
const warlog = new Warlog({ url, token });

let state = Number(seed);
function below(count) {
  state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
  return Math.floor((state / 2 ** 32) * count);
}
const one = (list) => list[below(list.length)];

function pointNear({ x, y, radius = 30 }) {
  const dx = below(2 * radius + 1) - radius;
  const height = Math.floor(Math.sqrt(radius * radius - dx * dx));
  return { x: x + dx, y: y + below(2 * height + 1) - height };
}

function someOf({ options, min, max }) {
  const left = options.map((each) => each.value);
  const wanted = min + below(max - min + 1);
  while (left.length > wanted) left.splice(below(left.length), 1);
  return left;
}

function picked(parameter) {
  const { form, options, min, max } = parameter;
  if (form === "some_of") return someOf(parameter);
  if (options) return one(options);
  if (form === "int_range") return min + below(max - min + 1);
  if (form === "disc") return pointNear(parameter);
  if (form === "path") return [pointNear({ ...parameter, radius: parameter.budget })];
  return undefined; // an object or a list, which is opened
}

function walked(action, forms) {
  let walk = action.start();
  while (walk.next) {
    const { next } = walk;
    forms.add(next.form);
    if (next.optional && below(2)) walk = walk.leave(next);
    else walk = walk.choose(next, picked(next));
  }
  return walk;
}

async function play(creation) {
  const { encounter } = await warlog.createEncounter(creation);
  const battle = warlog.battle(encounter);
  await battle.act({ type: "start_encounter" });
  const told = { ruleset: creation.ruleset, accepted: {}, refused: [], unlike: [] };
  const forms = new Set();
  for (let step = 0; step < Number(steps); step++) {
    const tree = await battle.legalActions();
    if (!tree.actions.length) break;
    const { action } = walked(one(tree.actions), forms);
    if (!isDeepStrictEqual(tree.complete(action), action)) told.unlike.push(action);
    try {
      await battle.act(action);
      told.accepted[action.type] = (told.accepted[action.type] ?? 0) + 1;
    } catch (error) {
      told.refused.push({ action, code: error.code, detail: error.detail ?? error.message });
    }
  }
  const { head } = await battle.read();
  return { ...told, head, forms: [...forms].sort() };
}

for (const creation of JSON.parse(readFileSync(0, "utf8"))) {
  process.stdout.write(`${JSON.stringify(await play(creation))}\n`);
}
