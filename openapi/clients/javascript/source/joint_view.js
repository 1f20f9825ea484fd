/**
 * An event as somebody sees it who holds the parts of several sides, but not the game master's.
 *
 * How this works. Positions in a part count what its audience sees. So the parts are laid into one
 * tree in which every element has its audience, and each part counts past what only others see.
 * In which order elements of two sides stand between those that everyone sees, the game master's
 * part alone says: here they stand in the order of the sides.
 */

import { isRecord } from "./line_form.js";

/** An array in which every element has its audience. */
class Elements {
  /** @param {unknown[]} values @param {string} audience */
  constructor(values, audience) {
    this.values = values;
    this.audiences = values.map(() => audience);
  }

  /** Where the elements stand that an audience sees. @param {string} audience */
  placesOf(audience) {
    /** @type {number[]} */
    const places = [];
    this.audiences.forEach((each, place) => {
      if (each === "everyone" || each === audience) places.push(place);
    });
    return places;
  }
}

/**
 * Throws where a part does not fit.
 * @param {import("./line_form.js").Body} body
 * @param {import("./parts.js").Opened} opened
 * @param {readonly string[]} sides  of which parts are held, in the order of the battle
 * @returns {any}
 */
export function jointViewOf(body, opened, sides) {
  const tree = opening(body, "everyone");
  for (const audience of ["everyone", ...sides]) {
    for (const kind of ["facts", "text"]) {
      for (const [path, value] of opened.get(`${kind}/${audience}`)?.entries ?? []) {
        place(tree, path, opening(value, audience), audience, kind === "facts");
      }
    }
  }
  return closed(tree);
}

/**
 * Put a value where an audience sees this path: a new member, or with facts a new element. Throws
 * where a member is there already and where a text would set an element.
 * @param {unknown} tree
 * @param {readonly (string | number)[]} path
 * @param {unknown} value
 * @param {string} audience
 * @param {boolean} isNew
 */
function place(tree, path, value, audience, isNew) {
  let node = tree;
  for (const step of path.slice(0, -1)) node = inner(node, step, audience);
  const last = path.at(-1);
  if (node instanceof Elements && typeof last === "number") {
    if (!isNew) throw new TypeError("a text that is an element");
    const at = node.placesOf(audience)[last] ?? node.values.length;
    node.values.splice(at, 0, value);
    node.audiences.splice(at, 0, audience);
  } else if (node instanceof Map && typeof last === "string") {
    if (node.has(last)) throw new TypeError("a member that is there");
    node.set(last, value);
  } else throw new TypeError("a path to nothing");
}

/** @param {unknown} node @param {string | number} step @param {string} audience */
function inner(node, step, audience) {
  if (node instanceof Elements && typeof step === "number") {
    return node.values[node.placesOf(audience)[step] ?? -1];
  }
  return node instanceof Map ? node.get(step) : undefined;
}

/**
 * JSON whose arrays say whose their elements are; objects are maps, so that any name is a name.
 * @param {unknown} value
 * @param {string} audience
 * @returns {unknown}
 */
function opening(value, audience) {
  if (Array.isArray(value)) {
    return new Elements(
      value.map((each) => opening(each, audience)),
      audience,
    );
  }
  if (!isRecord(value)) return value;
  return new Map(Object.entries(value).map(([name, each]) => [name, opening(each, audience)]));
}

/** The same as JSON has it. @param {unknown} tree @returns {unknown} */
function closed(tree) {
  if (tree instanceof Elements) return tree.values.map(closed);
  if (!(tree instanceof Map)) return tree;
  return Object.fromEntries([...tree].map(([name, each]) => [name, closed(each)]));
}
