// What the pages say, in the language of the reader.
import { settings } from "./settings.js";

/** @typedef {string | Partial<Record<Intl.LDMLPluralRule, string>>} Text */
/** @typedef {Record<string, Text>} Texts */

/** @type {Record<import("./settings.js").Language, Texts>} */
const all = { en: {}, ru: {} };

/**
 * Add a page's texts; those of both languages have the same keys.
 *
 * @param {Texts} en
 * @param {Texts} ru
 */
export function addTexts(en, ru) {
  Object.assign(all.en, en);
  Object.assign(all.ru, ru);
}

/**
 * The text of a key with `{names}` filled in. One with forms of number takes the one for `n`.
 *
 * @param {string} key
 * @param {Record<string, string | number>} [params]
 * @returns {string}
 */
export function say(key, params = {}) {
  const language = settings.value.language;
  const text = all[language][key] ?? all.en[key] ?? key;
  const form = typeof text === "string" ? text : counted(text, language, Number(params["n"]));
  return form.replace(/\{(\w+)\}/g, (_, name) => String(params[name] ?? ""));
}

/** @param {string} key whether there is a text of that key */
export const has = (key) => key in all.en;

/**
 * @param {Partial<Record<Intl.LDMLPluralRule, string>>} text
 * @param {string} language
 * @param {number} n
 */
function counted(text, language, n) {
  return text[new Intl.PluralRules(language).select(n)] ?? text.other ?? "";
}
