// What a game master may overrule in a rulebook, read from its published JSON Schema: no ruleset has
// its own code here.

/**
 * @typedef {object} Field
 * @property {string} name
 * @property {"combatant" | "side" | "thing" | "word" | "number" | "yes" | "place" | "text"} form
 * @property {boolean} required
 * @property {any} [preset] what counts where nothing is stated
 * @property {string[]} [words]
 * @property {number} [min]
 * @property {number} [max]
 * @property {number} [longest] letters
 * @property {Field[]} [parts] of a place
 */
/** @typedef {{type: string, fields: Field[]}} Kind a change that `adjust` takes */

const COMBATANTS = new Set(["combatant", "versus"]);
const THINGS = new Set(["weapon", "item"]);

/**
 * The changes that `adjust` takes, in the order in which they are published.
 *
 * @param {any} schema of a ruleset, as `rulesetSchema` gives it
 * @returns {Kind[]}
 */
export function changesIn(schema) {
  const resolved = (/** @type {any} */ one) => (one?.$ref ? schema.$defs[one.$ref.split("/").at(-1)] : one);
  const actions = resolved(schema.properties.action);
  const adjust = resolved({ $ref: actions.discriminator.mapping.adjust });
  /** @type {Record<string, string>} */
  const kinds = adjust.properties.changes.items.discriminator.mapping;
  return Object.entries(kinds).map(([type, place]) => ({ type, fields: fieldsOf(resolved({ $ref: place }), resolved) }));
}

/** @param {any} kind @param {(one: any) => any} resolved @returns {Field[]} */
function fieldsOf(kind, resolved) {
  return Object.entries(kind.properties)
    .filter(([name]) => name !== "type")
    .map(([name, one]) => fieldOf(name, resolved(one), (kind.required ?? []).includes(name), resolved));
}

/** @param {string} name @param {any} one @param {boolean} required @param {(one: any) => any} resolved @returns {Field} */
function fieldOf(name, one, required, resolved) {
  const field = { name, required, preset: one.default };
  if (COMBATANTS.has(name)) return { ...field, form: "combatant" };
  if (name === "side") return { ...field, form: "side" };
  if (THINGS.has(name)) return { ...field, form: "thing", longest: one.maxLength };
  if (one.enum || one.const !== undefined) return { ...field, form: "word", words: one.enum ?? [one.const] };
  if (one.type === "integer") return { ...field, form: "number", min: one.minimum, max: one.maximum };
  if (one.type === "boolean") return { ...field, form: "yes" };
  if (one.type === "object") return { ...field, form: "place", parts: fieldsOf(one, resolved) };
  return { ...field, form: "text", longest: one.maxLength };
}

/**
 * What a field is by now, to begin with.
 *
 * @param {any} state the game master's
 * @param {string} type of the change
 * @param {Field} field
 * @param {Record<string, any>} stated what was chosen so far
 */
export function presentOf(state, type, field, stated) {
  const sheet = state.combatants.find((/** @type {any} */ each) => each.id === stated["combatant"]);
  if (type === "hp" && field.name === "value") return sheet?.health;
  if (type === "stat" && field.name === "value") return sheet?.[stated["stat"]] ?? sheet?.skills?.[stated["stat"]];
  if (type === "fp" && field.name === "value") return state.sides.find((/** @type {any} */ each) => each.id === stated["side"])?.fp;
  if (["place", "facing", "posture"].includes(field.name)) return sheet?.[field.name];
  return field.preset;
}

/** Ids of what somebody carries. @param {any} state @param {string | undefined} id */
export function thingsOf(state, id) {
  const sheet = state.combatants.find((/** @type {any} */ each) => each.id === id) ?? {};
  const lists = Object.values(sheet).filter(Array.isArray).flat();
  const ids = lists.map((each) => each?.id).filter((each) => typeof each === "string");
  return [...new Set([...ids, ...(sheet.held_items ?? [])])].sort();
}

/**
 * A change as it is sent.
 *
 * @param {any} state
 * @param {Kind} kind
 * @param {Record<string, any>} stated
 */
export function changeOf(state, kind, stated) {
  /** @type {Record<string, any>} */
  const change = { type: kind.type };
  for (const field of kind.fields) {
    const value = stated[field.name] ?? presentOf(state, kind.type, field, { ...stated, ...change }) ?? onlyOf(field);
    if (value !== undefined && value !== "") change[field.name] = value;
  }
  return change;
}

/** What a field must be where it has one value only. @param {Field} field */
export const onlyOf = ({ words, required }) => (required && words?.length === 1 ? words[0] : undefined);
