/**
 * JSON Patch (RFC 6902), applied to values that are never changed: what a patch leaves alone is the
 * same object in the value before and the one after.
 */

/** @typedef {import("../warlog.js").Json} Json */
/** @typedef {import("../warlog.js").PatchStep} PatchStep */
/** @typedef {Record<string, Json>} JsonObject */

/** A patch that does not fit the value it was made for. */
export class PatchMisfit extends Error {
  /** @param {string} reason */
  constructor(reason) {
    super(reason);
    this.name = "PatchMisfit";
  }
}

/**
 * The value behind all steps. Throws PatchMisfit where one names what is not there; the value
 * itself stays as it was.
 * @param {Json} value
 * @param {readonly PatchStep[]} steps
 * @returns {Json}
 */
export function patched(value, steps) {
  return steps.reduce((before, step) => applied(before, step), value);
}

/**
 * @param {Json} value
 * @param {PatchStep} step
 * @returns {Json}
 */
function applied(value, step) {
  const path = tokens(step.path);
  switch (step.op) {
    case "add":
      return added(value, path, step.value);
    case "remove":
      return removed(value, path);
    case "replace":
      return replaced(value, path, step.value);
    case "move": {
      const from = tokens(step.from);
      if (from.length < path.length && from.every((each, at) => each === path[at])) {
        throw new PatchMisfit(`${step.from} cannot move into itself`);
      }
      return added(removed(value, from), path, found(value, from));
    }
    case "copy":
      return added(value, path, found(value, tokens(step.from)));
    case "test":
      if (!isEqual(found(value, path), step.value)) {
        throw new PatchMisfit(`another value stands at ${step.path}`);
      }
      return value;
    default:
      throw new PatchMisfit("an unknown step");
  }
}

/**
 * The steps of a JSON Pointer (RFC 6901).
 * @param {string} pointer
 * @returns {string[]}
 */
function tokens(pointer) {
  if (pointer === "") return [];
  if (!pointer.startsWith("/")) throw new PatchMisfit(`${pointer} is no pointer`);
  return pointer
    .slice(1)
    .split("/")
    .map((each) => each.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/**
 * @param {Json} value
 * @param {readonly string[]} path
 * @returns {Json}
 */
function found(value, path) {
  let here = value;
  for (const token of path) {
    if (Array.isArray(here)) here = /** @type {Json} */ (here[index(token, here.length - 1)]);
    else here = /** @type {Json} */ (asObject(here, token, true)[token]);
  }
  return here;
}

/**
 * The value with another in the place of what `change` is given: the container and the last token.
 * @param {Json} value
 * @param {readonly string[]} path  at least one token
 * @param {(holder: Json, token: string) => Json} change
 * @returns {Json}
 */
function changed(value, path, change) {
  const [token, ...rest] = /** @type {[string, ...string[]]} */ (path);
  if (!rest.length) return change(value, token);
  if (Array.isArray(value)) {
    const at = index(token, value.length - 1);
    const copy = value.slice();
    copy[at] = changed(/** @type {Json} */ (value[at]), rest, change);
    return copy;
  }
  const holder = asObject(value, token, true);
  return withMember(holder, token, changed(/** @type {Json} */ (holder[token]), rest, change));
}

/**
 * @param {Json} value
 * @param {readonly string[]} path
 * @param {Json} part
 * @returns {Json}
 */
function added(value, path, part) {
  if (!path.length) return part;
  return changed(value, path, (holder, token) => {
    if (!Array.isArray(holder)) return withMember(asObject(holder, token, false), token, part);
    const at = token === "-" ? holder.length : index(token, holder.length);
    return [...holder.slice(0, at), part, ...holder.slice(at)];
  });
}

/**
 * @param {Json} value
 * @param {readonly string[]} path
 * @returns {Json}
 */
function removed(value, path) {
  if (!path.length) throw new PatchMisfit("the whole value cannot be removed");
  return changed(value, path, (holder, token) => {
    if (Array.isArray(holder)) {
      const at = index(token, holder.length - 1);
      return [...holder.slice(0, at), ...holder.slice(at + 1)];
    }
    const { [token]: _, ...rest } = asObject(holder, token, true);
    return rest;
  });
}

/**
 * @param {Json} value
 * @param {readonly string[]} path
 * @param {Json} part
 * @returns {Json}
 */
function replaced(value, path, part) {
  if (!path.length) return part;
  return changed(value, path, (holder, token) => {
    if (!Array.isArray(holder)) return withMember(asObject(holder, token, true), token, part);
    const copy = holder.slice();
    copy[index(token, holder.length - 1)] = part;
    return copy;
  });
}

/**
 * A copy of an object with a member, also one that is called `__proto__`.
 * @param {JsonObject} holder
 * @param {string} name
 * @param {Json} value
 * @returns {JsonObject}
 */
function withMember(holder, name, value) {
  const copy = { ...holder };
  Object.defineProperty(copy, name, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  });
  return copy;
}

/**
 * @param {Json} value
 * @param {string} token
 * @param {boolean} isNeeded  whether the member has to be there
 * @returns {JsonObject}
 */
function asObject(value, token, isNeeded) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new PatchMisfit(`there is nothing that could hold ${token}`);
  }
  if (isNeeded && !Object.hasOwn(value, token)) throw new PatchMisfit(`there is no ${token}`);
  return value;
}

/**
 * @param {string} token
 * @param {number} most
 * @returns {number}
 */
function index(token, most) {
  const at = /^(0|[1-9][0-9]*)$/.test(token) ? Number(token) : NaN;
  if (!(at <= most)) throw new PatchMisfit(`there is no place ${token}`);
  return at;
}

/**
 * Whether two JSON values are the same, whatever the order of members.
 * @param {unknown} one
 * @param {unknown} other
 * @returns {boolean}
 */
export function isEqual(one, other) {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || !one || !other) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const names = Object.keys(one);
  if (names.length !== Object.keys(other).length) return false;
  return names.every(
    (name) =>
      Object.hasOwn(other, name) &&
      isEqual(
        /** @type {Record<string, unknown>} */ (one)[name],
        /** @type {Record<string, unknown>} */ (other)[name],
      ),
  );
}
