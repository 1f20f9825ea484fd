// Events as lines of a log: what each shows in words, in which round and turn it stands, and which
// rewind took it back.

/**
 * @typedef {object} Entry
 * @property {number} seq
 * @property {string} text the event in words
 * @property {string} by id of the seat, or who else asked
 * @property {string} action
 * @property {string} at RFC 3339
 * @property {number} round in which it was asked for; 0 before the first
 * @property {string} turn in whose turn it was asked for: a combatant, side or unit; empty before the first
 * @property {Standing} after where the battle is behind it
 * @property {number} dice how many are seen
 * @property {ReadonlySet<string>} combatants ids that it tells of
 * @property {ReadonlySet<string>} rules
 * @property {number | undefined} undoneBy the rewind
 * @property {number | undefined} rewoundTo where this rewind goes back to
 * @property {any} event as its reader sees it
 */

/** @typedef {{round: number, turn: string}} Standing */

const NOWHERE = { round: 0, turn: "" };
const ACTORS = ["combatant", "target", "attacker", "source", "versus"];

/** The log as far as it was read, in order and without a gap. */
export class LogEntries {
  constructor() {
    /** @type {Entry[]} */
    this.entries = [];
  }

  /** Seq of the last entry; 0 for none. */
  get last() {
    return this.entries.length;
  }

  /** @param {number} seq @returns {Entry | undefined} */
  at(seq) {
    return this.entries[seq - 1];
  }

  /** Take the next records; those that are here already are left out. @param {readonly any[]} records */
  add(records) {
    for (const record of records) {
      if (record.seq === this.last + 1) this.#append(record);
    }
    return this;
  }

  /** Words in another language, or what later rewinds undid. @param {readonly any[]} records */
  retell(records) {
    for (const record of records) {
      const entry = this.at(record.seq);
      if (!entry) continue;
      entry.text = record.narration ?? entry.text;
      entry.undoneBy = record.undone_by;
    }
    return this;
  }

  /** @param {any} record */
  #append(record) {
    const event = record.seen ?? record.event;
    const rewoundTo = goneBackTo(event);
    // A rewind is where it goes back to, behind what it takes back.
    const before = this.at(rewoundTo ?? this.last)?.after ?? NOWHERE;
    const after = { ...before };
    for (const effect of event.effects ?? []) proceed(after, effect);
    if (rewoundTo !== undefined && record.undone_by === undefined) this.#undo(record.seq, rewoundTo);
    this.entries.push({
      seq: record.seq,
      text: record.narration ?? "",
      by: event.by?.seat ?? event.by?.kind ?? "",
      action: event.action?.type ?? "",
      at: event.at ?? record.recorded_at,
      ...before,
      after,
      dice: event.draws?.length ?? 0,
      combatants: named(event),
      rules: rulesOf(event),
      undoneBy: record.undone_by,
      rewoundTo,
      event,
    });
  }

  /** What a rewind that was followed live takes back. @param {number} by @param {number} to */
  #undo(by, to) {
    for (const entry of this.entries) {
      if (entry.seq > to && entry.undoneBy === undefined) entry.undoneBy = by;
    }
  }
}

/** @param {any} event @returns {number | undefined} */
function goneBackTo(event) {
  return event.effects?.find((/** @type {any} */ each) => each.type === "rewound")?.to;
}

/** @param {Standing} standing @param {any} effect */
function proceed(standing, effect) {
  if (effect.type === "round_began") standing.round = effect.round;
  if (effect.type === "turn_began") standing.turn = effect.combatant ?? effect.side ?? "";
  if (effect.type === "activation_began") standing.turn = effect.unit ?? standing.turn;
}

/** Ids of all whom an event names. @param {any} event */
function named(event) {
  /** @type {Set<string>} */
  const found = new Set();
  eachObject([event.action, event.effects, event.draws], (part) => {
    for (const name of ACTORS) if (typeof part[name] === "string") found.add(part[name]);
    if (Array.isArray(part.combatants)) {
      for (const each of part.combatants) if (typeof each === "string") found.add(each);
    }
  });
  return found;
}

/** @param {any} event */
function rulesOf(event) {
  /** @type {Set<string>} */
  const found = new Set();
  eachObject(event.effects, (part) => {
    if (typeof part.rule === "string") found.add(part.rule);
    if (Array.isArray(part.rules)) {
      for (const each of part.rules) if (typeof each === "string") found.add(each);
    }
  });
  return found;
}

/** Every object within a value. @param {any} value @param {(part: any) => void} visit */
export function eachObject(value, visit) {
  if (Array.isArray(value)) value.forEach((each) => eachObject(each, visit));
  else if (value !== null && typeof value === "object") {
    visit(value);
    for (const each of Object.values(value)) eachObject(each, visit);
  }
}
