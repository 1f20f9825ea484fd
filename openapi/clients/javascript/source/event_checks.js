/**
 * The checks of one event, in the order of the specification; each throws a Difference. What an
 * event leaves for those behind it is taken down by `log_state.js`, whatever was found.
 */

import { said } from "./details.js";
import { NotCanonical, canonicalText } from "./canonical_json.js";
import { checkDraws, drawLists, streamOf } from "./draws.js";
import { Difference, pathText, shown } from "./findings.js";
import { fromHex, label } from "./bytes.js";
import { isDigest } from "./log_state.js";
import { isOrigin, isRecord } from "./line_form.js";
import { jointViewOf } from "./joint_view.js";
import { partName, viewOf, wholeOf } from "./parts.js";
import { GM_STREAM, PUBLIC_STREAM } from "./dice.js";
import { checkRolls } from "./rolls.js";
import { unknownType } from "./text_places.js";

/**
 * @typedef {import("./line_form.js").EventLine} EventLine
 * @typedef {import("./line_form.js").Body} Body
 * @typedef {import("./line_form.js").Part} Part
 * @typedef {import("./log_state.js").LogState} LogState
 * @typedef {import("./canonical_json.js").Writer} Writer
 * @typedef {{isOdd: boolean, write: Writer}} Form  whether the line has something that canonical JSON
 *   has not, and what writes the event and each part
 */

const EVENT = label("warlog/event/1");
const PART = label("warlog/seal/1");
const MOMENT = /^(?!0000)\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/**
 * Check an event against the log before it. Throws the first Difference.
 * @param {LogState} log
 * @param {EventLine} line
 * @param {Form} form
 */
export function checkEvent(log, line, { isOdd, write }) {
  checkMoment(line.event.at);
  if (isOdd) line.parts.forEach(requireCanonical);
  checkHash(log, line, write);
  checkChain(log, line.event);
  checkLogRules(log, line.event);
  checkCommitments(log, line, write);
  checkEntitlement(log, line);
  const wrong = checkDice(log, line);
  if (wrong) throw wrong;
  log.unknown ??= unknownPlace(log, line);
}

/**
 * Where an event has a ruleset, version or type that the table does not have.
 * @param {LogState} log
 * @param {EventLine} line
 */
function unknownPlace({ places }, line) {
  return places ? unknownType(line, places) : "$.effects[0].version";
}

/**
 * Whether a text is a moment: RFC 3339 in UTC with milliseconds, one that the calendar has.
 * @param {string} at
 */
function checkMoment(at) {
  const moment = new Date(MOMENT.test(at) ? at : "");
  if (Number.isNaN(moment.getTime()) || moment.toISOString() !== at) {
    throw new Difference("canonical", said`${shown(at)} is no moment`, { path: "$.at" });
  }
}

/**
 * @param {LogState} log
 * @param {EventLine} line
 * @param {Writer} write
 */
function checkHash({ digests }, line, write) {
  const hash = digests.sha256Hex(EVENT, write(line.event));
  if (hash !== line.hash) {
    throw new Difference("hash", said`${line.hash} instead of ${hash}`, { path: "hash" });
  }
}

/**
 * @param {LogState} log
 * @param {Body} body
 */
function checkChain(log, body) {
  /** @type {(name: "seq" | "encounter" | "prev" | "base", due: unknown) => void} */
  const require = (name, due) => {
    if (body[name] === due) return;
    const detail = said`${shown(body[name])} instead of ${shown(due)}`;
    throw new Difference("chain", detail, { path: `$.${name}` });
  };
  require("seq", log.seq + 1);
  require("encounter", log.header.encounter);
  require("prev", log.hash);
  const rewound = body.effects.filter((each) => each.type === "rewound");
  require("base", rewound.length ? rewound[0]?.["to"] : body.seq - 1);
  if (rewound.length > 1 || (rewound.length && (body.base < 1 || body.base >= body.seq))) {
    throw new Difference("chain", said`a rewind to no earlier event`, { path: "$.base" });
  }
}

/**
 * What holds for every log, whatever its ruleset.
 * @param {LogState} log
 * @param {Body} body
 */
function checkLogRules(log, body) {
  /** @type {(detail: import("./details.js").Detail, at: number) => never} */
  const refuse = (detail, at) => {
    throw new Difference("log_rules", detail, { path: pathText(["effects", at]) });
  };
  /** @type {(effect: Readonly<Record<string, unknown>>, at: number) => void} */
  const requireDigests = (effect, at) => {
    for (const name of ["content", "map"])
      if (Object.hasOwn(effect, name) && !isDigest(effect[name]))
        refuse(said`a map or content that is named by no digest`, at);
  };
  const isFirst = body.seq === 1;
  let [hasStarted, isRevealed, created] = [log.hasStarted, log.revealed !== undefined, 0];
  for (const [at, effect] of body.effects.entries()) {
    switch (effect.type) {
      case "encounter_created":
        if (!isFirst || created++) refuse(said`a creation that is not the first`, at);
        if (log.creation === undefined || log.creation.origin === "unknown")
          refuse(said`a creation without what it has to name`, at);
        if (Object.hasOwn(effect, "fork_of") !== isRecord(effect["state"])) {
          refuse(said`a fork without the battle that it continues, or such a battle without one`, at);
        }
        if (Object.hasOwn(effect, "fork_of") && !isOrigin(effect["fork_of"]))
          refuse(said`a fork that does not name the event that it continues`, at);
        requireDigests(effect, at);
        if (isRecord(effect["fork_of"]) && effect["fork_of"]["encounter"] === body.encounter)
          refuse(said`a fork that continues itself`, at);
        break;
      case "options_set":
        requireDigests(effect, at);
        break;
      case "contributed":
        if (hasStarted) refuse(said`a contribution after the start`, at);
        if (!isDigest(effect["value"])) refuse(said`a contribution without 32 bytes`, at);
        break;
      case "encounter_started":
        if (hasStarted) refuse(said`a start that is not the first`, at);
        hasStarted = true;
        break;
      case "seed_revealed":
        if (isRevealed) refuse(said`a seed that is revealed twice`, at);
        if (!isDigest(effect["seed"])) refuse(said`a revealed seed without 32 bytes`, at);
        isRevealed = true;
        break;
      case "erased":
        if (!areEarlier(effect["seqs"], body.seq))
          refuse(said`an erasure that names no earlier events`, at);
    }
  }
  checkEnd(log, body);
  if (isFirst && !created) refuse(said`the first event creates nothing`, 0);
}

/** Effects of events that continue an ended battle, without a rewind. */
const AFTER_THE_END = new Set([
  "seed_revealed",
  "parts_opened",
  "revealed",
  "noted",
  "erased",
  "seat_changed",
  "control_changed",
]);

/**
 * After the end nothing happens any more, unless a rewind goes back behind it.
 * @param {LogState} log
 * @param {Body} body
 */
function checkEnd({ ended }, { base, effects }) {
  if (!ended.has(base) || effects.some((each) => each.type === "rewound")) return;
  for (const [at, { type }] of effects.entries()) {
    if (AFTER_THE_END.has(type)) continue;
    const place = { path: pathText(["effects", at]) };
    throw new Difference("log_rules", said`${type} after the end`, place);
  }
}

/**
 * Whether these are events before one.
 * @param {unknown} seqs
 * @param {number} seq
 */
function areEarlier(seqs, seq) {
  const isEarlier = (/** @type {unknown} */ each) =>
    Number.isSafeInteger(each) && Number(each) >= 1 && Number(each) < seq;
  return Array.isArray(seqs) && seqs.every(isEarlier);
}

/**
 * @param {LogState} log
 * @param {EventLine} line
 * @param {Writer} write
 */
function checkCommitments({ digests, names }, line, write) {
  const sealed = digests.sha256Hex(fromHex(line.commits.join("")));
  if (sealed !== line.event.sealed) {
    throw new Difference("commitment", said`${line.event.sealed} instead of ${sealed}`, { path: "$.sealed" });
  }
  if (line.commits.length !== names.length) {
    const detail = said`${line.commits.length} commitments instead of ${names.length}`;
    throw new Difference("commitment", detail, { path: "commits" });
  }
  for (const part of line.parts) {
    if (part.salt === undefined) continue;
    const path = `parts.${part.kind}.${part.audience}`;
    const commit = digests.sha256Hex(PART, fromHex(part.salt), write(part.body));
    const due = line.commits[names.indexOf(partName(part))];
    if (due !== undefined && commit !== due) {
      throw new Difference("commitment", said`${due} instead of ${commit}`, { path });
    }
  }
}

/** @param {Part} part */
function requireCanonical({ kind, audience, body }) {
  try {
    if (body) canonicalText(body);
  } catch (error) {
    if (!(error instanceof NotCanonical)) throw error;
    throw new Difference("canonical", error.reason, { path: `parts.${kind}.${audience}` });
  }
}

/**
 * @param {LogState} log
 * @param {EventLine} line
 */
function checkEntitlement(log, line) {
  const due = log.entitledNames(line.event.seq);
  const isExact = (/** @type {Part} */ part, /** @type {number} */ at) => partName(part) === due[at];
  if (line.parts.length === due.length && line.parts.every(isExact)) return;
  const held = new Set(line.parts.map(partName));
  const missing = due.filter((name) => !held.has(name));
  const foreign = [...held].filter((name) => !due.includes(name));
  if (missing.length || foreign.length) {
    const [none, extra] = [missing.join(", "), foreign.join(", ")];
    const detail = none ? said`missing: ${none}` : said`not the viewer's: ${extra}`;
    const both = none && extra ? said`missing: ${none}; not the viewer's: ${extra}` : detail;
    throw new Difference("entitlement", both, { path: "parts" });
  }
}

/**
 * The draws of every list at hand, and the rolls of every view that can be put together; whom an
 * effect names that is not known, else what of the table of invariants does not hold: both are
 * judged last.
 * @param {LogState} log
 * @param {EventLine} line
 */
function checkDice(log, line) {
  const { seq } = line.event;
  const lists = drawLists(line, log.sides);
  for (const { root, draws, flaw } of lists) {
    if (draws.length || flaw) requireTimely(log, line.event, root);
  }
  for (const list of lists) checkDraws(list, log.streamsOf(seq));
  log.noteDrawnAgain(line, lists);
  log.learnDice(seq, lists);
  return checkViews(log, line);
}

/**
 * @param {LogState} log
 * @param {Body} body
 * @param {string} root
 */
function requireTimely(log, body, root) {
  const path = `${root}.draws`;
  if (!log.hasStarted && !body.effects.some((each) => each.type === "encounter_started")) {
    throw new Difference("log_rules", said`dice before the start`, { path });
  }
  if (log.revealed !== undefined) {
    throw new Difference("log_rules", said`dice behind the seed that everyone knows`, { path });
  }
}

/**
 * @param {LogState} log
 * @param {EventLine} line
 */
function checkViews(log, line) {
  const { sides } = log;
  const opened = new Map();
  for (const part of line.parts) if (part.body) opened.set(partName(part), part.body);
  /** @type {Map<string, Body>} */
  const views = new Map();
  views.set("everyone", viewOf(line.event, opened, "everyone", log.places));
  const common = eventView(line.event, views.get("everyone"), "$");
  let wrong = log.sight("everyone", common);
  let odd = log.hold("everyone", common);
  const tellsAgain = judge(log, common, "$", (each) => each === PUBLIC_STREAM);
  for (const side of sides) {
    if (!opened.has(`facts/${side}`)) continue;
    views.set(side, viewOf(line.event, opened, side, log.places));
    if (!log.completeSides.has(side)) continue;
    const view = eventView(line.event, views.get(side), `${side}:$`);
    const ofSide = log.sight(side, view);
    wrong ??= ofSide;
    const oddToSide = log.hold(side, view);
    odd ??= oddToSide;
    const stream = streamOf(side, sides);
    if (isAnother(view, common)) {
      judge(log, view, `${side}:$`, (each) => each === PUBLIC_STREAM || each === stream);
    } else log.retell(`${side}:$`, view, tellsAgain);
  }
  requireDistinct(line, opened, sides);
  if (log.header.viewer.kind === "gm") {
    const whole = eventView(line.event, wholeOf(views, opened, log.places), "gm:$");
    const sees = (/** @type {number} */ each) => each <= sides.length || each === GM_STREAM;
    const oddToAll = log.hold("gm", whole);
    odd ??= oddToAll;
    if (isAnother(whole, common)) judge(log, whole, "gm:$", sees);
    else log.retell("gm:$", whole, tellsAgain);
  }
  return wrong ?? odd;
}

/**
 * Throws a Difference where two sides set the same member and no part of the game master's is there
 * to put them together.
 * @param {EventLine} line
 * @param {import("./parts.js").Opened} opened
 * @param {readonly string[]} sides
 */
function requireDistinct({ event }, opened, sides) {
  const held = sides.filter((each) =>
    [`facts/${each}`, `text/${each}`].some((name) => opened.get(name)?.entries.length),
  );
  if (held.length < 2 || opened.has("facts/gm")) return;
  try {
    jointViewOf(event, opened, held);
  } catch {
    throw new Difference("parts", said`a member that two sides set`, { path: "parts" });
  }
}

/**
 * A view as it is judged: where it is in the log the body alone says, and what is no list of
 * effects shows none. Throws a Difference where it has no list of draws.
 * @param {Body} body
 * @param {Body | undefined} view
 * @param {string} root
 * @returns {Body}
 */
function eventView({ seq, base }, view, root) {
  if (!view || !Array.isArray(view.draws)) {
    throw new Difference("draws", said`no list of draws`, { path: `${root}.draws` });
  }
  const effects = Array.isArray(view.effects) ? view.effects : [];
  const isSame = view.seq === seq && view.base === base && view.effects === effects;
  return isSame ? view : { ...view, seq, base, effects };
}

/**
 * Whether a view shows other effects or draws than another.
 * @param {Body} view
 * @param {Body} other
 */
function isAnother(view, other) {
  return view.effects !== other.effects || view.draws !== other.draws;
}

/**
 * Hold the rolls of a view against the draws that it shows; whether one tells draws again.
 * @param {LogState} log
 * @param {Body} body
 * @param {string} root
 * @param {(stream: number) => boolean} sees
 */
function judge(log, body, root, sees) {
  const isFork = log.creation?.isFork ?? false;
  const tellsAgain = checkRolls({ body, root, isFork, sees }, log.known);
  log.retell(root, body, tellsAgain);
  return tellsAgain;
}
