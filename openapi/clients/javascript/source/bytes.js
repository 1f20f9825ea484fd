/** Bytes as text and text as bytes. Hex is lower case. */

const ENCODER = new TextEncoder();
const HEX = Array.from({ length: 256 }, (_, value) => value.toString(16).padStart(2, "0"));
/** The value of a character's digit; 255 for what is none. */
const DIGIT = Uint8Array.from({ length: 128 }, (_, code) =>
  Math.max(-1, "0123456789abcdef".indexOf(String.fromCharCode(code))),
);

/**
 * The UTF-8 bytes of a text.
 * @param {string} text
 * @returns {Uint8Array}
 */
export function utf8(text) {
  return ENCODER.encode(text);
}

/**
 * The bytes of a label: ASCII words and one zero byte.
 * @param {string} words
 * @returns {Uint8Array}
 */
export function label(words) {
  return utf8(`${words}\0`);
}

/**
 * Bytes in lower-case hex.
 * @param {Uint8Array} bytes
 * @returns {string}
 */
export function hex(bytes) {
  let text = "";
  for (const each of bytes) text += HEX[each];
  return text;
}

/**
 * The bytes of an even number of lower-case hex digits. Throws a RangeError for anything else.
 * @param {string} text
 * @returns {Uint8Array}
 */
export function fromHex(text) {
  if (text.length % 2) throw new RangeError("not lower-case hex");
  const bytes = new Uint8Array(text.length / 2);
  for (let at = 0; at < bytes.length; at++) {
    const high = DIGIT[text.charCodeAt(2 * at)] ?? 255;
    const low = DIGIT[text.charCodeAt(2 * at + 1)] ?? 255;
    if ((high | low) > 15) throw new RangeError("not lower-case hex");
    bytes[at] = (high << 4) | low;
  }
  return bytes;
}

/**
 * The bytes of base64url without padding. Throws a RangeError for anything else, also for a text
 * whose last character has bits that no byte takes.
 * @param {string} text
 * @returns {Uint8Array}
 */
export function fromBase64url(text) {
  if (!/^[A-Za-z0-9_-]*$/.test(text)) throw new RangeError("not base64url");
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const bytes = [];
  let bits = 0;
  let count = 0;
  for (const each of text) {
    bits = ((bits << 6) | alphabet.indexOf(each)) & 0xffff;
    count += 6;
    if (count >= 8) {
      count -= 8;
      bytes.push((bits >> count) & 0xff);
    }
  }
  if (count >= 6 || (bits & ((1 << count) - 1)) !== 0) throw new RangeError("not base64url");
  return Uint8Array.from(bytes);
}

/**
 * Bytes in base64url without padding.
 * @param {Uint8Array} bytes
 * @returns {string}
 */
export function base64url(bytes) {
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/**
 * Byte strings one behind the other.
 * @param {readonly Uint8Array[]} parts
 * @returns {Uint8Array}
 */
export function joined(parts) {
  const whole = new Uint8Array(parts.reduce((sum, each) => sum + each.length, 0));
  let at = 0;
  for (const each of parts) {
    whole.set(each, at);
    at += each.length;
  }
  return whole;
}

/**
 * The order of two byte strings of one length: negative, zero or positive.
 * @param {Uint8Array} one
 * @param {Uint8Array} other
 * @returns {number}
 */
export function compared(one, other) {
  for (let at = 0; at < one.length; at++) {
    const difference = (one[at] ?? 0) - (other[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return one.length - other.length;
}
