/** SHA-256 (FIPS 180-4) and HMAC-SHA-256 (RFC 2104), synchronous and without a platform. */

import { joined } from "./bytes.js";
import { rootFractions } from "./sha2_constants.js";

const BLOCK = 64;

const START = Int32Array.from(rootFractions(8, 2n, 32n), Number);
const ROUND = Int32Array.from(rootFractions(64, 3n, 32n), Number);
const WORDS = new Int32Array(64);

/**
 * Take one block of 64 bytes into a state of eight words.
 * @param {Int32Array} state
 * @param {DataView} bytes
 * @param {number} at
 */
function take(state, bytes, at) {
  const w = WORDS;
  for (let i = 0; i < 16; i++) w[i] = bytes.getInt32(at + 4 * i);
  for (let i = 16; i < 64; i++) {
    const x = /** @type {number} */ (w[i - 15]);
    const y = /** @type {number} */ (w[i - 2]);
    const small = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const great = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    const [far, near] = [/** @type {number} */ (w[i - 16]), /** @type {number} */ (w[i - 7])];
    w[i] = (far + small + near + great) | 0;
  }
  let [a, b, c, d, e, f, g, h] =
    /** @type {[number, number, number, number, number, number, number, number]} */ (
      /** @type {unknown} */ (state)
    );
  for (let i = 0; i < 64; i++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const one =
      (h +
        s1 +
        ((e & f) ^ (~e & g)) +
        /** @type {number} */ (ROUND[i]) +
        /** @type {number} */ (w[i])) |
      0;
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const two = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + one) | 0;
    d = c;
    c = b;
    b = a;
    a = (one + two) | 0;
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => {
    const before = /** @type {number} */ (state[i]);
    state[i] = (before + word) | 0;
  });
}

/**
 * SHA-256 over byte strings, one behind the other: 32 bytes.
 * @param {...Uint8Array} parts
 * @returns {Uint8Array}
 */
export function sha256(...parts) {
  const message = parts.length === 1 ? /** @type {Uint8Array} */ (parts[0]) : joined(parts);
  const state = START.slice();
  const whole = message.length - (message.length % BLOCK);
  const blocks = new DataView(message.buffer, message.byteOffset, message.byteLength);
  for (let at = 0; at < whole; at += BLOCK) take(state, blocks, at);
  const rest = message.subarray(whole);
  const last = new Uint8Array(rest.length < BLOCK - 8 ? BLOCK : 2 * BLOCK);
  last.set(rest);
  last[rest.length] = 0x80;
  const view = new DataView(last.buffer);
  view.setUint32(last.length - 8, Math.floor(message.length / 0x20000000));
  view.setUint32(last.length - 4, (message.length * 8) >>> 0);
  for (let at = 0; at < last.length; at += BLOCK) take(state, view, at);
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, i) => digest.setInt32(4 * i, word));
  return new Uint8Array(digest.buffer);
}

/**
 * HMAC-SHA-256: 32 bytes.
 * @param {Uint8Array} key
 * @param {...Uint8Array} parts
 * @returns {Uint8Array}
 */
export function hmacSha256(key, ...parts) {
  const padded = new Uint8Array(BLOCK);
  padded.set(key.length > BLOCK ? sha256(key) : key);
  const inner = sha256(
    padded.map((each) => each ^ 0x36),
    ...parts,
  );
  return sha256(
    padded.map((each) => each ^ 0x5c),
    inner,
  );
}
