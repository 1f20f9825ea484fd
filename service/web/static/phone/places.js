// Where options are: those of cells and points, and combatants that may be targets.
import { pointOf } from "./wording.js";

/** @typedef {import("./live.js").Live} Live */
/** @typedef {import("warlog").LegalOption} LegalOption */
/** @typedef {{at: {x: number, y: number}, option: LegalOption, reach: number}} Place */

/** @param {Live} live how many units of the scene people count as one */
export const scaleOf = (live) => live.scene?.scale?.length ?? 1;

/**
 * @param {Live} live
 * @param {string | undefined} id
 * @returns {any} the combatant as the scene has it
 */
export function combatantAt(live, id) {
  return live.scene?.combatants?.find((/** @type {any} */ each) => each.id === id);
}

/**
 * @param {Live} live
 * @param {LegalOption} option
 * @returns {{x: number, y: number} | undefined}
 */
function placeOf(live, option) {
  if (option.at) return option.at;
  const value = /** @type {any} */ (option.value);
  const id = typeof value === "string" ? value : value?.target;
  const combatant = typeof id === "string" ? combatantAt(live, id) : undefined;
  return combatant ? { x: combatant.x, y: combatant.y } : pointOf(value);
}

/**
 * @param {Live} live
 * @param {readonly LegalOption[]} options
 * @returns {Place[]}
 */
export function placesOf(live, options) {
  const reach = live.scene?.is_grid ? 0.5 : 2 * scaleOf(live);
  /** @type {Place[]} */
  const places = [];
  for (const option of options) {
    const at = placeOf(live, option);
    if (at) places.push({ at, option, reach });
  }
  return places;
}

/**
 * Options by how far they are from who acts; those without a place stay in their order.
 *
 * @param {Live} live
 * @param {readonly LegalOption[]} options
 * @param {string | undefined} actor
 */
export function sorted(live, options, actor) {
  const from = combatantAt(live, actor);
  if (!from) return [...options];
  const far = (/** @type {LegalOption} */ option) => {
    const at = placeOf(live, option);
    return at ? (at.x - from.x) ** 2 + (at.y - from.y) ** 2 : 0;
  };
  return [...options].sort((a, b) => far(a) - far(b));
}
