/** What is judged once all of the log is read: header, seed, blobs, head, receipt, erased texts. */

import { said } from "./details.js";
import { commitmentTo } from "./dice.js";
import { shown } from "./findings.js";
import { isSigned, keyId } from "./receipts.js";

/**
 * @typedef {import("./findings.js").Finding} Finding
 * @typedef {import("./log_state.js").LogState} LogState
 * @typedef {import("./line_form.js").Seal} Seal
 * @typedef {(code: string, where: string, detail: import("./details.js").Detail) => void} Report
 */

/**
 * The header against event 1 and the seed that the log reveals.
 * @param {LogState} log
 * @param {Report} report
 */
export function checkHeader(log, report) {
  const { header, creation } = log;
  if (creation === undefined) {
    report("header_differs", "event 1", said`the first event does not create the encounter`);
    return;
  }
  const { algorithm, mode } = header.dice;
  const { ruleset, version, commitment } = header;
  for (const [where, value] of Object.entries({ ruleset, version, algorithm, mode, commitment })) {
    const due = creation[/** @type {"ruleset"} */ (where)];
    if (value !== due)
      report("header_differs", where, said`${shown(value)} instead of ${shown(due)}`);
  }
  const unknown = header.viewer.grants
    .flatMap((each) => each.sides)
    .find((side) => !log.sides.includes(side));
  if (unknown !== undefined)
    report("header_differs", "viewer", said`no side is called ${shown(unknown)}`);
}

/**
 * The header's seed against event 1's commitment and the seed that the log reveals.
 * @param {LogState} log
 * @param {Report} report
 */
export function checkSeed({ digests, header, creation, revealed }, report) {
  const { seed } = header;
  const candidate = seed ?? revealed;
  if (candidate !== undefined && /^[0-9a-f]{64}$/.test(candidate)) {
    const commitment = commitmentTo(digests, candidate);
    if (creation && commitment !== creation.commitment) {
      report("seed_does_not_fit", "seed", said`its commitment is ${commitment}`);
    }
  }
  if (seed !== undefined && seed !== revealed) {
    const why = revealed === undefined ? said`the log reveals none` : said`the log reveals another`;
    report("header_differs", "seed", said`there is a seed, and ${why}`);
  }
  if (seed === undefined && revealed !== undefined) {
    report("seed_missing", "seed", said`the log reveals a seed, and the header has none`);
  }
}

/**
 * Each digest that is named is that of a blob, no blob is there for nothing, and they stand in the
 * order of their digests or in that in which they are first named.
 * @param {LogState} log
 * @param {ReadonlyMap<string, number>} blobs  lines by digest
 * @param {Report} report
 */
export function checkBlobs({ namedDigests }, blobs, report) {
  for (const [digest, line] of blobs) {
    if (!namedDigests.has(digest)) {
      report("unnamed_blob", "blobs", said`no event names the blob of line ${line}`);
    }
  }
  for (const digest of namedDigests) {
    if (!blobs.has(digest)) report("missing_blob", "blobs", said`no blob has the digest ${digest}`);
  }
  const held = [...blobs.keys()].filter((digest) => namedDigests.has(digest)).join();
  const named = [...namedDigests].filter((digest) => blobs.has(digest));
  if (held !== named.join() && held !== named.sort().join()) {
    report("blob_order", "blobs", said`blobs stand neither by their digests nor as they are named`);
  }
}

/**
 * The seal against the last event, and its receipt against its key.
 * @param {LogState} log
 * @param {Seal} seal
 * @param {readonly string[] | undefined} trusted  public keys; undefined where none were named
 * @param {Report} report
 */
export function checkSeal({ digests, header, seq, hash }, seal, trusted, report) {
  if (seal.seq !== seq || seal.hash !== hash) {
    report("head_differs", "head", said`the log ends with event ${seq}, ${hash}`);
  }
  const { receipt, public_key: key } = seal;
  const isOfHead =
    receipt.encounter === header.encounter &&
    receipt.seq === seal.seq &&
    receipt.hash === seal.hash;
  if (!isOfHead || !isSigned(digests, receipt, key)) {
    report(
      "receipt_forged",
      "seal",
      said`the key of the seal did not sign this head of this encounter`,
    );
  }
  if (receipt.kid !== keyId(digests, key)) {
    report("key_id_differs", "seal", said`the id of the key is ${keyId(digests, key)}`);
  }
  if (trusted && !trusted.includes(key)) {
    report("key_differs", "seal", said`it is none of the keys that are trusted`);
  }
}

/**
 * Texts are erased only where an event says so.
 * @param {LogState} log
 * @param {Report} report
 */
export function checkErased({ erasedTexts, erasedSeqs }, report) {
  for (const [seq, line] of erasedTexts) {
    if (!erasedSeqs.has(seq)) {
      report("erased_without_event", "parts", said`event ${seq} in line ${line} lacks a text`);
    }
  }
}
