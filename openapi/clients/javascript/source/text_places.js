/**
 * The places of text: where a text part may set a string, by the type of the action or effect.
 *
 * How this works. The table is that of the specification. A place is written with dots between its
 * steps and `*` for any position.
 */

import { isRecord } from "./line_form.js";
import { PLACES } from "./text_places_table.js";

const ANY = "*";

/**
 * @typedef {Readonly<Record<string, readonly string[]>>} PlacesByType
 * @typedef {{all: readonly string[], held: readonly string[], meanwhile: readonly string[],
 *   questions: readonly string[], shared: PlacesByType, standing: readonly string[],
 *   waiting: readonly string[]}} ListedRolls
 */

const OF_DRAWS = PLACES.draws.map((each) => each.split("."));

/**
 * Whether facts may set something at a path that begins with `draws`.
 * @param {readonly (string | number)[]} path
 */
export function isPlaceOfDraws(path) {
  return OF_DRAWS.some((place) => leadsTo(path, 1, place));
}

/** The places of rolls of one version of a ruleset: which may tell faces again, and why. */
export class RollPlaces {
  /** @param {ListedRolls} listed */
  constructor({ all, held, meanwhile, questions, shared, standing, waiting }) {
    this.all = new Set(all);
    this.held = new Set(held);
    this.meanwhile = new Set(meanwhile);
    this.questions = new Set(questions);
    this.shared = new Map(Object.entries(shared));
    this.standing = new Set(standing);
    this.waiting = new Set(waiting);
  }
}

/** The places of text of one version of a ruleset, and those of rolls. */
export class TextPlaces {
  /**
   * @param {PlacesByType} actions
   * @param {PlacesByType} effects
   * @param {ListedRolls} rolls
   */
  constructor(actions, effects, rolls) {
    this.actions = placesOf(actions);
    this.effects = placesOf(effects);
    this.rolls = new RollPlaces(rolls);
  }

  /**
   * Whether a path leads to a place of text. Of a type that the table does not have any place may
   * be one.
   * @param {unknown} view  the event, which has the types
   * @param {readonly (string | number)[]} path
   * @returns {boolean}
   */
  has(view, path) {
    if (!isRecord(view)) return false;
    const [first, at] = path;
    if (first === "action") return isAmong(this.actions, view["action"], path, 1);
    if (first !== "effects" || typeof at !== "number") return false;
    const { effects } = view;
    return isAmong(this.effects, Array.isArray(effects) ? effects[at] : undefined, path, 2);
  }
}

/** The number of the table. */
export const TABLE_FORMAT = PLACES.format;

/**
 * Where the first action or effect is whose type the table does not have.
 * @param {import("./line_form.js").EventLine} line
 * @param {TextPlaces} places
 * @returns {string | undefined}
 */
export function unknownType({ event, parts }, places) {
  const { action, effects } = event;
  if (action && !places.actions.has(action.type)) return "$.action.type";
  for (const [at, { type }] of effects.entries()) {
    if (!places.effects.has(type)) return `$.effects[${at}].type`;
  }
  for (const { kind, audience, body } of factsOf(parts)) {
    for (const [at, [path, value]] of (body?.entries ?? []).entries()) {
      const known = path.length === 1 && path[0] === "action" ? places.actions : places.effects;
      const isWhole = known === places.actions || (path.length === 2 && path[0] === "effects");
      const type = isRecord(value) ? value["type"] : undefined;
      if (isWhole && !(typeof type === "string" && known.has(type)))
        return `parts.${kind}.${audience}.entries[${at}]`;
    }
  }
  return undefined;
}

/** @param {readonly import("./line_form.js").Part[]} parts */
function factsOf(parts) {
  return parts.filter(({ kind }) => kind === "facts");
}

/** @type {Map<string, TextPlaces>} */
const KNOWN = new Map();
for (const { ruleset, versions, actions, effects, rolls } of PLACES.rulesets) {
  const places = new TextPlaces(actions, effects, rolls);
  for (const version of versions) KNOWN.set(JSON.stringify([ruleset, version]), places);
}

/**
 * The places of a version of a ruleset; undefined for one that the table does not have.
 * @param {unknown} ruleset
 * @param {unknown} version
 * @returns {TextPlaces | undefined}
 */
export function textPlacesOf(ruleset, version) {
  return KNOWN.get(JSON.stringify([ruleset, version]));
}

/**
 * @param {PlacesByType} byType
 * @returns {Map<string, string[][]>}
 */
function placesOf(byType) {
  return new Map(
    Object.entries(byType).map(([type, places]) => [type, places.map((each) => each.split("."))]),
  );
}

/**
 * @param {Map<string, string[][]>} places
 * @param {unknown} holder  the action or effect
 * @param {readonly (string | number)[]} path
 * @param {number} from  steps that lead to the holder
 */
function isAmong(places, holder, path, from) {
  const type = isRecord(holder) ? holder["type"] : undefined;
  if (typeof type !== "string" || path.length <= from) return false;
  return places.get(type)?.some((place) => leadsTo(path, from, place)) ?? true;
}

/**
 * Whether the steps of a path behind some are those of a place.
 * @param {readonly (string | number)[]} path
 * @param {number} from
 * @param {readonly string[]} place
 */
function leadsTo(path, from, place) {
  return (
    path.length === from + place.length &&
    place.every((step, at) => {
      const own = path[from + at];
      return typeof own === "number" ? step === ANY : step === own && step !== ANY;
    })
  );
}
