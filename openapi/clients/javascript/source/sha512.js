/** SHA-512 (FIPS 180-4) on BigInt: for the short messages of signatures, not for speed. */

import { rootFractions } from "./sha2_constants.js";

const MASK = (1n << 64n) - 1n;

const START = rootFractions(8, 2n, 64n);
const ROUND = rootFractions(80, 3n, 64n);

/**
 * @param {bigint} value
 * @param {bigint} by
 */
function turned(value, by) {
  return (value >> by) | ((value << (64n - by)) & MASK);
}

/**
 * SHA-512 over a message: 64 bytes.
 * @param {Uint8Array} message
 * @returns {Uint8Array}
 */
export function sha512(message) {
  const padded = new Uint8Array(Math.ceil((message.length + 17) / 128) * 128);
  padded.set(message);
  padded[message.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, BigInt(message.length) * 8n);
  let state = START;
  for (let at = 0; at < padded.length; at += 128) state = took(state, view, at);
  const digest = new DataView(new ArrayBuffer(64));
  state.forEach((word, i) => digest.setBigUint64(8 * i, word));
  return new Uint8Array(digest.buffer);
}

/**
 * @param {bigint[]} state
 * @param {DataView} view
 * @param {number} at
 */
function took(state, view, at) {
  const w = Array.from({ length: 16 }, (_, i) => view.getBigUint64(at + 8 * i));
  const word = (/** @type {number} */ i) => /** @type {bigint} */ (w[i]);
  for (let i = 16; i < 80; i++) {
    const [x, y] = [word(i - 15), word(i - 2)];
    const small = turned(x, 1n) ^ turned(x, 8n) ^ (x >> 7n);
    const great = turned(y, 19n) ^ turned(y, 61n) ^ (y >> 6n);
    w.push((word(i - 16) + small + word(i - 7) + great) & MASK);
  }
  let [a, b, c, d, e, f, g, h] =
    /** @type {[bigint, bigint, bigint, bigint, bigint, bigint, bigint, bigint]} */ (state);
  for (let i = 0; i < 80; i++) {
    const s1 = turned(e, 14n) ^ turned(e, 18n) ^ turned(e, 41n);
    const one = h + s1 + ((e & f) ^ (~e & MASK & g)) + /** @type {bigint} */ (ROUND[i]) + word(i);
    const s0 = turned(a, 28n) ^ turned(a, 34n) ^ turned(a, 39n);
    const two = s0 + ((a & b) ^ (a & c) ^ (b & c));
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) & MASK, c, b, a, (one + two) & MASK];
  }
  return [a, b, c, d, e, f, g, h].map(
    (each, i) => (each + /** @type {bigint} */ (state[i])) & MASK,
  );
}
