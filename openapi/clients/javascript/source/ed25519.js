/**
 * Ed25519 verification (RFC 8032, section 5.1.7), on BigInt, without a platform.
 *
 * The equation is the strict one, without the cofactor: the encoding of [S]B - [k]A must be the
 * bytes of R. S must be below the order, and the public key a point in its only encoding.
 */

import { compared, joined } from "./bytes.js";
import { sha512 } from "./sha512.js";

const P = 2n ** 255n - 19n;
const L = 2n ** 252n + 27742317777372353535851937790883648493n;
const D = mod(-121665n * power(121666n, P - 2n));
const ROOT_OF_MINUS_ONE = power(2n, (P - 1n) / 4n);

/** @typedef {[bigint, bigint, bigint, bigint]} Point  extended coordinates x, y, z and xy/z */

/** @type {Point} */
const ZERO = [0n, 1n, 1n, 0n];
const BASE = /** @type {Point} */ (decoded(encodedBase()));

/** @param {bigint} value */
function mod(value) {
  const rest = value % P;
  return rest < 0n ? rest + P : rest;
}

/**
 * @param {bigint} base
 * @param {bigint} exponent
 */
function power(base, exponent) {
  let result = 1n;
  for (let each = mod(base); exponent > 0n; exponent >>= 1n, each = mod(each * each)) {
    if (exponent & 1n) result = mod(result * each);
  }
  return result;
}

/** The encoding of the base point: y is 4/5 and x is even. */
function encodedBase() {
  return littleEndian(mod(4n * power(5n, P - 2n)));
}

/**
 * @param {bigint} value
 * @param {number} [length]
 */
function littleEndian(value, length = 32) {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; at++, value >>= 8n) bytes[at] = Number(value & 0xffn);
  return bytes;
}

/** @param {Uint8Array} bytes */
function number(bytes) {
  let value = 0n;
  for (let at = bytes.length - 1; at >= 0; at--) value = (value << 8n) | BigInt(bytes[at] ?? 0);
  return value;
}

/**
 * @param {Point} one
 * @param {Point} other
 * @returns {Point}
 */
function sum([x1, y1, z1, t1], [x2, y2, z2, t2]) {
  const a = mod((y1 - x1) * (y2 - x2));
  const b = mod((y1 + x1) * (y2 + x2));
  const c = mod(2n * t1 * t2 * D);
  const d = mod(2n * z1 * z2);
  const [e, f, g, h] = [b - a, d - c, d + c, b + a];
  return [mod(e * f), mod(g * h), mod(f * g), mod(e * h)];
}

/**
 * @param {bigint} times
 * @param {Point} point
 */
function multiplied(times, point) {
  let result = ZERO;
  for (let each = point; times > 0n; times >>= 1n, each = sum(each, each)) {
    if (times & 1n) result = sum(result, each);
  }
  return result;
}

/** @param {Point} point */
function encoded([x, y, z]) {
  const inverse = power(z, P - 2n);
  return littleEndian(mod(y * inverse) | ((mod(x * inverse) & 1n) << 255n));
}

/**
 * The point of an encoding, or undefined where there is none.
 * @param {Uint8Array} bytes
 * @returns {Point | undefined}
 */
function decoded(bytes) {
  const whole = number(bytes);
  const sign = whole >> 255n;
  const y = whole & ((1n << 255n) - 1n);
  if (y >= P) return undefined;
  const u = mod(y * y - 1n);
  const v = mod(D * y * y + 1n);
  let x = mod(u * v ** 3n * power(u * v ** 7n, (P - 5n) / 8n));
  if (mod(v * x * x) !== u) x = mod(x * ROOT_OF_MINUS_ONE);
  if (mod(v * x * x) !== u || (x === 0n && sign === 1n)) return undefined;
  if ((x & 1n) !== sign) x = P - x;
  return [x, y, 1n, mod(x * y)];
}

/**
 * Whether bytes are a public key: 32 bytes, and a point in its only encoding.
 * @param {Uint8Array} publicKey
 * @returns {boolean}
 */
export function isPublicKey(publicKey) {
  return publicKey.length === 32 && decoded(publicKey) !== undefined;
}

/**
 * Whether a signature of 64 bytes over a message is that of a public key of 32 bytes. False for
 * whatever is no signature or no key.
 * @param {Uint8Array} publicKey
 * @param {Uint8Array} message
 * @param {Uint8Array} signature
 * @returns {boolean}
 */
export function verifyEd25519(publicKey, message, signature) {
  if (publicKey.length !== 32 || signature.length !== 64) return false;
  const point = decoded(publicKey);
  const r = signature.subarray(0, 32);
  const s = number(signature.subarray(32));
  if (point === undefined || s >= L) return false;
  const k = number(sha512(joined([r, publicKey, message]))) % L;
  const [x, y, z, t] = multiplied(k, point);
  return compared(encoded(sum(multiplied(s, BASE), [mod(-x), y, z, mod(-t)])), r) === 0;
}
