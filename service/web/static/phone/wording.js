// Words of the rules in the reader's language, and the names of whoever takes part and of things.
import { placeInWords } from "../scene/coordinates.js";
import { nameOfThing, titleOf } from "../shell/content_names.js";
import { settings } from "../shell/settings.js";
import { has, say } from "../shell/texts.js";
import { turnOf } from "./mine.js";

/** @typedef {import("./live.js").Live} Live */

/**
 * A word of the rulebook, else one that all share, else the word as it is.
 *
 * @param {Live} live
 * @param {string} word
 * @returns {string}
 */
export function label(live, word) {
  const language = settings.value.language;
  const term = live.ruleset.value?.terms?.find((/** @type {any} */ each) => each.id === word);
  if (has(`word_${word}`)) return say(`word_${word}`);
  if (term) return String(term[language] ?? term.en).replace(/^./u, (letter) => letter.toUpperCase());
  return word.replaceAll("_", " ").replace(/^./u, (letter) => letter.toUpperCase());
}

/**
 * @param {Live} live
 * @param {string | undefined} id of a combatant, a unit, a side or a seat
 * @returns {string}
 */
export function nameOf(live, id) {
  if (id === undefined) return "";
  const state = live.battle.state ?? {};
  const lists = [state.combatants, live.scene?.combatants, state.units, state.sides, live.battle.table?.seats];
  for (const list of lists) {
    const found = Array.isArray(list) ? list.find((each) => each?.id === id) : undefined;
    if (found) return found.name ?? id;
  }
  return id;
}

/**
 * @param {Live} live
 * @param {string} id
 */
export const isCombatant = (live, id) =>
  (live.battle.state?.combatants ?? []).some((/** @type {any} */ each) => each.id === id);

/**
 * The name that a table gave to something that somebody carries or sings, or that is in play: as
 * whoever is asked or has the turn carries it, where others call theirs otherwise.
 *
 * @param {Live} live
 * @param {string} id
 * @returns {string | undefined}
 */
export function thingText(live, id) {
  const { combatants = [], songs = [] } = live.battle.state ?? {};
  const titles = live.titles.value;
  const acting = [...live.battle.decisions.map((each) => each.combatant), turnOf(live)];
  const first = combatants.filter((/** @type {any} */ each) => acting.includes(each.id));
  for (const carrier of [...first, ...combatants]) {
    for (const things of Object.values(carrier).filter(Array.isArray)) {
      const name = nameOfThing(titles, things.find((each) => each?.id === id && nameOfThing(titles, each)));
      if (name) return name;
    }
  }
  return titleOf(titles, songs.find((/** @type {any} */ each) => each.id === id)?.melody ?? id);
}

/**
 * The text of a rule.
 *
 * @param {Live} live
 * @param {string} id
 */
export function ruleText(live, id) {
  const rule = live.ruleset.value?.rules?.find((/** @type {any} */ each) => each.id === id);
  return rule ? String(rule[settings.value.language] ?? rule.en) : id;
}

/**
 * What the chapter of a rule is about, in the rulebook's own word: `TD-FLANK-4` is flanking,
 * `CF-PB-1` point blank. The id itself where no word fits.
 *
 * @param {Live} live
 * @param {string} id
 */
export function chapterOf(live, id) {
  const chapter = (id.split("-")[1] ?? "").toLowerCase();
  const words = /** @type {string[]} */ ((live.ruleset.value?.terms ?? []).map((/** @type {any} */ each) => each.id));
  const initials = (/** @type {string} */ word) => word.split("_").map((each) => each[0]).join("");
  const fits = [
    (/** @type {string} */ word) => word === chapter,
    (/** @type {string} */ word) => word.startsWith(chapter),
    (/** @type {string} */ word) => initials(word) === chapter,
  ];
  for (const each of fits) {
    const found = words.find(each);
    if (found) return label(live, found);
  }
  return id;
}

/** @param {Live} live @param {{x: number, y: number, elevation?: number}} at */
export const placeText = (live, at) => placeInWords(at, live.scene);

/**
 * One option of a parameter in words.
 *
 * @param {Live} live
 * @param {any} value
 * @param {{x: number, y: number} | undefined} [at]
 * @param {string} [cost]
 * @returns {string}
 */
export function valueText(live, value, at, cost) {
  const price = cost ? ` · ${cost}` : "";
  if (typeof value === "string") {
    return (isCombatant(live, value) ? nameOf(live, value) : (thingText(live, value) ?? label(live, value))) + price;
  }
  if (typeof value === "boolean") return say(value ? "yes" : "no");
  if (typeof value === "number") return String(value);
  if (typeof value?.target === "string") return nameOf(live, value.target);
  if (at) return say("place", { at: placeText(live, at) }) + price;
  if (Array.isArray(value)) return value.map((each) => valueText(live, each, pointOf(each))).join(", ");
  const point = pointOf(value);
  return point ? say("place", { at: placeText(live, point) }) + price : JSON.stringify(value);
}

/**
 * @param {any} value
 * @returns {{x: number, y: number} | undefined}
 */
export function pointOf(value) {
  const place = value?.cell ?? value;
  return Number.isInteger(place?.x) && Number.isInteger(place?.y) ? place : undefined;
}
