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
 * An action has the effect that it asks for.
 * @param {Tree} action
 * @param {readonly Tree[]} effects
 * @param {Report} report
 */
export function judgeMissing(action, effects, report) {
  const due = EFFECTS_OF.get(action["type"]);
  if (due === undefined || effects.some((each) => due.includes(each["type"]))) return;
  report(".action", said`an action without its effect`);
}

/**
 * An effect is what its action asks for.
 * @param {Body} view
 * @param {Tree} effect
 * @param {number} at
 * @param {Report} report
 */
export function judgeRepetition(view, effect, at, report) {
  const { type } = effect;
  const byActions = ASKED.get(type);
  if (byActions === undefined) return;
  if (!isAsked(effect)) return;
  const [action, by] = [tree(view.action), tree(view.by)];
  const rows = byActions.get(action["type"]);
  const path = `.effects[${at}]`;
  if (rows === undefined || (type !== MANY && isRepeated(view.effects, at))) {
    report(path, said`an effect that the action does not ask for`);
    return;
  }
  /** @type {(name: string, given: unknown, due: unknown) => void} */
  const compare = (name, given, due) => {
    if (!isEqual(given, due)) report(`${path}.${name}`, said`${shown(given)} instead of ${shown(due)}`);
  };
  for (const row of rows) compare(row.name, found(effect, row.given), found(action, row.asked));
  if (type === "contributed") compare("seat", effect["seat"], by["seat"] ?? by["id"]);
  if (type === "encounter_created") compare("creator", effect["creator"], view.by);
  if (type === "erased") compare("seqs", effect["seqs"], once(action["seqs"]));
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
 * @param {unknown} value
 * @returns {Tree}
 */
function tree(value) {
  return isRecord(value) ? value : NOTHING;
}
