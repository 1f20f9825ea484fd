/**
 * Who is known to an audience: whom an effect names must have been seen, and continues from where it
 * was seen last.
 *
 * How this works. An event continues behind its `base`, which after a rewind is not the one before it.
 * Kept are those seen behind the last event, and of each event what it changed; behind another base
 * they are put together again, from event to base.
 */

import { said } from "./details.js";
import { Difference, shown } from "./findings.js";
import { isEqual } from "./json_patch.js";
import { isRecord } from "./line_form.js";

/**
 * @typedef {{side: string, place: unknown}} Sighting
 * @typedef {Record<string, unknown>} Effect
 */

export class Sightings {
  /**
   * @param {string} audience
   * @param {string} root  of paths into its view
   */
  constructor(audience, root) {
    this.audience = audience;
    this.root = root;
    this.last = 0;
    /** @type {Map<string, Sighting>} */
    this.known = new Map();
    /** By seq. @type {Map<number, {base: number, changes: [string, Sighting | undefined][]}>} */
    this.events = new Map();
  }

  /**
   * Take in an event as the audience sees it; the first effect that names whom nobody sees, or where
   * nobody was.
   * @param {{seq: number, base: number, effects: readonly Effect[]}} view
   * @returns {Difference | undefined}
   */
  fold({ seq, base, effects }) {
    if (base !== this.last) this.known = this.behind(base);
    /** @type {[string, Sighting | undefined][]} */
    const changes = [];
    let first;
    for (const [at, effect] of effects.entries()) {
      const wrong = this.take(effect, changes, `${this.root}.effects[${at}]`);
      first ??= wrong;
    }
    this.events.set(seq, { base, changes });
    this.last = seq;
    return first;
  }

  /**
   * Those known behind an event.
   * @param {number} seq
   * @returns {Map<string, Sighting>}
   */
  behind(seq) {
    const way = [];
    for (let at = this.events.get(seq); at; at = this.events.get(at.base)) way.push(at);
    /** @type {Map<string, Sighting>} */
    const known = new Map();
    for (const { changes } of way.reverse()) {
      for (const [name, sighting] of changes) put(known, name, sighting);
    }
    return known;
  }

  /**
   * @param {Effect} effect
   * @param {[string, Sighting | undefined][]} changes
   * @param {string} path
   * @returns {Difference | undefined}
   */
  take(effect, changes, path) {
    const { type, combatant, state } = effect;
    const see = (/** @type {string} */ name, /** @type {Sighting | undefined} */ sighting) => {
      changes.push([name, sighting]);
      put(this.known, name, sighting);
    };
    if (type === "encounter_created" && isRecord(state)) {
      const taken = Array.isArray(state["combatants"]) ? state["combatants"] : [];
      for (const each of taken) if (isStated(each)) see(each.id, sightingOf(each));
    }
    if ((type === "combatant_added" || type === "revealed") && isStated(combatant)) {
      see(combatant.id, sightingOf(combatant));
    }
    if (typeof combatant !== "string") return undefined;
    const before = this.known.get(combatant);
    if (!before) {
      const detail = said`${shown(combatant)} is not known here`;
      return new Difference("rules", detail, { path: `${path}.combatant` });
    }
    if (type === "hidden" && this.audience !== before.side) see(combatant, undefined);
    if (type !== "moved") return undefined;
    see(combatant, { side: before.side, place: effect["end"] });
    const isThere = before.place === undefined || isSpot(effect["start"], before.place);
    if (isThere) return undefined;
    const detail = said`the move begins elsewhere than where ${shown(combatant)} was seen last`;
    return new Difference("rules", detail, { path: `${path}.start` });
  }
}

/**
 * @param {Map<string, Sighting>} known
 * @param {string} name
 * @param {Sighting | undefined} sighting
 */
function put(known, name, sighting) {
  if (sighting) known.set(name, sighting);
  else known.delete(name);
}

/**
 * @param {unknown} value
 * @returns {value is {id: string, side: string, place?: unknown}}
 */
function isStated(value) {
  return isRecord(value) && typeof value["id"] === "string" && typeof value["side"] === "string";
}

/**
 * @param {{side: string, place?: unknown}} combatant
 * @returns {Sighting}
 */
function sightingOf({ side, place }) {
  return { side, place };
}

/**
 * Whether two places are one; their heights may differ.
 * @param {unknown} one
 * @param {unknown} other
 */
function isSpot(one, other) {
  if (!isRecord(one) || !isRecord(other)) return isEqual(one, other);
  return isEqual(one["x"], other["x"]) && isEqual(one["y"], other["y"]);
}
