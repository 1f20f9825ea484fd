// What the content of a battle calls its things, such as Melodies, weapons and samples of them.
import { settings } from "./settings.js";

/** @typedef {ReadonlyMap<string, {en?: string, ru?: string}>} Titles */

/**
 * Names by id. An id that things of two kinds have under different names has none.
 *
 * @param {any} content as the service keeps it; null where there is none
 * @returns {Titles}
 */
export function titlesIn(content) {
  const titles = new Map();
  const things = Object.values(content ?? {}).filter(Array.isArray).flat();
  for (const { id, name, en, ru } of things.filter((each) => typeof each?.id === "string")) {
    const title = name ?? { en, ru };
    const before = titles.get(id) ?? title;
    titles.set(id, before.en === title.en && before.ru === title.ru ? title : {});
  }
  return titles;
}

/**
 * A name in the reader's language, else in the other one.
 *
 * @param {Titles} titles
 * @param {string | undefined} id
 * @returns {string | undefined}
 */
export function titleOf(titles, id) {
  const title = titles.get(id ?? "");
  return title?.[settings.value.language] ?? title?.en ?? title?.ru;
}

/**
 * The name of something that a sheet lists: its own, else that of the sample that it is one of.
 *
 * @param {Titles} titles
 * @param {any} thing
 * @returns {string | undefined}
 */
export const nameOfThing = (titles, thing) => thing?.name ?? titleOf(titles, thing?.sample);
