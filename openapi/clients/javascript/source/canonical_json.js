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

/** Levels of a line, the line itself being the first; deeper values are refused, not walked. */
export const DEEPEST = 256;

const KEY = /^[a-z0-9_]+$/;
const INDEX = /^[0-9]/;
/** Keys that were seen to be good; bounded, since a file may bring any number of them. */
const GOOD_KEYS = new Set();
const MOST_KEYS = 4096;

/**
 * A value that canonical JSON cannot hold. `path` leads to it from the value that was checked;
 * `isUnreadable`: not every reader of JSON takes it.
 */
export class NotCanonical extends Error {
  /**
   * @param {import("./details.js").Detail} reason
   * @param {boolean} [isUnreadable]
   */
  constructor(reason, isUnreadable = false) {
    super(reason.in("en"));
    this.reason = reason;
    this.isUnreadable = isUnreadable;
    /** @type {(string | number)[]} */
    this.path = [];
  }
}

/**
 * The canonical text of a value as `JSON.parse` gives it. Throws NotCanonical for a value that has
 * none; such as null, a fraction, a key with a capital, half of a surrogate pair.
 * @param {unknown} value
 * @returns {string}
 */
export function canonicalText(value) {
  return isOrdered(value) ? JSON.stringify(value) : written(value);
}

/**
 * Whether the members of a value stand in the order of canonical JSON at every depth, so that
 * `JSON.stringify` gives the canonical text of it and of everything in it. Throws NotCanonical.
 * @param {unknown} value
 * @returns {boolean}
 */
export function isOrdered(value) {
  return isInOrder(value, 0);
}

/**
 * The canonical text of a value that is known to be ordered, or of any.
 * @typedef {(value: unknown) => string} Writer
 */

/**
 * What writes the values of a line: nothing is checked twice.
 * @param {boolean} ordered  whether the line was found to be ordered
 * @returns {Writer}
 */
export function writerOf(ordered) {
  return ordered ? JSON.stringify : canonicalText;
}

/**
 * Whether a value as `JSON.parse` gives it has no half of a surrogate pair and no more levels than a
 * line may have.
 * @param {unknown} value
 * @param {number} [depth]
 * @returns {boolean}
 */
export function isReadable(value, depth = 0) {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value !== "object" || value === null) return true;
  const isShallow = depth < DEEPEST && Object.keys(value).every((key) => key.isWellFormed());
  return isShallow && Object.values(value).every((each) => isReadable(each, depth + 1));
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
      requireWellFormed(value);
      if (value.includes("\0")) throw new NotCanonical(said`a string with U+0000`);
      return true;
    case "number":
      if (!Number.isSafeInteger(value))
        throw new NotCanonical(said`a number that is no safe integer`);
      return true;
    case "boolean":
      return true;
    case "object":
      if (value === null) throw new NotCanonical(said`null`);
      if (depth >= DEEPEST) throw new NotCanonical(said`nested deeper than ${DEEPEST}`, true);
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

/** @param {string} text */
function requireWellFormed(text) {
  if (!text.isWellFormed()) throw new NotCanonical(said`half of a surrogate pair`, true);
}

/** @param {string} key */
function requireKey(key) {
  requireWellFormed(key);
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
