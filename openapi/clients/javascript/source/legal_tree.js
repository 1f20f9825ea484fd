/**
 * What may be done now, as a tree to walk: actors, their actions, the parameters of each.
 *
 * How this works. `legal-actions` lists a node for each type of action: domains of its parameters,
 * and an example. A value of some domains brings parameters next to it, so a walk (`LegalWalk`)
 * settles one parameter after the other and knows at each step which are still open.
 */

import { optionsOf } from "./legal_parameters.js";
import { LegalWalk } from "./legal_walk.js";

/**
 * @typedef {import("../warlog.js").Action} Action
 * @typedef {import("../warlog.js").Json} Json
 * @typedef {import("../warlog.js").LegalNode} LegalNode
 * @typedef {import("../warlog.js").LegalParameter} LegalParameter
 * @typedef {import("../warlog.js").LegalAnswer} LegalAnswer
 * @typedef {import("../warlog.js").LegalActorName} LegalActorName
 */

const ACTOR_KINDS = /** @type {const} */ (["side", "unit", "combatant"]);

export class LegalTree {
  /** @param {LegalAnswer} answer */
  constructor(answer) {
    this.ruleset = answer.ruleset;
    this.version = answer.version;
    this.samples = answer.samples ?? [];
    const actors = answer.actors ?? [/** @type {any} */ (answer)];
    this.actors = actors.map((each) => new LegalActor(each));
    this.actions = this.actors.flatMap((each) => each.actions);
  }

  /**
   * The action with these values. Throws a RangeError that names the parameter where one is missing
   * or is none of its domain, and where there is no such action.
   * @param {Action} choices  `type`, who acts where several may, and values of parameters
   * @returns {Action}
   */
  complete(choices) {
    /** @type {unknown} */
    let reason;
    for (const action of this.actions) {
      if (action.type !== choices.type || !action.isOf(choices)) continue;
      try {
        return action.complete(choices);
      } catch (error) {
        reason ??= error;
      }
    }
    if (reason !== undefined) throw reason;
    const types = [...new Set(this.actions.map((each) => each.type))];
    throw new RangeError(
      `${choices.type} is not open now; what is: ${types.join(", ") || "nothing"}`,
    );
  }
}

/** A side, a unit or a combatant, and what it may do. */
export class LegalActor {
  /** @param {LegalActorName & {actions: LegalNode[]}} told */
  constructor(told) {
    this.kind = ACTOR_KINDS.find((each) => told[each] !== undefined) ?? "combatant";
    this.id = told[this.kind] ?? "";
    this.actions = told.actions.map((node) => new LegalAction(node, this));
  }
}

/** A type of action that is open to an actor. */
export class LegalAction {
  /**
   * @param {LegalNode} node
   * @param {LegalActor} actor
   */
  constructor(node, actor) {
    this.type = node.type;
    this.actor = actor;
    this.params = node.params;
    this.example = node.example;
    this.decision = node.decision;
    /** What is given: the type, and who acts where that is no parameter. */
    this.given = /** @type {Action} */ ({ type: node.type });
    for (const kind of ACTOR_KINDS) {
      if (kind in node.example && !(kind in node.params)) {
        this.given[kind] = /** @type {string} */ (node.example[kind]);
      }
    }
  }

  /**
   * Whether choices are for whom it is.
   * @param {Action} choices
   */
  isOf(choices) {
    return Object.entries(this.given).every(
      ([name, value]) => choices[name] === undefined || choices[name] === value,
    );
  }

  /** The walk through its parameters, none of them settled. */
  start() {
    return LegalWalk.through(this.given, this.params);
  }

  /**
   * The action with these values. Throws a RangeError.
   * @param {Record<string, Json>} choices
   * @returns {Action}
   */
  complete(choices) {
    return completed(this.start(), choices);
  }
}

/**
 * Result of a walk with these values. Where several options have the same value, the first that
 * leads to an action which has all of them. Throws a RangeError.
 * @param {import("./legal_walk.js").LegalWalk} walk
 * @param {Record<string, Json>} choices
 * @returns {Action}
 */
function completed(walk, choices) {
  const [next] = walk.open;
  if (!next) {
    const extra = unread(choices, walk.action);
    if (extra !== undefined)
      throw new RangeError(`${extra} is no parameter of ${walk.action.type}`);
    return walk.action;
  }
  const value = valueAt(choices, next.path);
  if (value === undefined) {
    return completed(
      next.optional ? walk.leave(next) : walk.choose(next, onlyOption(next)),
      choices,
    );
  }
  /** @type {unknown} */
  let reason;
  for (const option of optionsOf(next, value)) {
    try {
      return completed(walk.choose(next, option), choices);
    } catch (error) {
      reason ??= error;
    }
  }
  throw reason;
}

/**
 * The option that leaves no choice.
 * @param {LegalParameter} parameter
 */
function onlyOption({ name, options }) {
  const [only, ...others] = options ?? [];
  if (only === undefined || others.length) throw new RangeError(`${name} is missing`);
  return only;
}

/**
 * The name of a choice that is not in the action.
 * @param {Record<string, Json>} choices
 * @param {Record<string, Json>} action
 * @returns {string | undefined}
 */
function unread(choices, action) {
  for (const [name, value] of Object.entries(choices)) {
    if (!Object.hasOwn(action, name)) return name;
    const there = action[name];
    const extra = isObject(value) && isObject(there) ? unread(value, there) : undefined;
    if (extra !== undefined) return `${name}.${extra}`;
  }
  return undefined;
}

/**
 * @param {Json | undefined} value
 * @returns {value is Record<string, Json>}
 */
function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * @param {unknown} value
 * @param {readonly (string | number)[]} path
 * @returns {any}
 */
function valueAt(value, path) {
  let here = value;
  for (const step of path) here = /** @type {any} */ (here)?.[step];
  return here;
}
