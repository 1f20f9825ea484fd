// What of a battle is this seat's: combatants, questions, the turn.

/** @typedef {import("./live.js").Live} Live */
/** @typedef {import("warlog").Decision} Decision */

/** @param {Live} live */
export function ownSeat(live) {
  const seats = live.battle.table?.seats ?? [];
  return seats.find((/** @type {any} */ each) => each.id === live.stored.seat);
}

/** @param {Live} live the combatants that it acts for, in the order of the state */
export function ownCombatants(live) {
  const seat = ownSeat(live);
  const all = live.battle.state?.combatants ?? [];
  if (live.stored.role === "gm") return all;
  const sides = new Set(seat?.sides ?? []);
  const ids = new Set(seat?.combatants ?? []);
  return all.filter((/** @type {any} */ each) => sides.has(each.side) || ids.has(each.id));
}

/** @param {Live} live the answers that it may give, from what is legal now */
export function ownAnswers(live) {
  const open = new Set(live.battle.decisions.map((each) => each.id));
  const tree = live.tree.value;
  return (tree?.actions ?? []).filter(
    (each) => each.type === "answer" && each.decision && open.has(each.decision.id),
  );
}

/** @param {Live} live the dice that it is asked to roll at the table */
export function ownRolls(live) {
  const { seat, role } = live.stored;
  const seats = ownSeat(live);
  return live.battle.decisions.filter(
    (each) =>
      each.kind === "roll" &&
      (each.seat === seat || role === "gm" || (!each.seat && seats?.sides?.includes(each.side))),
  );
}

/** @param {Live} live ids of the questions that are asked of this seat */
export function ownQuestions(live) {
  return [
    ...ownAnswers(live).map((each) => String(each.decision?.id)),
    ...ownRolls(live).map((each) => each.id),
  ];
}

/** @param {Live} live who has the turn: ids of a combatant, a unit or a side */
export function turnOf(live) {
  const state = live.battle.state ?? {};
  const ids = [state.turn, state.turn_unit, state.turn_side].map(idOf);
  return ids.find((each) => each !== undefined);
}

/** @param {any} turn */
function idOf(turn) {
  if (typeof turn === "string") return turn;
  return turn?.combatant ?? turn?.unit ?? turn?.side ?? turn?.id;
}

/**
 * The deadline of a question or of the turn.
 *
 * @param {Live} live
 * @param {string} [decision]
 * @returns {{left: number, paused: boolean} | null} seconds left
 */
export function deadline(live, decision) {
  const timer = live.battle.timers.find((each) =>
    decision === undefined ? each.decision_id === undefined : each.decision_id === decision,
  );
  if (!timer) return null;
  if (timer.expires_at === undefined) return { left: timer.left_seconds ?? 0, paused: timer.paused };
  const left = (Date.parse(timer.expires_at) - live.battle.serverNow()) / 1000;
  return { left: Math.max(0, Math.ceil(left)), paused: false };
}
