/**
 * A source of bytes as lines. A source is a Uint8Array or ArrayBuffer, a Blob or File, a
 * ReadableStream, or anything that is iterated over, at once or in time, and gives bytes or text.
 */

import { utf8 } from "./bytes.js";

const LINE_FEED = 0x0a;
/** No line has more bytes, its line feed included. */
export const LONGEST_LINE = 64 * 1024 * 1024;
/** No line holds more values: each takes many times the memory of its bytes. */
const MOST_VALUES = 4 * 1024 * 1024;
/** What is before a value: [ { and a comma. */
const MARKS = [0x5b, 0x7b, 0x2c];

/**
 * @typedef {Uint8Array | ArrayBuffer | string} Chunk
 * @typedef {Chunk | Blob | ReadableStream<Uint8Array> | AsyncIterable<Chunk> | Iterable<Chunk>}
 *   Source
 * @typedef {{bytes: Uint8Array, isEnded: boolean}} RawLine  without the line feed; `isEnded`: it
 *   had one
 */

/**
 * The chunks of a source. Throws a TypeError for what is none.
 * @param {Source} source
 * @returns {AsyncGenerator<Uint8Array>}
 */
async function* chunksOf(source) {
  if (typeof source === "string" || source instanceof Uint8Array || source instanceof ArrayBuffer) {
    yield asBytes(source);
  } else if (typeof Blob === "function" && source instanceof Blob) {
    yield* chunksOf(source.stream());
  } else if (typeof source === "object" && source !== null && "getReader" in source) {
    yield* readChunks(source);
  } else if (
    typeof source === "object" &&
    source !== null &&
    (Symbol.asyncIterator in source || Symbol.iterator in source)
  ) {
    for await (const chunk of source) yield asBytes(chunk);
  } else {
    throw new TypeError(
      "a source is a Uint8Array, ArrayBuffer, Blob, File, ReadableStream or an iterable of bytes",
    );
  }
}

/**
 * @param {ReadableStream<Uint8Array>} stream
 * @returns {AsyncGenerator<Uint8Array>}
 */
async function* readChunks(stream) {
  const reader = stream.getReader();
  let isDone = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      isDone = done;
      if (done) return;
      yield asBytes(value);
    }
  } finally {
    if (!isDone) await reader.cancel().catch(() => {});
    reader.releaseLock();
  }
}

/**
 * @param {unknown} chunk
 * @returns {Uint8Array}
 */
function asBytes(chunk) {
  if (typeof chunk === "string") return utf8(chunk);
  if (chunk instanceof Uint8Array) return chunk;
  if (chunk instanceof ArrayBuffer) return new Uint8Array(chunk);
  throw new TypeError("a source gives Uint8Array, ArrayBuffer or strings");
}

/**
 * The lines of a source. What has more bytes than a line may is given as far as it was read, as a
 * line of more than LONGEST_LINE bytes, and ends the reading.
 * @param {Source} source
 * @returns {AsyncGenerator<RawLine>}
 */
export async function* linesOf(source) {
  /** @type {Uint8Array[]} */
  let pending = [];
  let length = 0;
  for await (const chunk of chunksOf(source)) {
    let from = 0;
    for (;;) {
      const at = chunk.indexOf(LINE_FEED, from);
      const piece = chunk.subarray(from, at < 0 ? chunk.length : at);
      length += piece.length;
      if (length >= LONGEST_LINE) {
        yield { bytes: new Uint8Array(LONGEST_LINE + 1), isEnded: false };
        return;
      }
      if (at < 0) {
        if (piece.length) pending.push(piece.slice());
        break;
      }
      yield { bytes: whole(pending, piece, length), isEnded: true };
      [pending, length, from] = [[], 0, at + 1];
    }
  }
  if (length) yield { bytes: whole(pending, new Uint8Array(0), length), isEnded: false };
}

/**
 * Whether a line may hold more than MOST_VALUES.
 * @param {Uint8Array} line
 */
export function isCrowded(line) {
  if (line.length <= MOST_VALUES) return false;
  let marks = 0;
  for (const byte of line) if (MARKS.includes(byte)) marks++;
  return marks > MOST_VALUES;
}

/**
 * @param {Uint8Array[]} pending
 * @param {Uint8Array} last
 * @param {number} length
 * @returns {Uint8Array}
 */
function whole(pending, last, length) {
  if (!pending.length) return last;
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const piece of [...pending, last]) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}
