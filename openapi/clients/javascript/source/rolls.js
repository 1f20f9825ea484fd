/**
 * Rolls: the faces that effects tell are those of the draws that they name, totals add up, and each
 * draw of an event is named by exactly one roll of it.
 */

import { said } from "./details.js";
import { GM_STREAM } from "./dice.js";
import { Difference, pathText, shown } from "./findings.js";
import { isRecord } from "./line_form.js";

/**
 * @typedef {import("./line_form.js").Draw} Draw
 * @typedef {import("./line_form.js").Body} Body
 * @typedef {{sides: number, face: number}} Die
 * @typedef {Map<number, Map<number, Die[]>>} KnownDraws  by seq and stream, in the order of drawing
 * @typedef {{body: Body, root: string, isFork: boolean,
 *   sees: (stream: number) => boolean}} View  `isFork`: of a log that continues another
 * @typedef {{stream: number, number: number, count: number, seq?: number, uncounted?: string}} Run
 * @typedef {(string | number)[]} Steps
 */

const FIELDS = new Set(["stream", "number", "count", "seq", "uncounted"]);
const REASONS = new Set(["replaced", "unread", "nobody_affected", "target_down"]);

/** Neither the number of a draw nor that of an event is greater. */
const GREATEST = 2147483647;

/**
 * Check the rolls of a view; whether one tells draws again. Throws a Difference for the first that
 * does not fit.
 * @param {View} view
 * @param {KnownDraws} known  those of this event and of the ones before it
 * @returns {boolean}
 */
export function checkRolls(view, known) {
  const { draws, effects, seq } = view.body;
  requireListed(view, known);
  /** @type {Set<string>} */
  const named = new Set();
  const check = new RollCheck(view, known, named);
  effects.forEach((effect, at) => check.walk(effect, ["effects", at]));
  draws.forEach((draw, at) => {
    if (!named.has(`${draw.stream}/${draw.number}`)) {
      const path = pathText(["draws", at], view.root);
      throw new Difference("draws", said`a draw of event ${seq} that no roll names`, { path });
    }
  });
  return check.tellsAgain;
}

/**
 * The draws that a view shows are those that were checked where they are listed, all of them.
 * @param {View} view
 * @param {KnownDraws} known
 */
function requireListed({ body, root, sees }, known) {
  const streams = known.get(body.seq);
  const counts = new Map();
  body.draws.forEach((draw, at) => {
    const number = (counts.get(draw.stream) ?? 0) + 1;
    counts.set(draw.stream, number);
    const die = sees(draw.stream) ? streams?.get(draw.stream)?.[number - 1] : undefined;
    /** @type {[string, boolean][]} */
    const claims = [
      ["stream", die !== undefined],
      ["number", draw.number === number],
      ["sides", draw.sides === die?.sides],
      ["face", draw.face === die?.face],
    ];
    const wrong = claims.find(([, holds]) => !holds);
    if (wrong) {
      const path = pathText(["draws", at, wrong[0]], root);
      throw new Difference("draws", said`another die than the one that was drawn`, { path });
    }
  });
  for (const [stream, dice] of streams ?? []) {
    if (sees(stream) && dice.length !== (counts.get(stream) ?? 0)) {
      throw new Difference("draws", said`a draw that this view leaves out`, {
        path: `${root}.draws`,
      });
    }
  }
}

class RollCheck {
  /**
   * @param {View} view
   * @param {KnownDraws} known
   * @param {Set<string>} named
   */
  constructor(view, known, named) {
    this.view = view;
    this.known = known;
    this.named = named;
    this.tellsAgain = false;
  }

  /**
   * @param {unknown} value
   * @param {Steps} steps
   */
  walk(value, steps) {
    if (typeof value !== "object" || value === null) return;
    if (Array.isArray(value)) {
      for (let at = 0; at < value.length; at++) {
        if (typeof value[at] !== "object") continue;
        steps.push(at);
        this.walk(value[at], steps);
        steps.pop();
      }
      return;
    }
    const members = /** @type {Record<string, unknown>} */ (value);
    if (Object.hasOwn(members, "faces") && Object.hasOwn(members, "sides"))
      this.roll(members, steps);
    for (const name of Object.keys(members)) {
      if (typeof members[name] !== "object") continue;
      steps.push(name);
      this.walk(members[name], steps);
      steps.pop();
    }
  }

  /**
   * @param {Steps} steps
   * @param {Steps} inner
   * @param {import("./details.js").Detail} detail
   * @returns {never}
   */
  refuse(steps, inner, detail) {
    const path = pathText([...steps, ...inner], this.view.root);
    throw new Difference("draws", detail, { path });
  }

  /**
   * @param {Record<string, unknown>} roll
   * @param {Steps} steps
   */
  roll(roll, steps) {
    const faces = roll["faces"];
    const runs = Array.isArray(faces) ? asRuns(roll["draws"], faces.length) : undefined;
    const numbers = Array.isArray(faces) ? [...faces, roll["sides"], roll["total"]] : [];
    if (!Array.isArray(faces) || !runs || !numbers.every((each) => Number.isSafeInteger(each))) {
      return this.refuse(
        steps,
        [],
        said`no roll: it has \`faces\`, \`sides\`, \`total\` and \`draws\``,
      );
    }
    const count = runs.reduce((sum, each) => sum + each.count, 0);
    if (count !== faces.length) {
      this.refuse(steps, [], said`${count} draws are named for ${faces.length} faces`);
    }
    let at = 0;
    let total = 0;
    for (const run of runs) {
      if (run.seq !== undefined) this.tellsAgain = true;
      for (let next = 0; next < run.count; next++, at++) {
        const die =
          this.dieBefore(run, roll["sides"], faces[at]) ??
          this.die(run, run.number + next, [...steps, "draws"]);
        if (roll["sides"] !== die.sides) {
          this.refuse(steps, ["sides"], said`${shown(roll["sides"])} instead of ${die.sides}`);
        }
        if (faces[at] !== die.face) {
          this.refuse(steps, ["faces", at], said`${shown(faces[at])} instead of ${die.face}`);
        }
        if (run.uncounted === undefined) total += die.face;
      }
    }
    if (roll["total"] !== total) {
      this.refuse(steps, ["total"], said`${shown(roll["total"])} instead of ${total}`);
    }
  }

  /**
   * A die as a roll tells it again from the log that a fork continues, which is not at hand.
   * @param {Run} run
   * @param {unknown} sides
   * @param {unknown} face
   * @returns {Die | undefined}
   */
  dieBefore({ seq }, sides, face) {
    if (!this.view.isFork || seq !== 1) return undefined;
    return { sides: Number(sides), face: Number(face) };
  }

  /**
   * The die that a run names, noted as named.
   * @param {Run} run
   * @param {number} number
   * @param {Steps} steps
   * @returns {Die}
   */
  die(run, number, steps) {
    const die = this.view.sees(run.stream)
      ? this.known.get(run.seq ?? this.view.body.seq)?.get(run.stream)?.[number - 1]
      : undefined;
    const name = `${run.stream}/${number}`;
    if (die === undefined) return this.refuse(steps, [], said`draw ${name} is not in this view`);
    if (run.seq === undefined) {
      if (this.named.has(name)) return this.refuse(steps, [], said`draw ${name} is named twice`);
      this.named.add(name);
    }
    return die;
  }
}

/**
 * The runs of a roll with so many faces; undefined where one has not their form.
 * @param {unknown} value
 * @param {number} faces
 * @returns {Run[] | undefined}
 */
function asRuns(value, faces) {
  if (!Array.isArray(value)) return undefined;
  const runs = value.map((each) => asRun(each, faces));
  return runs.every((each) => each !== undefined) ? runs : undefined;
}

/**
 * @param {unknown} value
 * @param {number} faces
 * @returns {Run | undefined}
 */
function asRun(value, faces) {
  if (!isRecord(value)) return undefined;
  const { stream, number, count = faces, seq = 1, uncounted } = value;
  const isNumbered = [stream, number, count, seq].every((each) => Number.isSafeInteger(each));
  const isFromOne = [number, seq].every((each) => Number(each) >= 1 && Number(each) <= GREATEST);
  const isStream = Number(stream) >= 0 && Number(stream) <= GM_STREAM;
  const isOfFaces = Number(count) <= faces && (Number(count) >= 1 || value["count"] === undefined);
  const isKnown = uncounted === undefined || REASONS.has(/** @type {string} */ (uncounted));
  const isNamed = Object.keys(value).every((each) => FIELDS.has(each));
  if (![isNumbered, isFromOne, isStream, isOfFaces, isKnown, isNamed].every(Boolean)) {
    return undefined;
  }
  return /** @type {Run} */ ({ ...value, count });
}

/**
 * The dice of an event by stream, from the lists that are at hand.
 * @param {readonly import("./draws.js").DrawList[]} lists
 * @returns {Map<number, Die[]>}
 */
export function diceOf(lists) {
  return new Map(
    lists.map(({ stream, draws }) => [
      stream,
      draws.map(({ draw }) => ({ sides: draw.sides, face: draw.face })),
    ]),
  );
}
