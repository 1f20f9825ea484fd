// Words of the rulebook in the language of the reader: of its terms, else of what every battle has;
// and what the content of a battle calls its things.
import { signal } from "@preact/signals";
import { nameOfThing, titleOf, titlesIn } from "../shell/content_names.js";
import { settings } from "../shell/settings.js";
import { addTexts, has, say } from "../shell/texts.js";
import en from "../texts/en/sheet.js";
import ru from "../texts/ru/sheet.js";

addTexts(en, ru);

/** @typedef {{en: string, ru: string}} Term */

const terms = signal(/** @type {ReadonlyMap<string, Term>} */ (new Map()));
const titles = signal(titlesIn(null));
let book = "";
let content = "";

/**
 * Have the words of a rulebook from now on. One that is not known here has none.
 *
 * @param {import("warlog").Warlog} warlog
 * @param {string} ruleset
 * @param {string} version
 */
export async function readWords(warlog, ruleset, version) {
  const wanted = `${ruleset} ${version}`;
  if (wanted === book) return;
  book = wanted;
  terms.value = new Map();
  try {
    const detail = await warlog.ruleset(ruleset, { version });
    if (book === wanted) terms.value = new Map(detail.terms.map((/** @type {any} */ each) => [each.id, each]));
  } catch {
    if (book === wanted) book = "";
  }
}

/**
 * Have the names that a content gives from now on.
 *
 * @param {{content(digest: string): Promise<any>}} source
 * @param {string | undefined} digest of the content; absent where the battle has none
 */
export async function readTitles(source, digest = "") {
  if (digest === content) return;
  content = digest;
  titles.value = titlesIn(null);
  try {
    const named = titlesIn(digest && (await source.content(digest)));
    if (content === digest) titles.value = named;
  } catch {
    if (content === digest) content = "";
  }
}

/** What the content calls something by its id. @param {string} id */
export const titleOfId = (id) => titleOf(titles.value, id);

/** What something that a sheet lists is called. @param {any} thing @returns {string | undefined} */
export const thingName = (thing) => nameOfThing(titles.value, thing);

/** @param {string} id @returns {string | undefined} where it is an id and no word of the rules */
export function wordOf(id) {
  const { language } = settings.value;
  const term = terms.value.get(id) ?? terms.value.get(`position_${id}`);
  const key = [`word_${id}`, `sheet_${id}`].find(has);
  return term?.[language] ?? (key && say(key));
}

/** @param {string} id of a kind of question, an option, a purpose of dice, a condition, a kind of ground */
export const word = (id) => wordOf(id) ?? id.replaceAll("_", " ");

/** What a number or list of a sheet or of the battle is called. @param {string} name of the field */
export const fieldName = (name) => (has(`sheet_${name}`) ? say(`sheet_${name}`) : word(name));
