/**
 * The table of invariants: what holds of every view of a log, whatever its ruleset.
 *
 * How this works. Effects must not contradict one another, event 1 and the action that was asked
 * for. Each audience has a separate table, from event 1 on. A row that lacks what it compares says
 * nothing. What rewinds is kept by seq (the round); seats never rewind, and of combatants only those
 * that were never hidden are judged.
 */

import {
  judgeAddition,
  judgeAnswer,
  judgeAsker,
  judgeChoice,
  judgeMissing,
  judgeMover,
  judgeRepetition,
  judgeTarget,
} from "./asked_effects.js";
import { REPEATING } from "./asked_table.js";
import { said } from "./details.js";
import { Difference, shown } from "./findings.js";
import { isEqual } from "./json_patch.js";
import { isRecord } from "./line_form.js";

/**
 * @typedef {import("./details.js").Detail} Detail
 * @typedef {import("./line_form.js").Body} Body
 * @typedef {Readonly<Record<string, unknown>>} Tree
 * @typedef {(path: string, detail: Detail) => void} Report
 * @typedef {{role: unknown, sides: readonly unknown[], combatants: readonly unknown[],
 *   since: number}} Seat
 * @typedef {{name: string, roll: readonly string[], who: readonly string[],
 *   within: string | undefined}} Roller
 */

/** @type {Tree} */
const NOTHING = {};

/** @type {readonly unknown[]} */
const NONE = [];

/**
 * The outcome, mode or rule of attacks without a roll.
 * @type {ReadonlySet<unknown>}
 */
const NOT_ROLLED = new Set(["obstructed", "wasted", "counter", "CF-ALLY-3", "CF-HELP-1"]);

/**
 * Where a roll of an effect is, and where the one who rolls, maybe within a list.
 * @param {string} roll
 * @param {string} who
 * @param {string} [within]
 * @returns {Roller}
 */
function roller(roll, who, within) {
  return { name: roll, roll: roll.split("."), who: who.split("."), within };
}

/** @type {Readonly<Record<"attack" | "area" | "check" | "hurt" | "rolled", readonly Roller[]>>} */
const ROLLERS = {
  attack: [
    roller("detail.roll", "detail.attacker"),
    roller("detail.scatter", "detail.attacker"),
    roller("detail.saves.roll", "detail.saves.target"),
    roller("detail.against.roll", "detail.against.target"),
    roller("detail.miss_chance", "target"),
    roller("guess.miss_chance", "detail.attacker"),
    roller("answered.roll", "answered.combatant"),
  ],
  area: [
    roller("detail.roll", "detail.attacker"),
    roller("roll", "target", "victims"),
    roller("answered.roll", "answered.combatant", "victims"),
  ],
  check: [
    roller("roll", "combatant"),
    roller("reroll.roll", "combatant"),
    roller("opposed.roll", "opposed.combatant"),
  ],
  hurt: [roller("source.roll", "source.combatant")],
  rolled: [roller("roll", "combatant")],
};

/** Types of effects that a row is about, or from which one learns. */
const TYPES = new Set([
  ...["adjusted", "area_resolved", "attack_resolved", "check_resolved", "combatant_added"],
  ...["control_changed", "encounter_created", "hidden", "hurt", "moved", "revealed", "rolled"],
  ...["decision_closed", "decision_opened", "round_began", "seat_changed"],
  ...REPEATING,
]);

/** Where the effects are that a row is about. Most views of an event have the same effects. */
export class Notable {
  constructor() {
    /** @type {readonly unknown[] | undefined} */
    this.effects = undefined;
    /** @type {number[]} */
    this.places = [];
  }

  /**
   * The places of those among the effects of a view.
   * @param {Body["effects"]} effects
   */
  in(effects) {
    if (effects !== this.effects) {
      this.effects = effects;
      this.places = [];
      for (let at = 0; at < effects.length; at++) {
        const type = effects[at]?.type;
        if (type !== undefined && TYPES.has(type)) this.places.push(at);
      }
    }
    return this.places;
  }
}

export class Invariants {
  /**
   * @param {string} root  of paths into the views
   * @param {boolean} isCommon  everyone's view or the game master's
   * @param {Notable} notable  shared by all audiences
   */
  constructor(root, isCommon, notable) {
    this.notable = notable;
    this.root = root;
    this.isCommon = isCommon;
    this.isSealed = false;
    this.isFork = false;
    /** The round behind each event, by seq. @type {(number | undefined)[]} */
    this.rounds = [];
    /** By id. @type {Map<unknown, Seat>} */
    this.seats = new Map();
    /** Sides, and since when they are known. @type {Map<unknown, {side: unknown, since: number}>} */
    this.added = new Map();
    /** @type {Set<string>} */
    this.unsure = new Set();
    /** By combatant and item. @type {Map<unknown, Map<unknown, {dice: unknown, sides: unknown}>>} */
    this.damage = new Map();
    /** The options of each decision, by its ids. @type {Map<unknown, readonly unknown[]>} */
    this.options = new Map();
  }

  /**
   * Take in an event as the audience sees it; the first thing that does not hold.
   * @param {Body} view
   * @returns {Difference | undefined}
   */
  fold(view) {
    /** @type {Difference | undefined} */
    let first;
    this.judge(view, (path, detail) => {
      first ??= new Difference("invariants", detail, { path: this.root + path });
    });
    return first;
  }

  /**
   * @param {Body} view
   * @param {Report} report
   */
  judge(view, report) {
    const { seq, base } = view;
    const effects = /** @type {Tree[]} */ (view.effects);
    const action = tree(view.action);
    const isOverride = action["type"] === "adjust";
    this.judgeSeat(view, action, report);
    if (isOverride && this.isCommon && !effects.some((each) => each["type"] === "adjusted")) {
      report(".action", said`an override without its effect`);
    }
    judgeMissing(action, effects, report);
    judgeAnswer(action, effects, report);
    if (seq === 1) this.open(effects);
    let number = this.rounds[base];
    let overrides = isOverride ? 0 : 1;
    for (const at of this.notable.in(view.effects)) {
      const effect = effects[at] ?? {};
      switch (effect["type"]) {
        case "round_began":
          number = judgeRound(effect, number, at, report);
          break;
        case "adjusted":
          if (overrides++) {
            report(`.effects[${at}]`, said`an override that the action does not ask for`);
          }
          break;
        default:
          judgeRepetition(view, effect, this.seats, at, report);
          this.judgeEffect(view, effect, at, report);
          this.learn(effect, seq);
      }
    }
    this.rounds[seq] = number;
  }

  /**
   * What event 1 settles; a fork or a prepared battle begins in a separate round.
   * @param {readonly Tree[]} effects
   */
  open(effects) {
    for (const effect of effects) {
      if (effect["type"] !== "encounter_created") continue;
      this.isSealed = found(effect, ["dice", "mode"]) === "sealed";
      this.isFork = Object.hasOwn(effect, "fork_of");
      const taken = found(effect, ["state", "round"]);
      if (!this.isFork && effect["prepared"] !== true) this.rounds[0] = 0;
      else if (Number.isSafeInteger(taken)) this.rounds[0] = /** @type {number} */ (taken);
    }
  }

  /**
   * @param {Body} view
   * @param {Tree} effect
   * @param {number} at
   * @param {Report} report
   */
  judgeEffect(view, effect, at, report) {
    const { action, draws, effects } = view;
    const asked = tree(action);
    switch (effect["type"]) {
      case "combatant_added":
        judgeAddition(view, effect, at, report);
        break;
      case "decision_closed":
        judgeChoice(asked, effect, this.options.get(effect["decision_id"]), at, report);
        break;
      case "moved":
        judgeEnd(effect, at, report);
        judgeMover(asked, effect, at, report);
        break;
      case "attack_resolved":
        this.judgeRolled(asked, effect, at, report);
        judgeItem(asked, effect, at, report);
        judgeTarget(asked, effect, at, report);
        judgeRollers(draws, effect, ROLLERS.attack, at, report);
        break;
      case "area_resolved":
        judgeItem(asked, effect, at, report);
        judgeRollers(draws, effect, ROLLERS.area, at, report);
        break;
      case "hurt":
        this.judgeDamage(effects, effect, at, report);
        judgeItem(asked, effect, at, report);
        judgeRollers(draws, effect, ROLLERS.hurt, at, report);
        break;
      case "check_resolved":
        judgeRollers(draws, effect, ROLLERS.check, at, report);
        break;
      case "rolled":
        judgeRollers(draws, effect, ROLLERS.rolled, at, report);
    }
  }

  /**
   * A seat acts in its role, and a player for the combatants of the seat.
   * @param {Body} view
   * @param {Tree} action
   * @param {Report} report
   */
  judgeSeat(view, action, report) {
    const by = tree(view.by);
    const { seat: name } = by;
    if (this.root === "$") judgeAsker(by, report);
    if (view.seq === 1 || name === undefined) return;
    const seat = this.seats.get(name);
    if (!seat || seat.role !== by["role"]) {
      report(".by.seat", said`no seat ${shown(name)} with this role is here`);
      return;
    }
    if (seat.role !== "player") return;
    this.judgeActor(seat, name, action["combatant"], "combatant", report);
    const listed = list(action["combatants"]);
    for (let at = 0; at < listed.length; at++) {
      this.judgeActor(seat, name, listed[at], `combatants[${at}]`, report);
    }
  }

  /**
   * @param {Seat} seat
   * @param {unknown} name  of the seat
   * @param {unknown} who  acts
   * @param {string} place
   * @param {Report} report
   */
  judgeActor(seat, name, who, place, report) {
    const known = this.added.get(who);
    if (!known || known.since > seat.since) return;
    if (seat.combatants.includes(who) || seat.sides.includes(known.side)) return;
    report(`.action.${place}`, said`seat ${String(name)} does not act for ${shown(who)}`);
  }

  /**
   * An attack of sealed dice whose attacker is shown has a roll. In a fork only one that was declared
   * there: of others the dice may be those of a side.
   * @param {Tree} action
   * @param {Tree} effect
   * @param {number} at
   * @param {Report} report
   */
  judgeRolled(action, effect, at, report) {
    const { outcome, rule } = effect;
    const detail = tree(effect["detail"]);
    const { attacker, mode, rule: why } = detail;
    if (!this.isSealed || attacker === undefined || Object.hasOwn(detail, "roll")) return;
    if (outcome === undefined || (this.isFork && attacker !== action["combatant"])) return;
    const isFree = [outcome, rule, mode, why].some((each) => NOT_ROLLED.has(each));
    if (!isFree) report(`.effects[${at}].detail.roll`, said`an attack without a roll`);
  }

  /**
   * Damage has the dice of its weapon, or twice as many next to a critical attack.
   * @param {readonly Tree[]} effects
   * @param {Tree} effect
   * @param {number} at
   * @param {Report} report
   */
  judgeDamage(effects, effect, at, report) {
    const { combatant, item, roll } = tree(effect["source"]);
    const due = this.damage.get(combatant)?.get(item);
    const { faces, sides } = tree(roll);
    if (due === undefined || sides !== due.sides) return;
    const isCritical = effects.some(
      ({ type, outcome }) => type === "attack_resolved" && outcome === "critical",
    );
    const [count, dice] = [list(faces).length, Number(due.dice)];
    if (count === dice || (isCritical && count === 2 * dice)) return;
    report(`.effects[${at}].source.roll.faces`, said`${count} dice instead of ${dice}`);
  }

  /**
   * Take in what later rows compare with.
   * @param {Tree} effect
   * @param {number} seq
   */
  learn(effect, seq) {
    const { type, combatant, seat } = effect;
    switch (type) {
      case "combatant_added":
        this.add(tree(combatant), seq);
        break;
      case "encounter_created":
        for (const each of list(found(effect, ["state", "combatants"]))) this.add(tree(each), seq);
        break;
      case "revealed":
      case "hidden":
        this.doubt(isRecord(combatant) ? combatant["id"] : combatant);
        this.arm(tree(combatant));
        break;
      case "decision_opened":
        this.ask(tree(effect["decision"]));
        break;
      case "rewound":
        for (const each of list(effect["decisions"]).map(tree)) {
          this.ask({ id: each["id"], options: this.options.get(each["was"]) });
        }
        break;
      case "seat_changed":
        this.seatChanged(tree(seat), effect["removed"] === true, seq);
        break;
      case "control_changed": {
        const known = this.seats.get(seat);
        if (known) this.seats.set(seat, seatOf(effect, known.role, seq));
      }
    }
  }

  /**
   * Take down which choices a decision offers; one that a rewind opens again has another id.
   * @param {Tree} decision
   */
  ask({ id, options }) {
    if (typeof id === "string" && Array.isArray(options)) this.options.set(id, options);
  }

  /**
   * @param {Tree} told
   * @param {boolean} isRemoved
   * @param {number} seq
   */
  seatChanged(told, isRemoved, seq) {
    const { id, role } = told;
    if (typeof id !== "string" || role === undefined) return;
    if (isRemoved) this.seats.delete(id);
    else this.seats.set(id, seatOf(told, role, seq));
  }

  /**
   * A combatant is there for this audience from now on.
   * @param {Tree} combatant
   * @param {number} seq
   */
  add(combatant, seq) {
    const { id, side, hidden = false } = combatant;
    if (typeof id === "string" && !this.unsure.has(id) && hidden === false) {
      this.added.set(id, { side, since: seq });
    }
    this.arm(combatant);
  }

  /**
   * A combatant that is or was hidden: nobody sees who controls it meanwhile.
   * @param {unknown} name
   */
  doubt(name) {
    if (typeof name !== "string") return;
    this.added.delete(name);
    this.unsure.add(name);
    this.damage.delete(name);
  }

  /**
   * The dice of damage of each weapon and area that a sheet states.
   * @param {Tree} combatant
   */
  arm(combatant) {
    const { id } = combatant;
    if (typeof id !== "string") return;
    for (const each of [...list(combatant["weapons"]), ...list(combatant["areas"])]) {
      const { id: item, damage, damage_dice: dice } = tree(each);
      const told = dice === undefined ? tree(damage) : { count: dice, sides: 6 };
      const isTold = Number.isSafeInteger(told["count"]) && Number.isSafeInteger(told["sides"]);
      if (typeof item !== "string" || !isTold) continue;
      const own = this.damage.get(id) ?? new Map();
      this.damage.set(id, own.set(item, { dice: told["count"], sides: told["sides"] }));
    }
  }
}

/**
 * A walk ends at the last place of its path; heights may differ.
 * @param {Tree} moved
 * @param {number} at
 * @param {Report} report
 */
function judgeEnd(moved, at, report) {
  const way = list(moved["path"]);
  if (!way.length) return;
  const [end, last] = [tree(moved["end"]), tree(way.at(-1))];
  for (const axis of ["x", "y"]) {
    if (isEqual(end[axis], last[axis])) continue;
    report(`.effects[${at}].end.${axis}`, said`the move ends elsewhere than its path`);
  }
}

/**
 * An attack has the weapon that was asked for.
 * @param {Tree} action
 * @param {Tree} effect
 * @param {number} at
 * @param {Report} report
 */
function judgeItem(action, effect, at, report) {
  const { combatant, weapon, grenade } = action;
  const asked = weapon ?? grenade;
  if (asked === undefined || combatant === undefined) return;
  for (const [name, owner] of [
    ["detail", "attacker"],
    ["source", "combatant"],
  ]) {
    const holder = tree(effect[String(name)]);
    if (!isEqual(holder[String(owner)], combatant)) continue;
    const { item = asked } = holder;
    if (!isEqual(item, asked)) {
      report(`.effects[${at}].${name}.item`, said`${shown(item)} instead of ${shown(asked)}`);
    }
  }
}

/**
 * A roll has the draws of the one who rolls, as far as both are shown.
 * @param {readonly unknown[]} draws
 * @param {Tree} effect
 * @param {readonly Roller[]} rollers
 * @param {number} at
 * @param {Report} report
 */
function judgeRollers(draws, effect, rollers, at, report) {
  if (!draws.length) return;
  for (const row of rollers) {
    if (row.within === undefined) {
      judgeRoller(draws, effect, row, () => `.effects[${at}]`, report);
      continue;
    }
    for (const [nth, holder] of list(effect[row.within]).entries()) {
      const where = () => `.effects[${at}].${row.within}[${nth}]`;
      judgeRoller(draws, tree(holder), row, where, report);
    }
  }
}

/**
 * @param {readonly unknown[]} draws
 * @param {Tree} holder
 * @param {Roller} row
 * @param {() => string} where  the holder is
 * @param {Report} report
 */
function judgeRoller(draws, holder, row, where, report) {
  const roll = found(holder, row.roll);
  if (roll === undefined) return;
  const who = found(holder, row.who);
  if (who === undefined || !hasStrangers(tree(roll), draws, who)) return;
  report(`${where()}.${row.name}.draws`, said`dice of another combatant than ${shown(who)}`);
}

/**
 * Whether a roll names draws of this event that are those of another combatant.
 * @param {Tree} roll
 * @param {readonly unknown[]} draws
 * @param {unknown} who
 */
function hasStrangers(roll, draws, who) {
  const runs = list(roll["draws"]);
  const count = list(roll["faces"]).length;
  return draws.some((each) => {
    const draw = tree(each);
    const { combatant } = draw;
    if (typeof combatant !== "string" || combatant === who) return false;
    return runs.some((run) => names(tree(run), draw, tree(run)["count"] ?? count));
  });
}

/**
 * A round is one more than that before it. Its number, if it has one.
 * @param {Tree} effect
 * @param {number | undefined} before
 * @param {number} at
 * @param {Report} report
 */
function judgeRound({ round }, before, at, report) {
  if (before !== undefined && round !== before + 1) {
    report(`.effects[${at}].round`, said`${shown(round)} instead of ${before + 1}`);
  }
  return Number.isSafeInteger(round) ? /** @type {number} */ (round) : undefined;
}

/**
 * Whether a run of so many draws of this event has a draw.
 * @param {Tree} run
 * @param {Tree} draw
 * @param {unknown} count
 */
function names(run, draw, count) {
  if (Object.hasOwn(run, "seq") || run["stream"] !== draw["stream"]) return false;
  const [first, number] = [Number(run["number"]), Number(draw["number"])];
  return first <= number && number < first + Number(count);
}

/**
 * @param {Tree} told
 * @param {unknown} role
 * @param {number} since
 * @returns {Seat}
 */
function seatOf(told, role, since) {
  return { role, sides: list(told["sides"]), combatants: list(told["combatants"]), since };
}

/**
 * What is found by these steps.
 * @param {unknown} value
 * @param {readonly string[]} steps
 */
function found(value, steps) {
  let inner = value;
  for (const step of steps) inner = isRecord(inner) ? inner[step] : undefined;
  return inner;
}

/**
 * @param {unknown} value
 * @returns {Tree}
 */
function tree(value) {
  return isRecord(value) ? value : NOTHING;
}

/**
 * @param {unknown} value
 * @returns {readonly unknown[]}
 */
function list(value) {
  return Array.isArray(value) ? value : NONE;
}
