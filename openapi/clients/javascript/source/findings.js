/**
 * What is found wrong. `code` is the word of the specification; `line` counts from 1; `path` is a
 * place of an event as the specification writes it, `where` a place of the log.
 */

import { said } from "./details.js";

/**
 * @typedef {object} Finding
 * @property {string} code
 * @property {number} [line]
 * @property {number} [seq]
 * @property {string} [path]
 * @property {string} [where]
 * @property {string} detail  what is there and what belongs there
 *
 * @typedef {import("./details.js").Detail} Detail
 * @typedef {Omit<Finding, "detail"> & {detail: Detail}} Found  before it is reported in a language
 */

/** A difference that ends the check of an event or of the file. */
export class Difference extends Error {
  /**
   * @param {string} code
   * @param {Detail} detail
   * @param {{path?: string, where?: string}} [place]
   */
  constructor(code, detail, place = {}) {
    super(detail.in("en"));
    this.code = code;
    this.detail = detail;
    this.place = place;
  }
}

/**
 * Steps as the specification writes them: `$.draws[0].face`.
 * @param {readonly (string | number)[]} steps
 * @param {string} [root]
 * @returns {string}
 */
export function pathText(steps, root = "$") {
  return root + steps.map((each) => (typeof each === "number" ? `[${each}]` : `.${each}`)).join("");
}

/**
 * A value in a message: its JSON, cut where it is long. Never throws.
 * @param {unknown} value
 * @returns {string | Detail}
 */
export function shown(value) {
  if (typeof value === "object" && value !== null) return said`an object or array`;
  if (value === undefined) return said`nothing`;
  const text = String(JSON.stringify(value));
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}
