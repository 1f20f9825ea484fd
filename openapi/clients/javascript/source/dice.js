/** Dice from the seed: the key, the blocks of a stream, a face. */

import { fromHex, hex, joined, label, utf8 } from "./bytes.js";

/** @typedef {import("./digests.js").Digests} Digests */

const COMMITMENT = label("warlog/commit/1");
const DICE = label("warlog/dice/1");

/** The stream of what everyone may know, and that of the game master. Sides have 1 and up. */
export const PUBLIC_STREAM = 0;
export const GM_STREAM = 255;

/**
 * The commitment to a seed of 64 hex digits, in hex.
 * @param {Digests} digests
 * @param {string} seed
 * @returns {string}
 */
export function commitmentTo(digests, seed) {
  return digests.sha256Hex(COMMITMENT, fromHex(seed));
}

/**
 * The key of the dice: 32 bytes.
 * @param {Digests} digests
 * @param {string} seed  64 hex digits
 * @param {string} encounter
 * @param {readonly string[]} contributions  64 hex digits each, in the order of the log
 * @returns {Uint8Array}
 */
export function diceKey(digests, seed, encounter, contributions) {
  const entropy = contributions.length
    ? fromHex(digests.sha256Hex(...contributions.map(fromHex)))
    : new Uint8Array(0);
  return digests.hmacSha256(fromHex(seed), joined([DICE, utf8(encounter), entropy]));
}

/** One stream of one event, read from its first byte. */
export class Stream {
  /**
   * @param {Digests} digests
   * @param {Uint8Array} key
   * @param {number} seq
   * @param {number} stream  0 to 255
   */
  constructor(digests, key, seq, stream) {
    this.digests = digests;
    this.key = key;
    this.message = new DataView(new ArrayBuffer(13));
    this.message.setBigUint64(0, BigInt(seq));
    this.message.setUint8(8, stream);
    /** @type {Uint8Array} */
    this.block = new Uint8Array(0);
    this.at = 0;
    this.blocks = 0;
  }

  /** The next byte. */
  byte() {
    if (this.at === this.block.length) {
      this.message.setUint32(9, this.blocks++);
      this.block = this.digests.hmacSha256(this.key, new Uint8Array(this.message.buffer));
      this.at = 0;
    }
    return /** @type {number} */ (this.block[this.at++]);
  }

  /**
   * The next face of a die.
   * @param {number} sides  1 to 65,536
   * @returns {number}  from 1
   */
  face(sides) {
    const isWide = sides > 256;
    const values = isWide ? 65536 : 256;
    const bound = values - (values % sides);
    for (;;) {
      const value = isWide ? this.byte() * 256 + this.byte() : this.byte();
      if (value < bound) return (value % sides) + 1;
    }
  }
}

/**
 * The first block of a stream, in hex.
 * @param {Digests} digests
 * @param {Uint8Array} key
 * @param {number} seq
 * @param {number} stream
 */
export function firstBlock(digests, key, seq, stream) {
  const read = new Stream(digests, key, seq, stream);
  read.byte();
  return hex(read.block);
}
