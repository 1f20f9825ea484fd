/** A bundle line by line: form, order and canonical bytes, then what each line says. */

import { said } from "./details.js";
import { NotCanonical, canonicalText, isOrdered, isReadable, writerOf } from "./canonical_json.js";
import { checkEvent } from "./event_checks.js";
import { Difference, shown } from "./findings.js";
import { asLine, isRecord, requireFrame } from "./line_form.js";
import { LONGEST_LINE, isCrowded } from "./line_reader.js";
import { LogState } from "./log_state.js";
import { partName } from "./parts.js";

/**
 * @typedef {import("./findings.js").Found} Found
 * @typedef {import("./line_form.js").Line} Line
 * @typedef {import("./line_form.js").Header} Header
 * @typedef {import("./line_form.js").BlobLine} BlobLine
 * @typedef {import("./line_form.js").EventLine} EventLine
 * @typedef {import("./line_form.js").Seal} Seal
 * @typedef {import("./digests.js").Digests} Digests
 */

const DECODER = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export class BundleCheck {
  /**
   * @param {Digests} digests
   * @param {(found: Found) => void} report
   */
  constructor(digests, report) {
    this.digests = digests;
    this.report = report;
    this.lines = 0;
    this.bytes = 0;
    /** @type {LogState | undefined} */
    this.log = undefined;
    /** Lines of blobs by digest. @type {Map<string, number>} */
    this.blobs = new Map();
    /** @type {Seal | undefined} */
    this.seal = undefined;
    /** Whether a line ended the reading. */
    this.isBroken = false;
  }

  /**
   * Judge a line. False where nothing behind it can be judged any more.
   * @param {import("./line_reader.js").RawLine} raw
   * @returns {boolean}
   */
  take({ bytes, isEnded }) {
    this.lines++;
    this.bytes += bytes.length + (isEnded ? 1 : 0);
    try {
      this.judge(bytes, isEnded);
    } catch (error) {
      this.find(error);
      this.isBroken = true;
    }
    return !this.isBroken;
  }

  /** The end of the source: a file that has no seal was cut off. */
  end() {
    if (this.isBroken || this.seal) return;
    this.lines++;
    this.find(new Difference("truncated", said`the file ends without a seal`));
    this.isBroken = true;
  }

  /**
   * @param {unknown} error
   * @param {{seq?: number}} [place]
   */
  find(error, place = {}) {
    if (!(error instanceof Difference)) throw error;
    const { code, detail } = error;
    this.report({ code, line: this.lines, ...place, ...error.place, detail });
  }

  /**
   * @param {Uint8Array} bytes
   * @param {boolean} isEnded
   */
  judge(bytes, isEnded) {
    if (bytes.length > LONGEST_LINE) {
      throw new Difference("too_long", said`a line of more than 64 MiB`);
    }
    if (!isEnded) throw new Difference("truncated", said`the file ends within this line`);
    if (isCrowded(bytes)) {
      throw new Difference("too_long", said`a line of more than 4,194,304 values`);
    }
    const text = decoded(bytes);
    const value = parsed(text);
    if (this.lines === 1) requireFormat(value);
    const { flaw, ordered } = requireCanonical(value, text);
    if (flaw && (!isEventLine(value) || !isReadable(value))) {
      throw new Difference("unreadable", said`canonical JSON has not ${flaw.reason}`);
    }
    const ofBody = flaw && isEventLine(value) ? flawOf(value["event"]) : undefined;
    if (ofBody && isEventLine(value)) {
      requireFrame(value);
      this.reportFlaw(ofBody, value);
    }
    const form = { isOdd: flaw !== undefined, write: writerOf(ordered) };
    this.follow(asLine(value), ofBody !== undefined, form);
  }

  /**
   * @param {NotCanonical} flaw
   * @param {Record<string, unknown>} value
   */
  reportFlaw(flaw, value) {
    const event = value["event"];
    const seq =
      isRecord(event) && Number.isSafeInteger(event["seq"]) ? { seq: Number(event["seq"]) } : {};
    const detail = said`canonical JSON has not ${flaw.reason}`;
    this.find(new Difference("canonical", detail, { path: "$" }), seq);
  }

  /**
   * @param {Line} line
   * @param {boolean} isFlawed
   * @param {import("./event_checks.js").Form} form
   */
  follow(line, isFlawed, form) {
    const { log } = this;
    if (line.type === "bundle" && log === undefined) {
      requireConsistent(line);
      this.log = new LogState(this.digests, line);
    } else if (line.type === "blob" && log?.events === 0 && !this.seal) this.takeBlob(line);
    else if (line.type === "event" && log && !this.seal) this.takeEvent(log, line, isFlawed, form);
    else if (line.type === "seal" && log?.events && !this.seal) this.seal = line;
    else
      throw new Difference("out_of_order", said`a line of type "${line.type}" cannot follow here`);
  }

  /** @param {BlobLine} blob */
  takeBlob(blob) {
    const digest = this.digests.sha256Hex(canonicalText(blob.body));
    if (digest !== blob.digest) throw new Difference("wrong_digest", said`${blob.digest} instead of ${digest}`);
    if (this.blobs.has(digest)) throw new Difference("repeated_blob", said`a blob stands twice`);
    this.blobs.set(digest, this.lines);
  }

  /**
   * @param {LogState} log
   * @param {EventLine} line
   * @param {boolean} isFlawed  whether a finding stands already
   * @param {import("./event_checks.js").Form} form
   */
  takeEvent(log, line, isFlawed, form) {
    if (log.events === 0) log.open(line);
    requireParts(line, log);
    const { seq } = line.event;
    let isRead = !isFlawed;
    try {
      if (!isFlawed) checkEvent(log, line, form);
    } catch (error) {
      this.find(error, { seq });
      isRead = error instanceof Difference && ["rules", "invariants"].includes(error.code);
    }
    if (!isRead) log.sightings = undefined;
    log.note(line, this.lines);
  }
}

/** @param {Uint8Array} bytes */
function decoded(bytes) {
  try {
    return DECODER.decode(bytes);
  } catch {
    throw new Difference("unreadable", said`it is not UTF-8`);
  }
}

/**
 * @param {string} text
 * @returns {unknown}
 */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Difference("unreadable", said`it is no JSON`);
  }
}

/**
 * Compare a line with its canonical text. What canonical JSON cannot hold has none: it is given
 * back.
 * @param {unknown} value
 * @param {string} text
 * @returns {{flaw?: NotCanonical, ordered: boolean}}
 */
function requireCanonical(value, text) {
  let ordered;
  try {
    ordered = isOrdered(value);
  } catch (error) {
    if (error instanceof NotCanonical) return { flaw: error, ordered: false };
    throw error;
  }
  if (writerOf(ordered)(value) === text) return { ordered };
  asLine(value);
  throw new Difference("not_canonical", said`its canonical bytes are others`);
}

/**
 * What in a value canonical JSON cannot hold, if anything.
 * @param {unknown} value
 */
function flawOf(value) {
  try {
    isOrdered(value);
  } catch (error) {
    if (error instanceof NotCanonical) return error;
    throw error;
  }
  return undefined;
}

/**
 * A first line that names a format has the one that is read here.
 * @param {unknown} value
 */
function requireFormat(value) {
  const format = isRecord(value) && Object.hasOwn(value, "format") ? value["format"] : 1;
  if (format === 1 || !isReadable(format)) return;
  const found = shown(format);
  throw new Difference("unknown_format", said`a bundle of format ${found}; allowed is ${1}`);
}

/**
 * @param {unknown} value
 * @returns {value is Record<string, unknown>}
 */
function isEventLine(value) {
  return isRecord(value) && value["type"] === "event";
}

/**
 * A header that does not contradict itself.
 * @param {Header} header
 */
function requireConsistent({ dice, seed, viewer }) {
  const sealed = seed === undefined ? "sealed" : "verifiable";
  const fairness = dice.mode === "supplied" ? "not_verified" : sealed;
  if (dice.fairness !== fairness) {
    throw new Difference("wrong_fairness", said`"${dice.fairness}" instead of "${fairness}"`);
  }
  const { kind, grants } = viewer;
  if ((kind === "sides") !== grants.length > 0) {
    throw new Difference("wrong_viewer", said`viewers of sides have grants, and nobody else`);
  }
  const isRising = grants.every(
    (each, at) => at === 0 || each.since > (grants[at - 1]?.since ?? 0),
  );
  if (!isRising) throw new Difference("wrong_viewer", said`\`since\` of the grants does not go up`);
}

/**
 * Parts in the order of the commitments, none twice, and none by half.
 * @param {EventLine} line
 * @param {LogState} log
 */
function requireParts({ parts }, { names }) {
  const places = new Map(names.map((name, at) => [name, at]));
  let before = -1;
  const seen = new Set();
  for (const part of parts) {
    const name = partName(part);
    if ((part.salt === undefined) !== (part.body === undefined)) {
      throw new Difference(
        "wrong_parts",
        said`half of ${name}: salt and body are both there or both gone`,
      );
    }
    if (part.body === undefined && part.kind !== "text") {
      throw new Difference("wrong_parts", said`${name} has no body: only a text can be erased`);
    }
    if (seen.has(name)) throw new Difference("wrong_parts", said`${name} stands twice`);
    seen.add(name);
    const place = places.get(name);
    if (place === undefined) continue;
    if (place < before) throw new Difference("wrong_parts", said`${name} stands too late`);
    before = place;
  }
}
