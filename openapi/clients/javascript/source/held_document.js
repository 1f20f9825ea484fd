/** What a client holds of a battle, as the service shown it: `{decisions, state, table, scene?}`. */

import { patched } from "./json_patch.js";
import { digestOf } from "./secrets.js";

/**
 * @typedef {import("../warlog.js").Json} Json
 * @typedef {import("../warlog.js").BattleDocument} BattleDocument
 * @typedef {import("../warlog.js").PatchStep} PatchStep
 */

export class HeldDocument {
  constructor() {
    /** @type {BattleDocument | undefined} */
    this.value = undefined;
    /** The event behind which it stands. */
    this.seq = 0;
  }

  /** Hold nothing. */
  forget() {
    this.value = undefined;
    this.seq = 0;
  }

  /**
   * Hold another one.
   * @param {BattleDocument} value
   * @param {number} seq
   */
  take(value, seq) {
    this.value = value;
    this.seq = seq;
  }

  /**
   * Go on to the next event. Throws PatchMisfit; what is held stays as it was then.
   * @param {readonly PatchStep[]} steps
   * @param {number} seq
   */
  advance(steps, seq) {
    const before = /** @type {Json} */ (/** @type {unknown} */ (this.value));
    this.value = /** @type {BattleDocument} */ (/** @type {unknown} */ (patched(before, steps)));
    this.seq = seq;
  }

  /**
   * Whether it is the one that the service means.
   * @param {string} sha256
   * @returns {boolean}
   */
  is(sha256) {
    return this.value !== undefined && documentDigest(this.value) === sha256;
  }
}

/**
 * SHA-256 in hex of a document's canonical JSON, members named `metadata` left out: those are the
 * table's own and may hold what has no canonical form.
 * @param {unknown} document
 * @returns {string}
 */
export function documentDigest(document) {
  return digestOf(canonical(document));
}

/**
 * @param {unknown} value
 * @returns {string}
 */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = /** @type {Record<string, unknown>} */ (value);
  const pairs = Object.keys(members)
    .filter((name) => name !== "metadata")
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonical(members[name])}`);
  return `{${pairs.join(",")}}`;
}
