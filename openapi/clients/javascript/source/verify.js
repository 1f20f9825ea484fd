/** A bundle from its first byte to the report. */

import { BundleCheck } from "./bundle_check.js";
import { OWN, platformDigests } from "./digests.js";
import { said } from "./details.js";
import { linesOf } from "./line_reader.js";
import { checkBlobs, checkErased, checkHeader, checkSeal, checkSeed } from "./log_checks.js";
import { headVerdict, keyId, notedHead, publicKeysOf, receiptVerdict } from "./receipts.js";
import { asReceipt } from "./line_form.js";
import { TABLE_FORMAT } from "./text_places.js";

/**
 * @typedef {import("../verify.js").Options} Options
 * @typedef {import("../verify.js").Report} Report
 * @typedef {import("../verify.js").KeptReport} KeptReport
 * @typedef {import("./findings.js").Finding} Finding
 * @typedef {import("./line_form.js").Receipt} Receipt
 * @typedef {import("./receipts.js").Head} Head
 * @typedef {import("./receipts.js").KeptVerdict} KeptVerdict
 */

/** So many findings are kept; all are counted. */
const MOST_FINDINGS = 100;
/** For so long, in milliseconds, lines are judged without giving way to whoever waits. */
const TURN_MS = 20;

/**
 * Verify a bundle. Whatever is wrong with it is shown in the report; nothing that it holds throws.
 * Throws a RangeError or TypeError for keys, heads, receipts and sources that are none, the signal's
 * reason when it is aborted, and what the source throws.
 * @param {import("./line_reader.js").Source} source
 * @param {Options} [options]
 * @returns {Promise<Report>}
 */
export async function verify(source, options = {}) {
  const digests = options.digests === "own" ? OWN : platformDigests();
  const trusted = options.keys === undefined ? undefined : publicKeysOf(digests, options.keys);
  const kept = {
    heads: (options.heads ?? []).map((each) => (typeof each === "string" ? notedHead(each) : each)),
    receipts: (options.receipts ?? []).map(requireReceipt),
  };
  const findings = new Findings(options.language ?? "en");
  const check = new BundleCheck(digests, (finding) => findings.add(finding));
  const turn = new Turn(check, options);
  const hashes = await read(source, check, kept, turn);
  return new Conclusion(check, findings, trusted).report(kept, hashes, turn);
}

/** The turn of whoever works, which ends now and then for whoever waits. */
class Turn {
  /**
   * @param {BundleCheck} check
   * @param {Options} options
   */
  constructor(check, { onProgress, signal }) {
    this.check = check;
    this.onProgress = onProgress;
    this.signal = signal;
    this.since = Date.now();
    signal?.throwIfAborted();
  }

  /** Tell how far the work is. */
  tell() {
    const { bytes, lines, log } = this.check;
    this.onProgress?.({ bytes, lines, events: log?.events ?? 0 });
  }

  /** Whether it has lasted long enough. */
  get isOver() {
    return Date.now() - this.since >= TURN_MS;
  }

  /** Give way once; throws the signal's reason when it is aborted. */
  async end() {
    this.tell();
    await new Promise((resolve) => setTimeout(resolve));
    this.signal?.throwIfAborted();
    this.since = Date.now();
  }
}

/**
 * @param {unknown} value
 * @param {number} at
 * @returns {Receipt}
 */
function requireReceipt(value, at) {
  const receipt = asReceipt(value);
  if (receipt === undefined) throw new RangeError(`receipts[${at}] is no receipt`);
  return receipt;
}

/**
 * Judge line by line; give way now and then. The hashes at the seqs that were kept.
 * @param {import("./line_reader.js").Source} source
 * @param {BundleCheck} check
 * @param {{heads: readonly Head[], receipts: readonly Receipt[]}} kept
 * @param {Turn} turn
 * @returns {Promise<Map<number, string>>}
 */
async function read(source, check, { heads, receipts }, turn) {
  const wanted = new Set([...heads, ...receipts].map((each) => each.seq));
  /** @type {Map<number, string>} */
  const hashes = new Map();
  for await (const line of linesOf(source)) {
    if (!check.take(line)) break;
    const { log } = check;
    if (log && wanted.has(log.seq)) hashes.set(log.seq, log.hash);
    if (turn.isOver) await turn.end();
  }
  check.end();
  turn.tell();
  return hashes;
}

/** Findings in the order in which they are told: the first, a bounded list, and how many. */
class Findings {
  /** @param {"en" | "ru"} language  of the details */
  constructor(language) {
    this.language = language;
    /** @type {Finding[]} */
    this.kept = [];
    this.count = 0;
  }

  /** @param {import("./findings.js").Found} found */
  add(found) {
    this.count++;
    if (this.kept.length >= MOST_FINDINGS) return;
    const { path, detail } = found;
    const place = path === undefined ? {} : { path: path.toWellFormed() };
    this.kept.push({ ...found, ...place, detail: detail.in(this.language).toWellFormed() });
  }
}

/** Result of a bundle once its last line is read. */
class Conclusion {
  /**
   * @param {BundleCheck} check
   * @param {Findings} findings
   * @param {readonly string[] | undefined} trusted
   */
  constructor(check, findings, trusted) {
    this.check = check;
    this.findings = findings;
    this.trusted = trusted;
    this.seal = check.isBroken ? undefined : check.seal;
    this.isSigned = false;
    if (check.log && this.seal) this.judgeLog(check.log, this.seal);
  }

  /**
   * @param {import("./log_state.js").LogState} log
   * @param {import("./line_form.js").Seal} seal
   */
  judgeLog(log, seal) {
    /** @type {import("./log_checks.js").Report} */
    const report = (code, where, detail) => this.findings.add({ code, where, detail });
    checkHeader(log, report);
    checkSeed(log, report);
    checkBlobs(log, this.check.blobs, report);
    const before = this.findings.count;
    checkSeal(log, seal, this.trusted, report);
    this.isSigned = this.findings.count === before;
    checkErased(log, report);
  }

  /**
   * @param {{heads: readonly Head[], receipts: readonly Receipt[]}} kept
   * @param {Map<number, string>} hashes
   * @param {Turn} turn
   * @returns {Promise<Report>}
   */
  async report({ heads, receipts }, hashes, turn) {
    const { check, seal } = this;
    const { log, digests } = check;
    /** @type {(verdict: () => KeptVerdict) => {verdict?: KeptVerdict}} */
    const judged = (verdict) => (log && seal ? { verdict: verdict() } : {});
    const end = {
      encounter: log?.header.encounter ?? "",
      last: log?.seq ?? 0,
      keys: this.trusted ?? (seal ? [seal.public_key] : []),
    };
    const keptHeads = heads.map((head) => ({
      ...head,
      ...judged(() => headVerdict(head, end.last, hashes.get(head.seq))),
    }));
    const keptReceipts = [];
    for (const receipt of receipts) {
      if (turn.isOver) await turn.end();
      const { encounter, kid, seq, hash } = receipt;
      const verdict = () => receiptVerdict(digests, receipt, { ...end, hash: hashes.get(seq) });
      keptReceipts.push({ encounter, kid, seq, hash, ...judged(verdict) });
    }
    this.findKept("heads", keptHeads);
    this.findKept("receipts", keptReceipts);
    return this.whole(keptHeads, keptReceipts);
  }

  /**
   * @param {"heads" | "receipts"} name
   * @param {readonly KeptReport[]} kept
   */
  findKept(name, kept) {
    kept.forEach(({ seq, verdict }, at) => {
      if (verdict === undefined || verdict === "held") return;
      const detail = said`what was kept of event ${seq} does not hold: ${verdict}`;
      this.findings.add({ code: verdict, where: `${name}[${at}]`, seq, detail });
    });
  }

  /** Who signed the head, as far as that is known. */
  get signer() {
    if (!this.seal) return "none";
    if (this.trusted && !this.trusted.includes(this.seal.public_key)) return "wrong";
    if (!this.isSigned) return "none";
    return this.trusted ? "trusted" : "unknown";
  }

  /**
   * @param {KeptReport[]} heads
   * @param {KeptReport[]} receipts
   * @returns {Report}
   */
  whole(heads, receipts) {
    const { check, findings, seal } = this;
    const { log } = check;
    return {
      clean: findings.count === 0 && log?.unknown === undefined,
      signer: this.signer,
      ...(findings.kept[0] ? { first: findings.kept[0] } : {}),
      findings: findings.kept,
      ...this.unknown(),
      remarks: log?.clockWentBack ? [{ code: "clock_went_back", count: log.clockWentBack }] : [],
      ...(log ? { bundle: described(log) } : {}),
      ...(log && seal ? { head: { seq: log.seq, hash: log.hash }, key: keyOf(check, seal) } : {}),
      dice: this.dice(),
      counts: {
        bytes: check.bytes,
        lines: check.lines,
        blobs: check.blobs.size,
        events: log?.events ?? 0,
        parts: log?.parts ?? 0,
        withheld: log?.withheldParts ?? 0,
        erased: log?.erasedParts ?? 0,
        rewinds: log?.rewinds ?? 0,
        findings: findings.count,
      },
      heads,
      receipts,
    };
  }

  /**
   * The first thing that the table of places does not have.
   * @returns {{unknown?: Finding}}
   */
  unknown() {
    const { log } = this.check;
    if (log?.unknown === undefined || !log.unknownAt) return {};
    const detail = said`the table of this verifier has number ${TABLE_FORMAT}`;
    return {
      unknown: {
        code: "version_unknown",
        ...log.unknownAt,
        path: log.unknown,
        detail: detail.in(this.findings.language),
      },
    };
  }

  /**
   * How many dice were seen, and how many of them drawn again from the seed.
   * @returns {Report["dice"]}
   */
  dice() {
    const { log } = this.check;
    return {
      mode: log?.mode ?? "unknown",
      seed: log?.seed ?? "absent",
      visible: (log?.visibleDice ?? 0) + (log?.takenUp.size ?? 0),
      checked: log?.checkedDice ?? 0,
      taken_up: log?.takenUp.size ?? 0,
      told_again: log?.toldAgain ?? [],
      contributions: log?.contributions.length ?? 0,
      origin: log?.creation?.origin ?? "unknown",
    };
  }
}

/** @param {import("./log_state.js").LogState} log */
function described({ header }) {
  const { encounter, ruleset, version, viewer } = header;
  return { encounter, ruleset, version, viewer: viewer.kind };
}

/**
 * @param {BundleCheck} check
 * @param {import("./line_form.js").Seal} seal
 */
function keyOf({ digests }, { public_key: publicKey }) {
  return { id: keyId(digests, publicKey), public_key: publicKey };
}
