// What is half done at a seat: choices made, faces typed. It is kept with the seat, so that neither a
// question in between nor another language nor a reload loses it.
import { keepForSeat, keptForSeat } from "../shell/seats.js";

/** @typedef {import("./live.js").Live} Live */

const DRAFTS = "drafts";

/** @param {Live} live @returns {Record<string, any>} */
const draftsOf = (live) => keptForSeat(live.stored, DRAFTS) ?? {};

/**
 * @param {Live} live
 * @param {string} name
 * @returns {any} undefined where there is none
 */
export const draftOf = (live, name) => draftsOf(live)[name];

/**
 * @param {Live} live
 * @param {string} name
 * @param {unknown} draft undefined: it is done or given up
 */
export function keepDraft(live, name, draft) {
  keepForSeat(live.stored, DRAFTS, { ...draftsOf(live), [name]: draft });
}

/** @param {string} decision the name of what is half done about a question */
export const draftName = (decision) => `q-${decision}`;

/**
 * Forget what was begun about questions that are no longer open.
 *
 * @param {Live} live
 * @param {readonly string[]} open ids of questions
 */
export function dropAnswered(live, open) {
  const names = new Set(open.map(draftName));
  const before = draftsOf(live);
  const left = Object.entries(before).filter(([name]) => !name.startsWith(draftName("")) || names.has(name));
  if (left.length < Object.keys(before).length) keepForSeat(live.stored, DRAFTS, Object.fromEntries(left));
}
