/** Random names: keys that make a call the same one when it is repeated, tokens of seats. */

import { base64url, hex, utf8 } from "./bytes.js";
import { sha256 } from "./sha256.js";

/**
 * Random bytes in lower-case hex.
 * @param {number} count
 * @returns {string}
 */
function randomHex(count) {
  return hex(globalThis.crypto.getRandomValues(new Uint8Array(count)));
}

/** @returns {string} an `Idempotency-Key` that nobody had before: 128 random bits in hex */
export function newKey() {
  return randomHex(16);
}

/**
 * The SHA-256 of a text in UTF-8, in hex.
 * @param {string} text
 * @returns {string}
 */
export function digestOf(text) {
  return hex(sha256(utf8(text)));
}

/** @returns {string} the token of a seat, made by whoever joins: `ws_` and 256 random bits */
export function newToken() {
  return `ws_${base64url(globalThis.crypto.getRandomValues(new Uint8Array(32)))}`;
}
