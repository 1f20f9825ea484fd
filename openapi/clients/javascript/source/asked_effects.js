/**
 * Rows of the table of invariants on who asked, and on effects that repeat their action.
 *
 * How this works. Some effects on the encounter and its log come with certain actions alone,
 * once in an event, and say again what these ask for. Everybody may know all of that, whatever the
 * ruleset.
 */

import { ASKED } from "./asked_table.js";
import { said } from "./details.js";
import { shown } from "./findings.js";
import { isEqual } from "./json_patch.js";
import { isRecord } from "./line_form.js";

/**
 * @typedef {import("./line_form.js").Body} Body
 * @typedef {Readonly<Record<string, unknown>>} Tree
 * @typedef {(path: string, detail: import("./details.js").Detail) => void} Report
 */

/** @type {Tree} */
const NOTHING = {};

/** @type {readonly unknown[]} */
const NONE = [];

const ANSWERS = new Set(["answer", "force_pass"]);

/** The one of these effects that may stand in an event several times. */
const MANY = "seat_changed";

/**
 * The effects of which each of these actions has one.
 * @type {ReadonlyMap<unknown, readonly unknown[]>}
 */
const EFFECTS_OF = new Map([
  ["add_seat", ["seat_changed"]],
  ["assign_control", ["control_changed"]],
  ["change_seat", ["seat_changed"]],
  ["contribute", ["contributed"]],
  ["create_encounter", ["encounter_created"]],
  ["end_encounter", ["encounter_ended"]],
  ["erase", ["erased"]],
  ["note", ["noted"]],
  ["remove_seat", ["seat_changed"]],
  ["reveal", ["parts_opened", "seed_revealed"]],
  ["rewind", ["rewound"]],
  ["start_encounter", ["encounter_started"]],
]);

/**
 * A seat asks under its own id; keys and the service ask as game masters.
 * @param {Tree} by
 * @param {Report} report
 */
export function judgeAsker(by, report) {
  const { kind, id, role, seat, via } = by;
  if (kind === "seat") {
    if (seat === undefined || seat !== id) {
      report(".by.seat", said`${shown(seat)} instead of ${shown(id)}`);
    }
    if (role === "observer") report(".by.role", said`an observer acts`);
    return;
  }
  if (seat !== undefined) report(".by.seat", said`a seat of a key or the service`);
  if (role !== "gm") report(".by.role", said`${shown(role)} instead of ${shown("gm")}`);
  if (via !== undefined) report(".by.via", said`a key that acts for no seat`);
}

/**
 * An action has the effects that it asks for.
 * @param {Tree} action
 * @param {readonly Tree[]} effects
 * @param {Report} report
 */
export function judgeMissing(action, effects, report) {
  const { type } = action;
  const due = EFFECTS_OF.get(type);
  if (due === undefined && type !== "add_combatant") return;
  const isLeftOut = due && !effects.some((each) => due.includes(each["type"]));
  const isKept = revealsNow(action) && !effects.some((each) => each["type"] === "seed_revealed");
  const isFewer = (addedIds(action)?.length ?? 0) > count(effects, "combatant_added");
  if (isLeftOut || isKept || isFewer) report(".action", said`an action without its effect`);
}

/** @param {Tree} action */
function revealsNow({ type, reveal }) {
  return type === "end_encounter" && reveal === "now";
}

/**
 * How many effects are of a type.
 * @param {readonly Tree[]} effects
 * @param {string} type
 */
function count(effects, type) {
  let found = 0;
  for (const each of effects) if (each["type"] === type) found++;
  return found;
}

/**
 * The ids of the combatants that an action brings in; undefined where it shows nothing of them.
 * @param {Tree} action
 * @returns {readonly unknown[] | undefined}
 */
function addedIds({ type, combatant, combatants }) {
  if (type === "create_encounter") return idsOf(combatants);
  if (type === "add_combatant" && combatant !== undefined) return [tree(combatant)["id"]];
  return undefined;
}

/**
 * A combatant that comes in is the one that was asked for.
 * @param {Body} view
 * @param {Tree} effect
 * @param {number} at
 * @param {Report} report
 */
export function judgeAddition(view, effect, at, report) {
  const ids = addedIds(tree(view.action));
  if (ids === undefined) return;
  const due = ids[count(view.effects.slice(0, at), "combatant_added")];
  const { id } = tree(effect["combatant"]);
  if (isEqual(id, due)) return;
  report(`.effects[${at}].combatant.id`, said`${shown(id)} instead of ${shown(due)}`);
}

/**
 * An answer closes the decision that it names, if the event shows that it closes any.
 * @param {Tree} action
 * @param {readonly Tree[]} effects
 * @param {Report} report
 */
export function judgeAnswer({ type, decision_id: named }, effects, report) {
  if (typeof type !== "string" || !ANSWERS.has(type) || named === undefined) return;
  let isShown = false;
  for (const { type: kind, decision_id: id } of effects) {
    if (kind !== "decision_closed" || id === undefined) continue;
    if (isEqual(id, named)) return;
    isShown = true;
  }
  if (isShown) report(".action.decision_id", said`it closes another decision than ${shown(named)}`);
}

/**
 * A decision is closed with the choice that was made, which is one of its `options`.
 * @param {Tree} action
 * @param {Tree} effect
 * @param {readonly unknown[] | undefined} options
 * @param {number} at
 * @param {Report} report
 */
export function judgeChoice(action, effect, options, at, report) {
  const { choice, decision_id: id, how } = effect;
  if (choice === undefined) return;
  const { type, decision_id: named } = action;
  const due = type === "force_pass" ? "pass" : tree(action["choice"])["type"];
  const isOwn = typeof type === "string" && ANSWERS.has(type) && id !== undefined;
  const path = `.effects[${at}].choice`;
  if (isOwn && due !== undefined && isEqual(id, named) && !isEqual(choice, due)) {
    report(path, said`${shown(choice)} instead of ${shown(due)}`);
  }
  if (options === undefined || how === "forced") return;
  if (!options.some((each) => isEqual(choice, each))) {
    report(path, said`${shown(choice)} is none of the options`);
  }
}

/**
 * An effect is what its action asks for.
 * @param {Body} view
 * @param {Tree} effect
 * @param {ReadonlyMap<unknown, {role: unknown, sides: unknown}>} seats  as they were shown so far
 * @param {number} at
 * @param {Report} report
 */
export function judgeRepetition(view, effect, seats, at, report) {
  const { type } = effect;
  const byActions = ASKED.get(type);
  if (byActions === undefined) return;
  if (!isAsked(effect)) return;
  const [action, by] = [tree(view.action), tree(view.by)];
  const rows = byActions.get(action["type"]);
  const path = `.effects[${at}]`;
  const isEarly =
    type === "seed_revealed" && action["type"] === "end_encounter" && !revealsNow(action);
  if (rows === undefined || isEarly || (type !== MANY && isRepeated(view.effects, at))) {
    report(path, said`an effect that the action does not ask for`);
    return;
  }
  /** @type {(name: string, given: unknown, due: unknown) => void} */
  const compare = (name, given, due) => {
    if (!isEqual(given, due)) report(`${path}.${name}`, said`${shown(given)} instead of ${shown(due)}`);
  };
  for (const row of rows) compare(row.name, found(effect, row.given), found(action, row.asked));
  if (type === "contributed") compare("seat", effect["seat"], by["seat"] ?? by["id"]);
  if (type === "encounter_created") {
    compare("sides", idsOf(effect["sides"]), idsOf(action["sides"]));
    compare("creator", effect["creator"], view.by);
  }
  if (type === "erased") compare("seqs", effect["seqs"], once(action["seqs"]));
  if (type !== MANY) return;
  const seat = tree(effect["seat"]);
  const nth = count(view.effects.slice(0, at), MANY);
  const due = dueOfSeat(action, seats.get(seat["id"]), nth);
  for (const [name, value] of due) compare(`seat.${name}`, seat[name], value);
  const isRemoved = action["type"] === "remove_seat" ? true : undefined;
  compare("removed", effect["removed"], isRemoved);
}

/**
 * What a seat must be: as it was asked for, in event 1 the one at that place; what is not asked is
 * as it was last.
 * @param {Tree} action
 * @param {{role: unknown, sides: unknown} | undefined} last
 * @param {number} nth
 * @returns {[name: string, due: unknown][]}
 */
function dueOfSeat(action, last, nth) {
  if (action["type"] === "create_encounter") {
    const { id, role, sides } = tree(list(action["seats"])[nth]);
    return Object.entries({ id, role, sides });
  }
  if (action["type"] !== "change_seat") return [];
  const { role = last?.role, sides = last?.sides, combatants } = action;
  return Object.entries({ role, sides, combatants }).filter(([, due]) => due !== undefined);
}

/**
 * Whether an effect of this type, which counts, is before one in the event.
 * @param {Body["effects"]} effects
 * @param {number} at
 */
function isRepeated(effects, at) {
  const type = effects[at]?.type;
  return effects.slice(0, at).some((each) => each?.type === type && isAsked(tree(each)));
}

/**
 * Whether an effect comes with an action alone: a battle may end by the rules, too.
 * @param {Tree} effect
 */
function isAsked({ type, cause = "gm" }) {
  return type !== "encounter_ended" || cause === "gm";
}

/**
 * Whoever acts attacks the target that was asked for; a shot astray may strike an ally.
 * @param {Tree} action
 * @param {Tree} effect
 * @param {number} at
 * @param {Report} report
 */
export function judgeTarget(action, effect, at, report) {
  const [asked, given] = [action["target"], effect["target"]];
  if (asked === undefined || given === undefined || effect["rule"] === "CF-ALLY-3") return;
  const { attacker } = tree(effect["detail"]);
  if (attacker === undefined || !isEqual(attacker, action["combatant"])) return;
  if (isEqual(given, asked)) return;
  report(`.effects[${at}].target`, said`${shown(given)} instead of ${shown(asked)}`);
}

/**
 * Whoever is asked to move moves; others may flee then.
 * @param {Tree} action
 * @param {Tree} effect
 * @param {number} at
 * @param {Report} report
 */
export function judgeMover(action, effect, at, report) {
  const [asked, given] = [action["combatant"], effect["combatant"]];
  if (action["type"] !== "move" || effect["cause"] === "panic") return;
  if (asked === undefined || given === undefined || isEqual(given, asked)) return;
  report(`.effects[${at}].combatant`, said`${shown(given)} instead of ${shown(asked)}`);
}

/**
 * Whole numbers in order, each once; anything else as it is.
 * @param {unknown} seqs
 */
function once(seqs) {
  if (!Array.isArray(seqs) || !seqs.every(Number.isSafeInteger)) return seqs;
  return [...new Set(seqs)].sort((one, other) => one - other);
}

/**
 * What is found by these steps.
 * @param {unknown} value
 * @param {readonly string[]} steps
 */
function found(value, steps) {
  let inner = value;
  for (const step of steps) inner = isRecord(inner) ? inner[step] : undefined;
  return inner;
}

/**
 * The ids of objects in an array.
 * @param {unknown} listed
 */
function idsOf(listed) {
  return list(listed).map((each) => tree(each)["id"]);
}

/**
 * @param {unknown} value
 * @returns {readonly unknown[]}
 */
function list(value) {
  return Array.isArray(value) ? value : NONE;
}

/**
 * @param {unknown} value
 * @returns {Tree}
 */
function tree(value) {
  return isRecord(value) ? value : NOTHING;
}
