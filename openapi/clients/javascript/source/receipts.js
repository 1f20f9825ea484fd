/** Receipts, keys, and what a client kept of a log. */

import { compared, fromBase64url, fromHex, hex, joined, label, utf8 } from "./bytes.js";
import { canonicalText } from "./canonical_json.js";
import { asReceipt, isRecord } from "./line_form.js";

/**
 * @typedef {import("./digests.js").Digests} Digests
 * @typedef {import("./line_form.js").Receipt} Receipt
 * @typedef {{seq: number, hash: string}} Head
 * @typedef {"held" | "differs" | "beyond_head" | "of_another_encounter" | "forged"
 *   | "of_unknown_key"} KeptVerdict
 */

const ALONE = label("warlog/receipt/1");
const LEAF = label("warlog/receipt-leaf/2");
const NODE = label("warlog/receipt-node/2");
const ROOT = label("warlog/receipt-root/2");

/**
 * The id of a public key of 64 hex digits: 16 hex digits.
 * @param {Digests} digests
 * @param {string} publicKey
 */
export function keyId(digests, publicKey) {
  return digests.sha256Hex(fromHex(publicKey)).slice(0, 16);
}

/**
 * The bytes that a receipt's signature is over.
 * @param {Digests} digests
 * @param {Receipt} receipt
 * @returns {Uint8Array}
 */
export function signedBytes(digests, { encounter, hash, kid, seq, path }) {
  const head = utf8(canonicalText({ encounter, hash, kid, seq }));
  if (path === undefined) return joined([ALONE, head]);
  let node = fromHex(digests.sha256Hex(LEAF, head));
  for (const each of path.map(fromHex)) {
    const [smaller, greater] = compared(node, each) < 0 ? [node, each] : [each, node];
    node = fromHex(digests.sha256Hex(NODE, smaller, greater));
  }
  return joined([ROOT, node]);
}

/**
 * Whether a public key of 64 hex digits signed a receipt.
 * @param {Digests} digests
 * @param {Receipt} receipt
 * @param {string} publicKey
 * @returns {boolean}
 */
export function isSigned(digests, receipt, publicKey) {
  let signed;
  try {
    signed = signedBytes(digests, receipt);
  } catch {
    return false; // an encounter or kid that canonical JSON cannot hold
  }
  return digests.verify(fromHex(publicKey), signed, fromHex(receipt.sig));
}

/**
 * The public keys of a key set as the service publishes it, of one JWK, or 64 hex digits: each as
 * hex. Throws a RangeError for anything else, also for a key under an id that is not its own.
 * @param {Digests} digests
 * @param {unknown} value
 * @returns {string[]}
 */
export function publicKeysOf(digests, value) {
  if (typeof value === "string") {
    if (!/^[0-9a-f]{64}$/.test(value)) throw new RangeError("a public key has 64 hex digits");
    return [value];
  }
  if (Array.isArray(value)) return value.flatMap((each) => publicKeysOf(digests, each));
  if (!isRecord(value)) throw new RangeError("no key set: `keys` with JSON Web Keys is expected");
  if (Array.isArray(value["keys"])) return publicKeysOf(digests, value["keys"]);
  const { kty, crv, x, kid } = value;
  if (kty !== "OKP" || crv !== "Ed25519" || typeof x !== "string") {
    throw new RangeError(
      'no key of this service: `kty` "OKP", `crv` "Ed25519" and `x` are expected',
    );
  }
  const bytes = fromBase64url(x);
  if (bytes.length !== 32) throw new RangeError("`x` of a key has 32 bytes");
  const key = hex(bytes);
  if (kid !== undefined && kid !== keyId(digests, key)) {
    throw new RangeError(`the key called ${JSON.stringify(kid)} has the id ${keyId(digests, key)}`);
  }
  return [key];
}

/**
 * The receipts in a text that a client kept: a JSON array, or one JSON object to a line; receipts
 * themselves, or answers and records with one. Throws a RangeError that names the entry.
 * @param {string} text
 * @returns {Receipt[]}
 */
export function keptReceipts(text) {
  const isArray = text.trimStart().startsWith("[");
  const values = isArray
    ? asJson(text, "the file")
    : text
        .split(/\r?\n/)
        .flatMap((line, at) => (line.trim() ? [asJson(line, `line ${at + 1}`)] : []));
  if (!Array.isArray(values)) throw new RangeError("no array of receipts");
  return values.map((value, at) => {
    const receipt = receiptWithin(value, 3);
    if (receipt === undefined) throw new RangeError(`entry ${at + 1} has no receipt`);
    return receipt;
  });
}

/**
 * @param {string} text
 * @param {string} place
 * @returns {unknown}
 */
function asJson(text, place) {
  try {
    return JSON.parse(text);
  } catch {
    throw new RangeError(`${place} is no JSON`);
  }
}

/**
 * @param {unknown} value
 * @param {number} depth
 * @returns {Receipt | undefined}
 */
function receiptWithin(value, depth) {
  const own = asReceipt(value);
  if (own || depth === 0 || !isRecord(value)) return own;
  for (const name of ["receipt", "data"]) {
    const inner = Object.hasOwn(value, name) ? receiptWithin(value[name], depth - 1) : undefined;
    if (inner) return inner;
  }
  return undefined;
}

/**
 * A head as it was noted, `SEQ-HASH`. Throws a RangeError for anything else.
 * @param {string} text
 * @returns {Head}
 */
export function notedHead(text) {
  const found = /^([1-9][0-9]{0,9})-([0-9a-f]{64})$/.exec(text);
  if (!found?.[1] || !found[2]) throw new RangeError("a head is SEQ-HASH: 40-… with 64 hex digits");
  return { seq: Number(found[1]), hash: found[2] };
}

/**
 * What a kept head shows of a log.
 * @param {Head} head
 * @param {number} last  the log's last seq
 * @param {string | undefined} hash  the log's hash at that seq
 * @returns {KeptVerdict}
 */
export function headVerdict(head, last, hash) {
  if (head.seq > last) return "beyond_head";
  return head.hash === hash ? "held" : "differs";
}

/**
 * What a kept receipt shows of a log.
 * @param {Digests} digests
 * @param {Receipt} receipt
 * @param {{encounter: string, last: number, hash: string | undefined, keys: readonly string[]}} log
 *   `keys` are those at hand
 * @returns {KeptVerdict}
 */
export function receiptVerdict(digests, receipt, log) {
  const key = log.keys.find((each) => keyId(digests, each) === receipt.kid);
  if (key === undefined) return "of_unknown_key";
  if (!isSigned(digests, receipt, key)) return "forged";
  if (receipt.encounter !== log.encounter) return "of_another_encounter";
  return headVerdict(receipt, log.last, log.hash);
}
