/**
 * Canonical JSON: RFC 8785, restricted to objects with keys of `a-z0-9_`, arrays, strings, whole
 * numbers within 2^53 - 1, true and false.
 *
 * How this works. `JSON.stringify` writes just this form for a value whose keys were already read
 * in order, escapes included; so a value is walked once to be checked and then written by it. Where
 * a key out of order or one that looks like an index was seen (an engine enumerates those first),
 * our own writer sorts.
 */

import { said } from "./details.js";

/** Nothing of the service nests nearly as deep; deeper values are refused, not walked. */
export const DEEPEST = 1000;

const KEY = /^[a-z0-9_]+$/;
const INDEX = /^[0-9]/;
/** Keys that were seen to be good; bounded, since a file may bring any number of them. */
const GOOD_KEYS = new Set();
const MOST_KEYS = 4096;

/** A value that canonical JSON cannot hold. `path` leads to it from the value that was checked. */
export class NotCanonical extends Error {
  /**
   * @param {import("./details.js").Detail} reason
   * @param {(string | number)[]} [path]
   */
  constructor(reason, path = []) {
    super(reason.in("en"));
    this.reason = reason;
    this.path = path;
  }
}

/**
 * The canonical text of a value as `JSON.parse` gives it. Throws NotCanonical for a value that has
 * none; such as null, a fraction, a key with a capital, half of a surrogate pair.
 * @param {unknown} value
 * @returns {string}
 */
export function canonicalText(value) {
  return isInOrder(value, 0) ? JSON.stringify(value) : written(value);
}

/**
 * Check a value; true if its keys stand in the order of their bytes.
 * @param {unknown} value
 * @param {number} depth
 * @returns {boolean}
 */
function isInOrder(value, depth) {
  switch (typeof value) {
    case "string":
      if (value.includes("\0") || !value.isWellFormed()) {
        throw new NotCanonical(said`a string with U+0000 or half of a surrogate pair`);
      }
      return true;
    case "number":
      if (!Number.isSafeInteger(value))
        throw new NotCanonical(said`a number that is no safe integer`);
      return true;
    case "boolean":
      return true;
    case "object":
      if (value === null) throw new NotCanonical(said`null`);
      if (depth >= DEEPEST) throw new NotCanonical(said`nested deeper than ${DEEPEST}`);
      return Array.isArray(value)
        ? isArrayInOrder(value, depth + 1)
        : isObjectInOrder(/** @type {Record<string, unknown>} */ (value), depth + 1);
    default:
      throw new NotCanonical(said`${typeof value}`);
  }
}

/**
 * @param {unknown[]} value
 * @param {number} depth
 */
function isArrayInOrder(value, depth) {
  let inOrder = true;
  for (let at = 0; at < value.length; at++) {
    try {
      inOrder = isInOrder(value[at], depth) && inOrder;
    } catch (error) {
      throw within(error, at);
    }
  }
  return inOrder;
}

/**
 * @param {Record<string, unknown>} value
 * @param {number} depth
 */
function isObjectInOrder(value, depth) {
  let inOrder = true;
  let before = "";
  for (const key of Object.keys(value)) {
    if (!GOOD_KEYS.has(key)) requireKey(key);
    if (key <= before || INDEX.test(key)) inOrder = false;
    before = key;
    try {
      inOrder = isInOrder(value[key], depth) && inOrder;
    } catch (error) {
      throw within(error, key);
    }
  }
  return inOrder;
}

/** @param {string} key */
function requireKey(key) {
  if (!KEY.test(key)) throw new NotCanonical(said`a key with other characters than a-z0-9_`);
  if (GOOD_KEYS.size < MOST_KEYS) GOOD_KEYS.add(key);
}

/**
 * @param {unknown} error
 * @param {string | number} step
 */
function within(error, step) {
  if (error instanceof NotCanonical) error.path.unshift(step);
  return error;
}

/**
 * The text of a checked value, its keys sorted.
 * @param {unknown} value
 * @returns {string}
 */
function written(value) {
  if (Array.isArray(value)) return `[${value.map(written).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = /** @type {Record<string, unknown>} */ (value);
  const pairs = Object.keys(members)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${written(members[key])}`);
  return `{${pairs.join(",")}}`;
}
