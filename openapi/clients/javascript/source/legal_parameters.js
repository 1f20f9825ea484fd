/** Single parameters of actions: what may be sent for one, and whether a value is among it. */

import { isEqual } from "./json_patch.js";

/**
 * @typedef {import("../warlog.js").Json} Json
 * @typedef {import("../warlog.js").LegalDomain} LegalDomain
 * @typedef {import("../warlog.js").LegalOption} LegalOption
 * @typedef {import("../warlog.js").LegalParameter} LegalParameter
 * @typedef {import("../warlog.js").Point} Point
 */

/**
 * @param {readonly (string | number)[]} path
 * @param {LegalDomain} domain
 * @returns {LegalParameter}
 */
export function parameterOf(path, domain) {
  const { optional = false } = /** @type {{optional?: boolean}} */ (domain);
  const common = { name: path.join("."), path, optional, domain };
  if ("one_of" in domain) {
    const options = domain.one_of.map(memberOption);
    return { ...common, form: "one_of", options, ...unitOf(domain), ...beyond(domain) };
  }
  if ("cells" in domain) {
    const options = domain.cells.map(cellOption);
    return { ...common, form: "cells", options, ...unitOf(domain), ...beyond(domain) };
  }
  if ("int_range" in domain) {
    const { min, max } = domain.int_range;
    return { ...common, form: "int_range", min, max, ...unitOf(domain.int_range) };
  }
  if ("some_of" in domain) {
    const { some_of: values, min, max } = domain;
    return { ...common, form: "some_of", min, max, options: values.map(plainOption) };
  }
  if ("disc" in domain) return { ...common, form: "disc", ...domain.disc, ...accepted(domain) };
  if ("path" in domain) {
    const { longest, ...from } = domain.path;
    return { ...common, form: "path", max: longest, ...from, ...accepted(domain) };
  }
  return { ...common, form: "list_of" in domain ? "list" : "object" };
}

/**
 * The value to send, and the parameters that it brings. Throws a RangeError that names the
 * parameter and what is allowed.
 * @param {LegalParameter} parameter
 * @param {Json | LegalOption | undefined} value  an option of the parameter or a value
 * @returns {{value: Json, params: Record<string, LegalDomain>}}
 */
export function requireValue(parameter, value) {
  const { form, options } = parameter;
  if (form === "object" || form === "list") return { value: {}, params: {} };
  const own = options?.find((each) => each === value);
  if (own) return { value: own.value, params: own.params };
  const plain = /** @type {Json} */ (value);
  const member = options?.find((each) => stands(each, plain));
  if (form !== "some_of" && member) return { value: member.value, params: member.params };
  const isListed = options !== undefined && form !== "some_of";
  const reason = isListed ? notListed(parameter, plain) : CHECKS[form]?.(parameter, plain);
  if (reason) throw new RangeError(`${parameter.name} is ${JSON.stringify(value)}; ${reason}`);
  return { value: plain, params: {} };
}

/**
 * The options that a value may stand for; the value itself where none is listed.
 * @param {LegalParameter} parameter
 * @param {Json} value
 * @returns {(Json | LegalOption)[]}
 */
export function optionsOf({ form, options = [] }, value) {
  const listed = form === "some_of" ? [] : options.filter((each) => stands(each, value));
  return listed.length ? listed : [value];
}

/**
 * Whether an option represents a value: its own, or for a path the cell where it ends.
 * @param {LegalOption} option
 * @param {Json} value
 */
function stands(option, value) {
  if (isEqual(option.value, value)) return true;
  const { at } = option;
  return Array.isArray(option.value) && at !== undefined && isEqual(value, { x: at.x, y: at.y });
}

/** @type {Record<string, (parameter: LegalParameter, value: Json) => string | undefined>} */
const CHECKS = {
  int_range({ min = 0, max = 0 }, value) {
    const isWithin = Number.isInteger(value) && Number(value) >= min && Number(value) <= max;
    return isWithin ? undefined : `allowed are whole numbers from ${min} to ${max}`;
  },
  some_of({ min = 0, max = 0, options = [] }, value) {
    const list = Array.isArray(value) ? value : [];
    const isListed = list.every((each) => options.some((option) => option.value === each));
    const isDistinct = Array.isArray(value) && new Set(list).size === list.length;
    if (isDistinct && isListed && list.length >= min && list.length <= max) return undefined;
    const names = options.map((each) => each.value).join(", ");
    return `allowed are ${min} to ${max} of ${names}`;
  },
  disc(parameter, value) {
    if (!isPoint(value)) return "allowed is a point {x, y} of whole numbers";
    const { x = 0, y = 0, radius } = parameter;
    const isNear = radius === undefined || (value.x - x) ** 2 + (value.y - y) ** 2 <= radius ** 2;
    return isNear ? undefined : `allowed are points at most ${radius} from ${x}, ${y}`;
  },
  path({ max = 1 }, value) {
    const isWay = Array.isArray(value) && value.length && value.every(isPoint);
    return isWay && value.length <= max ? undefined : `allowed are 1 to ${max} points {x, y}`;
  },
};

/**
 * @param {LegalParameter} parameter
 * @param {Json} value
 */
function notListed({ beyondFt, options = [] }, value) {
  // Not all that is accepted is listed then: the service knows.
  if (beyondFt !== undefined && value !== undefined) return undefined;
  return `allowed are ${options.map((each) => JSON.stringify(each.value)).join(", ")}`;
}

/**
 * @param {any} value
 * @returns {value is Point}
 */
function isPoint(value) {
  const { x, y } = /** @type {Partial<Point>} */ (value ?? {});
  return Number.isInteger(x) && Number.isInteger(y);
}

/**
 * @param {unknown} member
 * @returns {LegalOption}
 */
function memberOption(member) {
  const { value, params } = /** @type {any} */ (member ?? {});
  if (params && value !== undefined) return { value, params, ...placeOf(value) };
  const plain = /** @type {Json} */ (member);
  return { value: plain, params: {}, ...placeOf(plain) };
}

/**
 * @param {Json} value
 * @returns {LegalOption}
 */
function plainOption(value) {
  return { value, params: {} };
}

/**
 * @param {import("../warlog.js").LegalCell} cell
 * @returns {LegalOption}
 */
function cellOption({ x, y, path, params = {}, cost_ft: feet, cost_mp: points }) {
  const cost = feet ?? points;
  const value = /** @type {Json} */ (/** @type {unknown} */ (path));
  return { value, params, at: { x, y }, ...(cost === undefined ? {} : { cost }) };
}

/**
 * Where an option is, if it is a place.
 * @param {any} value
 * @returns {{at?: Point}}
 */
function placeOf(value) {
  const place = isPoint(value) ? value : value?.cell;
  return isPoint(place) ? { at: { x: place.x, y: place.y } } : {};
}

/** @param {object} domain */
function unitOf(domain) {
  const { unit } = /** @type {{unit?: string}} */ (domain);
  return unit === undefined ? {} : { unit };
}

/** @param {object} domain */
function beyond(domain) {
  const { beyond_ft: beyondFt } = /** @type {{beyond_ft?: number}} */ (domain);
  return beyondFt === undefined ? {} : { beyondFt };
}

/** @param {object} domain */
function accepted(domain) {
  const { accepted: values } = /** @type {{accepted?: Json[]}} */ (domain);
  if (values === undefined) return {};
  return { options: values.map((value) => ({ ...plainOption(value), ...placeOf(value) })) };
}
