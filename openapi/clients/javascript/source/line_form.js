/**
 * The form of lines, as bundle-line.schema.json shows it. What a field holds beyond its form is
 * judged elsewhere.
 */

import { said } from "./details.js";
import { Difference, pathText, shown } from "./findings.js";

/**
 * @typedef {Record<string, unknown> & {type: string}} Tagged
 * @typedef {{stream: number, number: number, sides: number, face: number, purpose: string}} Draw
 * @typedef {{algorithm: string, mode: "sealed" | "supplied", fairness: string}} HeaderDice
 * @typedef {{since: number, sides: string[]}} Grant
 * @typedef {{kind: "gm" | "sides" | "observer", grants: Grant[]}} Viewer
 * @typedef {{type: "bundle", format: 1, encounter: string, ruleset: string, version: string,
 *   dice: HeaderDice, commitment: string, seed?: string, viewer: Viewer}} Header
 * @typedef {{type: "blob", digest: string, body: unknown}} BlobLine
 * @typedef {[path: (string | number)[], value: unknown]} Entry
 * @typedef {[path: (string | number)[], audiences: string[]]} Order
 * @typedef {{entries: Entry[], orders?: Order[]}} Content
 * @typedef {{kind: "text" | "facts", audience: string, salt?: string, body?: Content}} Part
 * @typedef {{seq: number, base: number, encounter: string, at: string, by: object,
 *   action?: Tagged, draws: Draw[], effects: Tagged[], sealed: string, prev: string}} Body
 * @typedef {{type: "event", hash: string, event: Body, commits: string[], parts: Part[]}} EventLine
 * @typedef {{kid: string, encounter: string, seq: number, hash: string, sig: string, format?: 2,
 *   path?: string[]}} Receipt
 * @typedef {{type: "seal", seq: number, hash: string, receipt: Receipt, public_key: string}} Seal
 * @typedef {Header | BlobLine | EventLine | Seal} Line
 *
 * @typedef {(value: unknown, steps: (string | number)[]) => void} Form  throws a Difference
 */

const GREATEST_SEQ = 2147483647;

/**
 * @param {unknown} value
 * @param {(string | number)[]} steps
 * @param {import("./details.js").Detail} allowed
 * @returns {never}
 */
function refuse(value, steps, allowed) {
  const place = pathText(steps, "line");
  throw new Difference("unreadable", said`${place} is ${shown(value)}; allowed is ${allowed}`);
}

/**
 * @param {number} least
 * @param {number} most
 * @returns {Form}
 */
function integer(least, most = Number.MAX_SAFE_INTEGER) {
  return (value, steps) => {
    if (!Number.isSafeInteger(value) || Number(value) < least || Number(value) > most) {
      refuse(value, steps, said`a whole number from ${least} to ${most}`);
    }
  };
}

/**
 * @param {RegExp | undefined} [pattern]
 * @param {number} [longest]  in characters
 * @returns {Form}
 */
function text(pattern, longest = Infinity) {
  return (value, steps) => {
    if (typeof value !== "string") refuse(value, steps, said`a string`);
    if (value.length > longest && [...value].length > longest) {
      refuse(value, steps, said`at most ${longest} characters`);
    }
    if (pattern && !pattern.test(value)) refuse(value, steps, said`what fits ${pattern.source}`);
  };
}

/**
 * @param {...(string | number)} values
 * @returns {Form}
 */
function oneOf(...values) {
  return (value, steps) => {
    if (!values.includes(/** @type {string} */ (value))) {
      refuse(value, steps, said`${values.map(shown).join(" | ")}`);
    }
  };
}

/**
 * @param {Form} item
 * @param {number} [least]
 * @param {number} [most]
 * @returns {Form}
 */
function listOf(item, least = 0, most = Infinity) {
  return (value, steps) => {
    if (!Array.isArray(value)) refuse(value, steps, said`an array`);
    if (value.length < least) refuse(value, steps, said`an array of ${least} or more`);
    if (value.length > most) refuse(value, steps, said`an array of at most ${most}`);
    for (let at = 0; at < value.length; at++) {
      steps.push(at);
      item(value[at], steps);
      steps.pop();
    }
  };
}

/**
 * @param {Form} first
 * @param {Form} second
 * @returns {Form}
 */
function pairOf(first, second) {
  return (value, steps) => {
    if (!Array.isArray(value) || value.length !== 2) refuse(value, steps, said`an array of two`);
    first(value[0], [...steps, 0]);
    second(value[1], [...steps, 1]);
  };
}

/**
 * @param {Record<string, Form>} required
 * @param {Record<string, Form>} [optional]
 * @param {boolean} [isOpen]  whether other fields may be there
 * @returns {Form}
 */
function record(required, optional = {}, isOpen = false) {
  const forms = new Map(Object.entries({ ...required, ...optional }));
  const names = Object.keys(required);
  return (value, steps) => {
    if (!isRecord(value)) refuse(value, steps, said`an object`);
    for (const name of names) {
      if (!Object.hasOwn(value, name))
        refuse(undefined, [...steps, name], said`a field that is there`);
    }
    for (const name of Object.keys(value)) {
      const form = forms.get(name);
      if (form === undefined && !isOpen) refuse(value[name], [...steps, name], said`no such field`);
      steps.push(name);
      form?.(value[name], steps);
      steps.pop();
    }
  };
}

/**
 * Whether a value is an object that is no array.
 * @param {unknown} value
 * @returns {value is Record<string, unknown>}
 */
export function isRecord(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** @type {Form} */
const anything = () => {};
/** @type {Form} */
const step = (value, steps) =>
  typeof value === "number" ? index(value, steps) : member(value, steps);

const index = integer(0);
const member = text(/^[a-z0-9_]+$/);
const digest = text(/^[0-9a-f]{64}$/);
const audience = text(/^[a-z0-9_]{1,20}$/);
const seq = integer(1, GREATEST_SEQ);
const path = listOf(step, 1);
const encounter = text(undefined, 64);
const tagged = record({ type: text() }, {}, true);

const header = record(
  {
    type: oneOf("bundle"),
    format: oneOf(1),
    encounter,
    ruleset: text(undefined, 40),
    version: text(undefined, 20),
    dice: record({
      algorithm: oneOf("hmac_sha256_1"),
      mode: oneOf("sealed", "supplied"),
      fairness: oneOf("verifiable", "sealed", "not_verified"),
    }),
    commitment: digest,
    viewer: record({
      kind: oneOf("gm", "sides", "observer"),
      grants: listOf(record({ since: seq, sides: listOf(audience) })),
    }),
  },
  { seed: digest },
);

const blob = record({ type: oneOf("blob"), digest, body: anything });

const by = record(
  {
    kind: oneOf("key", "seat", "system"),
    id: text(),
    role: oneOf("gm", "player", "observer"),
  },
  { seat: text(), via: text() },
  true,
);

const draw = record(
  {
    stream: integer(0, 255),
    number: integer(1),
    sides: integer(1, 65536),
    face: integer(1, 65536),
    purpose: text(),
  },
  { combatant: text() },
  true,
);

const body = record(
  {
    seq,
    base: integer(0, GREATEST_SEQ),
    encounter,
    at: text(),
    by,
    draws: listOf(draw),
    effects: listOf(tagged),
    sealed: digest,
    prev: digest,
  },
  { action: tagged },
);

const part = record(
  { kind: oneOf("text", "facts"), audience },
  {
    salt: text(/^[0-9a-f]{32}$/),
    body: record(
      { entries: listOf(pairOf(path, anything)) },
      { orders: listOf(pairOf(path, listOf(audience)), 1) },
    ),
  },
);

const beside = { type: oneOf("event"), hash: digest, commits: listOf(digest), parts: listOf(part) };
const event = record({ ...beside, event: body });
const frame = record({ ...beside, event: anything });

const receipt = record(
  { kid: text(), encounter: text(), seq, hash: digest, sig: text(/^[0-9a-f]{128}$/) },
  { format: oneOf(2), path: listOf(digest, 0, 32) },
);

const seal = record({ type: oneOf("seal"), seq, hash: digest, receipt, public_key: digest });

const origin = record(
  { encounter: text(), seq, hash: digest, status: oneOf("setup", "running") },
  {},
  true,
);

const FORMS = new Map(Object.entries({ bundle: header, blob, event, seal }));

/**
 * A value as a line. Throws a Difference `unreadable`.
 * @param {unknown} value
 * @returns {Line}
 */
export function asLine(value) {
  const type = isRecord(value) && Object.hasOwn(value, "type") ? value["type"] : undefined;
  const form = typeof type === "string" ? FORMS.get(type) : undefined;
  if (form === undefined) {
    const types = '"bundle", "blob", "event", "seal"';
    throw new Difference("unreadable", said`no line of this format: \`type\` is none of ${types}`);
  }
  form(value, []);
  if (type === "seal") requireWhole(/** @type {Seal} */ (value).receipt);
  return /** @type {Line} */ (value);
}

/**
 * Check a line of an event but for its body. Throws a Difference `unreadable`.
 * @param {unknown} value
 */
export function requireFrame(value) {
  frame(value, []);
}

/**
 * A draw in the facts of an audience.
 * @param {unknown} value
 * @returns {value is Draw}
 */
export function isDraw(value) {
  return fits(draw, value);
}

/**
 * Whether a value names the event that a fork continues.
 * @param {unknown} value
 */
export function isOrigin(value) {
  return fits(origin, value);
}

/**
 * A receipt as it was kept: other fields next to it are ignored.
 * @param {unknown} value
 * @returns {Receipt | undefined}
 */
export function asReceipt(value) {
  if (!isRecord(value)) return undefined;
  const names = ["kid", "encounter", "seq", "hash", "sig", "format", "path"];
  const only = Object.fromEntries(
    names.filter((name) => Object.hasOwn(value, name)).map((name) => [name, value[name]]),
  );
  if (!fits(receipt, only) || Object.hasOwn(only, "format") !== Object.hasOwn(only, "path")) {
    return undefined;
  }
  return /** @type {Receipt} */ (/** @type {unknown} */ (only));
}

/**
 * @param {Form} form
 * @param {unknown} value
 */
function fits(form, value) {
  try {
    form(value, []);
    return true;
  } catch (error) {
    if (error instanceof Difference) return false;
    throw error;
  }
}

/** @param {Receipt} found */
function requireWhole(found) {
  if ((found.format === undefined) !== (found.path === undefined)) {
    throw new Difference(
      "unreadable",
      said`line.receipt has one of \`format\` and \`path\`; allowed are both or none`,
    );
  }
}
