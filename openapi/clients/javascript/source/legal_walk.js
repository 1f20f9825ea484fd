/**
 * A walk through the parameters of an action, one settled after the other.
 *
 * How this works. A walk is never changed: each step gives another one, and `back` the one before.
 * Objects and lists of parameters are opened where they are met, so what is open is always a single
 * value with a path into the action. Choosing a value may bring parameters that stand next to it.
 */

import { parameterOf, requireValue } from "./legal_parameters.js";

/**
 * @typedef {import("../warlog.js").Action} Action
 * @typedef {import("../warlog.js").Json} Json
 * @typedef {import("../warlog.js").LegalDomain} LegalDomain
 * @typedef {import("../warlog.js").LegalOption} LegalOption
 * @typedef {import("../warlog.js").LegalParameter} LegalParameter
 * @typedef {readonly (string | number)[]} Path
 */

export class LegalWalk {
  /**
   * @param {Action} action
   * @param {readonly LegalParameter[]} open
   * @param {readonly import("../warlog.js").SettledParameter[]} settled
   * @param {LegalWalk} [before]
   */
  constructor(action, open, settled, before) {
    this.action = action;
    this.open = open;
    this.settled = settled;
    this.before = before;
  }

  /**
   * The beginning of a walk.
   * @param {Action} given
   * @param {Record<string, LegalDomain>} params
   */
  static through(given, params) {
    const { action, open } = opened(given, [], params);
    return new LegalWalk(action, open, []);
  }

  /** Whether `action` can be sent: nothing is open that may not be left out. */
  get isComplete() {
    return this.open.every((each) => each.optional);
  }

  /** The parameter to ask for next: the first that may not be left out, else the first. */
  get next() {
    return this.open.find((each) => !each.optional) ?? this.open[0];
  }

  /**
   * Settle a parameter. Throws a RangeError where it is not open or the value is none of its domain.
   * @param {LegalParameter | string} parameter  itself or its name
   * @param {Json | LegalOption} [value]  one of its `options`, or the value to send; none for an
   *   object or a list that may be left out, which is opened
   * @returns {LegalWalk}
   */
  choose(parameter, value) {
    const at = this.#find(parameter);
    const { params, value: plain } = requireValue(at, value);
    if (at.form === "object" || at.form === "list") return this.#open(at);
    const holder = at.path.slice(0, -1);
    const set = withValue(this.action, at.path, plain);
    const { action, open } = opened(set, holder, params);
    return this.#after(at, action, open, plain);
  }

  /**
   * Leave an optional parameter out.
   * @param {LegalParameter | string} parameter
   * @returns {LegalWalk}
   */
  leave(parameter) {
    const at = this.#find(parameter);
    if (!at.optional) throw new RangeError(`${at.name} may not be left out`);
    return this.#after(at, this.action, [], undefined);
  }

  /** The walk with everything settled that leaves no choice. */
  forced() {
    /** @type {LegalWalk} */
    let walk = this;
    for (;;) {
      const only = walk.open.find(
        (each) => !each.optional && each.options?.length === 1 && !each.beyondFt,
      );
      const option = only?.options?.[0];
      if (!only || !option) return walk;
      walk = walk.choose(only, option);
    }
  }

  /** @param {LegalParameter | string} parameter */
  #find(parameter) {
    const name = typeof parameter === "string" ? parameter : parameter.name;
    const at = this.open.find((each) => each.name === name);
    if (!at) {
      const names = this.open.map((each) => each.name).join(", ");
      throw new RangeError(`${name} is not open; what is: ${names || "nothing"}`);
    }
    return at;
  }

  /** @param {LegalParameter} at */
  #open(at) {
    const { params = {}, list_of: element, length = 0 } = /** @type {any} */ (at.domain);
    if (at.form === "object") {
      const set = withValue(this.action, at.path, {});
      const { action, open } = opened(set, at.path, params);
      return this.#after(at, action, open, undefined);
    }
    const list = openedList(this.action, at.path, element, length);
    return this.#after(at, list.action, list.open, undefined);
  }

  /**
   * @param {LegalParameter} at
   * @param {Action} action
   * @param {readonly LegalParameter[]} brought
   * @param {Json | undefined} value
   */
  #after(at, action, brought, value) {
    const place = this.open.indexOf(at);
    const open = [...this.open.slice(0, place), ...brought, ...this.open.slice(place + 1)];
    const settled =
      value === undefined ? this.settled : [...this.settled, { parameter: at, value }];
    return new LegalWalk(action, open, settled, this);
  }
}

/**
 * Parameters of an object, those opened that are objects or lists and may not be left out.
 * @param {Action} action
 * @param {Path} holder
 * @param {Record<string, LegalDomain>} params
 * @returns {{action: Action, open: LegalParameter[]}}
 */
function opened(action, holder, params) {
  /** @type {LegalParameter[]} */
  const open = [];
  let whole = action;
  for (const [name, domain] of Object.entries(params)) {
    const more = openedOne(whole, [...holder, name], domain);
    whole = more.action;
    open.push(...more.open);
  }
  return { action: whole, open };
}

/**
 * @param {Action} action
 * @param {Path} path
 * @param {LegalDomain} domain
 * @returns {{action: Action, open: LegalParameter[]}}
 */
function openedOne(action, path, domain) {
  const parameter = parameterOf(path, domain);
  if (parameter.optional) return { action, open: [parameter] };
  if ("list_of" in domain) return openedList(action, path, domain.list_of, domain.length);
  if (parameter.form !== "object") return { action, open: [parameter] };
  return opened(withValue(action, path, {}), path, /** @type {any} */ (domain).params);
}

/**
 * @param {Action} action
 * @param {Path} path
 * @param {LegalDomain} element
 * @param {number} length
 * @returns {{action: Action, open: LegalParameter[]}}
 */
function openedList(action, path, element, length) {
  let whole = withValue(action, path, []);
  /** @type {LegalParameter[]} */
  const open = [];
  for (let at = 0; at < length; at++) {
    const more = openedOne(whole, [...path, at], element);
    whole = more.action;
    open.push(...more.open);
  }
  return { action: whole, open };
}

/**
 * A copy of a tree with a value at a path whose holders are there.
 * @template T
 * @param {T} tree
 * @param {Path} path
 * @param {Json} value
 * @returns {T}
 */
function withValue(tree, path, value) {
  const [step, ...rest] = path;
  if (step === undefined) return /** @type {T} */ (value);
  const copy = /** @type {any} */ (Array.isArray(tree) ? tree.slice() : { ...tree });
  copy[step] = withValue(copy[step], rest, value);
  return copy;
}
