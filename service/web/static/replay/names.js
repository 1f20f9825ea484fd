// What people call combatants, units, sides and seats.
import { say } from "../shell/texts.js";

/**
 * Names by id, of a battle as its reader sees it.
 *
 * @param {any} state of the rulebook; null where nothing is known of it
 * @param {any} scene
 * @returns {(id: string) => string} the id itself where there is no name
 */
export function namesIn(state, scene) {
  const lists = [state?.combatants, scene?.combatants, state?.units, state?.sides];
  const all = lists.filter(Array.isArray).flat().reverse();
  const names = new Map(all.filter((each) => each?.name).map((each) => [each.id, each.name]));
  return (id) => names.get(id) ?? id;
}

/**
 * Names of those who act: seats, the game master, the service.
 *
 * @param {readonly {id: string, name?: string}[]} seats
 * @returns {(by: string) => string}
 */
export function seatNames(seats) {
  const names = new Map(seats.map((each) => [each.id, each.name ?? each.id]));
  const others = new Map([["gm", say("role_gm")], ["key", say("role_gm")], ["system", say("the_service")]]);
  return (by) => names.get(by) ?? others.get(by) ?? by;
}
