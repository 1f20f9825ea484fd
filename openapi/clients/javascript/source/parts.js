/**
 * Parts and views: how what is hidden is laid into what everyone may know. Parts only add: no entry
 * sets a member that is there, fills an element that is not empty or changes a draw, and a text
 * sets a string at a place of text alone.
 *
 * How this works. A tree is never changed: what lies on the way to a change is copied, all else is
 * shared. So a view that an event does not touch is the same object as the body, and whoever
 * compares two views sees at once what is the same in both.
 */

import { REPEATING } from "./asked_table.js";
import { said } from "./details.js";
import { Difference } from "./findings.js";
import { isRecord } from "./line_form.js";
import { isPlaceOfDraws } from "./text_places.js";

/**
 * @typedef {import("./line_form.js").Body} Body
 * @typedef {import("./line_form.js").Content} Content
 * @typedef {import("./line_form.js").Part} Part
 * @typedef {Map<string, Content>} Opened  parts by name, such as `facts/red`
 * @typedef {import("./text_places.js").TextPlaces} TextPlaces
 * @typedef {{audiences?: string[], inner: Map<string | number, Orders>}} Orders  orders by path
 */

/**
 * Names of parts by audience: each event has the same. Bounded, since a file may bring any number.
 * @type {Map<string, string>}
 */
const TEXT_NAMES = new Map();
/** @type {Map<string, string>} */
const FACTS_NAMES = new Map();
const MOST_NAMES = 512;

/**
 * The names of all parts of an event, in the order of its commitments.
 * @param {readonly string[]} sides
 * @returns {string[]}
 */
export function partNames(sides) {
  return [
    ...["everyone", ...sides, "gm"].map((each) => `text/${each}`),
    ...[...sides, "gm"].map((each) => `facts/${each}`),
  ];
}

/**
 * The name of a part.
 * @param {{kind: string, audience: string}} part
 */
export function partName(part) {
  const known = part.kind === "text" ? TEXT_NAMES : FACTS_NAMES;
  const name = known.get(part.audience);
  if (name !== undefined) return name;
  const made = `${part.kind}/${part.audience}`;
  if (known.size < MOST_NAMES) known.set(part.audience, made);
  return made;
}

/** @param {import("./details.js").Detail} detail */
function misfit(detail) {
  return new Difference("parts", detail);
}

/**
 * Set a member, also one called `__proto__`.
 * @param {Record<string, unknown>} tree
 * @param {string} name
 * @param {unknown} value
 */
function put(tree, name, value) {
  if (name === "__proto__") {
    Object.defineProperty(tree, name, {
      value,
      configurable: true,
      enumerable: true,
      writable: true,
    });
  } else tree[name] = value;
}

/**
 * A tree that is being changed: what it shares with others is copied once, on the way to the first
 * change below it.
 */
class Copy {
  /** @param {boolean} isInserting  whether what stood at an element moves up */
  constructor(isInserting) {
    this.isInserting = isInserting;
    /** What was copied, and so belongs to nobody else. @type {Set<unknown>} */
    this.own = new Set();
  }

  /**
   * A tree with a value at a path. Throws a Difference where the path leads nowhere.
   * @param {unknown} tree
   * @param {readonly (string | number)[]} path
   * @param {unknown} value
   * @param {number} [depth]
   * @returns {unknown}
   */
  laid(tree, path, value, depth = 0) {
    const step = path[depth];
    const isLast = depth === path.length - 1;
    if (Array.isArray(tree) && typeof step === "number") {
      const isInserted = isLast && this.isInserting;
      if (step >= tree.length + (isInserted ? 1 : 0)) throw misfit(said`an index out of range`);
      const isTaken = isLast && !isInserted && tree[step] !== undefined;
      if (isTaken) throw misfit(said`an element that is not empty`);
      const copy = /** @type {unknown[]} */ (this.owned(tree));
      if (isInserted) copy.splice(step, 0, value);
      else copy[step] = isLast ? value : this.laid(copy[step], path, value, depth + 1);
      return copy;
    }
    if (isRecord(tree) && typeof step === "string") {
      const isThere = Object.hasOwn(tree, step);
      if (!isLast && !isThere) throw misfit(said`a path to no member`);
      if (isLast && isThere) throw misfit(said`a member that is there`);
      const copy = /** @type {Record<string, unknown>} */ (this.owned(tree));
      put(copy, step, isLast ? value : this.laid(copy[step], path, value, depth + 1));
      return copy;
    }
    throw misfit(said`a path to nothing`);
  }

  /** @param {object} node */
  owned(node) {
    if (this.own.has(node)) return node;
    const copy = Array.isArray(node) ? node.slice() : { ...node };
    this.own.add(copy);
    return copy;
  }
}

/** What paths begin with. @type {ReadonlySet<unknown>} */
const OPEN_TO_PARTS = new Set(["action", "effects", "draws"]);
const OF_THE_BODY = new Set(REPEATING);

/**
 * Throws a Difference where a part of this kind may not set such a value there.
 * @param {string} name
 * @param {unknown} tree
 * @param {readonly (string | number)[]} path
 * @param {unknown} value
 * @param {TextPlaces | undefined} places
 */
function requirePlace(name, tree, path, value, places) {
  if (!OPEN_TO_PARTS.has(path[0])) throw misfit(said`a path to what the body alone says`);
  if (name.startsWith("text/")) {
    if (typeof value !== "string") throw misfit(said`a text that is no string`);
    if (places && !places.has(tree, path)) throw misfit(said`a path to no place of text`);
  } else if (path[0] === "draws") {
    if (!isPlaceOfDraws(path)) throw misfit(said`a path into a draw`);
    if (path.length > 2 && typeof value !== "string") {
      throw misfit(said`a combatant that is no string`);
    }
  } else if (path.length === (path[0] === "action" ? 1 : 2)) {
    const type = isRecord(value) ? value["type"] : undefined;
    if (typeof type !== "string") throw misfit(said`an action or effect without a type`);
    if (path[0] === "effects" && OF_THE_BODY.has(type)) {
      throw misfit(said`an effect that the body alone may have`);
    }
  }
}

/**
 * A tree with the entries of a part laid into it. Throws a Difference that names the part.
 * @template T
 * @param {T} tree
 * @param {Opened} opened
 * @param {string} name
 * @param {boolean} isInserting
 * @param {TextPlaces | undefined} places  undefined where a text may stand anywhere
 * @returns {T}
 */
function laid(tree, opened, name, isInserting, places) {
  /** @type {unknown} */
  let result = tree;
  const entries = opened.get(name)?.entries ?? [];
  if (!entries.length) return tree;
  const copy = new Copy(isInserting);
  entries.forEach(([path, value], at) => {
    try {
      requirePlace(name, result, path, value, places);
      result = copy.laid(result, path, value);
    } catch (error) {
      throw named(error, name, at);
    }
  });
  return /** @type {T} */ (result);
}

/**
 * @param {unknown} error
 * @param {string} name
 * @param {number} at
 */
function named(error, name, at) {
  if (!(error instanceof Difference)) return error;
  const path = `parts.${name.replace("/", ".")}.entries[${at}]`;
  return new Difference("parts", said`the entry has ${error.detail}`, { path });
}

/**
 * An event as `everyone` or a side sees it.
 * @param {Body} body
 * @param {Opened} opened
 * @param {string} audience
 * @param {TextPlaces} [places]
 * @returns {Body}
 */
export function viewOf(body, opened, audience, places) {
  const common = laid(body, opened, "text/everyone", false, places);
  if (audience === "everyone") return common;
  const facts = laid(common, opened, `facts/${audience}`, true, places);
  return laid(facts, opened, `text/${audience}`, false, places);
}

/**
 * The whole event, as the game master sees it. Throws a Difference where parts do not fit together.
 * @param {Map<string, Body>} views  those of `everyone` and of each side, in order
 * @param {Opened} opened
 * @param {TextPlaces} [places]
 * @returns {Body}
 */
export function wholeOf(views, opened, places) {
  const orders = treeOfOrders(opened.get("facts/gm")?.orders ?? []);
  const tree = /** @type {Body} */ (merged(views, "everyone", orders));
  const facts = laid(tree, opened, "facts/gm", false, places);
  const whole = laid(facts, opened, "text/gm", false, places);
  if (orders !== undefined && hasHole(whole, orders)) {
    throw new Difference("parts", said`an element of the game master's was never filled`, {
      path: "parts.facts.gm",
    });
  }
  return whole;
}

/**
 * @param {readonly [path: (string | number)[], audiences: string[]][]} orders
 * @returns {Orders | undefined}
 */
function treeOfOrders(orders) {
  if (!orders.length) return undefined;
  /** @type {Orders} */
  const root = { inner: new Map() };
  for (const [path, audiences] of orders) {
    let node = root;
    for (const step of path) {
      const next = node.inner.get(step) ?? { inner: new Map() };
      node.inner.set(step, next);
      node = next;
    }
    if (node.audiences) throw orderMisfit(said`two orders of one array`);
    node.audiences = audiences;
  }
  return root;
}

/** @param {import("./details.js").Detail} detail */
function orderMisfit(detail) {
  return new Difference("parts", detail, { path: "parts.facts.gm" });
}

/**
 * @param {Map<string, unknown>} views  what each audience sees here
 * @param {string} own  whose the value is
 * @param {Orders | undefined} orders
 * @returns {unknown}
 */
function merged(views, own, orders) {
  const value = views.get(own);
  if (orders === undefined && [...views.values()].every((each) => each === value)) return value;
  if (isRecord(value)) return mergedRecord(views, own, orders);
  if (Array.isArray(value)) return mergedArray(views, own, value.length, orders);
  if (orders?.audiences) throw orderMisfit(said`an order of what is no array`);
  if ([...views.values()].some((each) => each !== value)) {
    throw orderMisfit(said`an order that pairs different elements`);
  }
  return value;
}

/**
 * @param {Map<string, unknown>} views
 * @param {string} own
 * @param {Orders | undefined} orders
 */
function mergedRecord(views, own, orders) {
  if (orders?.audiences) throw orderMisfit(said`an order of what is no array`);
  /** @type {[string, Record<string, unknown>][]} */
  const records = [];
  /** @type {Set<string>} */
  const names = new Set();
  for (const [audience, view] of views) {
    if (!isRecord(view)) throw orderMisfit(said`views that differ in what they are`);
    records.push([audience, view]);
    for (const name of Object.keys(view)) names.add(name);
  }
  for (const name of orders?.inner.keys() ?? []) {
    if (!names.has(String(name))) throw orderMisfit(said`an order of nothing`);
  }
  /** @type {Record<string, unknown>} */
  const tree = {};
  for (const name of names) put(tree, name, mergedMember(records, own, name, orders));
  return tree;
}

/**
 * A member of records, most of which show the same.
 * @param {readonly [string, Record<string, unknown>][]} records  what each audience sees here
 * @param {string} own
 * @param {string} name
 * @param {Orders | undefined} orders  those of the record
 */
function mergedMember(records, own, name, orders) {
  const ordered = orders?.inner.get(name);
  const seers = records.filter(([, record]) => Object.hasOwn(record, name));
  const [first] = seers;
  const isOwn = seers.some(([audience]) => audience === own);
  if (!isOwn && seers.length > 1) throw orderMisfit(said`a member that two sides set`);
  if (isOwn && seers.length < records.length) {
    throw orderMisfit(said`an order that pairs different elements`);
  }
  const value = first?.[1][name];
  if (ordered === undefined && seers.every(([, record]) => record[name] === value)) return value;
  const inner = new Map(seers.map(([audience, record]) => [audience, record[name]]));
  return merged(inner, isOwn ? own : String(first?.[0]), ordered);
}

/**
 * @param {Map<string, unknown>} views
 * @param {string} own
 * @param {number} length
 * @param {Orders | undefined} orders
 */
function mergedArray(views, own, length, orders) {
  /** @type {Map<string, {list: unknown[], at: number}>} */
  const left = new Map();
  for (const [audience, view] of views) {
    if (!Array.isArray(view)) throw orderMisfit(said`views that differ in what they are`);
    left.set(audience, { list: view, at: 0 });
  }
  const elements = [];
  for (const audience of orders?.audiences ?? new Array(length).fill(own)) {
    const isSeen = own === "everyone" && views.has(audience);
    if (!isSeen && audience !== own && audience !== "gm") {
      throw orderMisfit(said`an order for nobody who sees the array`);
    }
    /** @type {Map<string, unknown>} */
    const inner = new Map();
    for (const [seer, each] of left) {
      if (audience !== "everyone" && audience !== seer) continue;
      if (each.at >= each.list.length) throw orderMisfit(said`an order with an element too many`);
      inner.set(seer, each.list[each.at++]);
    }
    elements.push(
      inner.size
        ? merged(inner, ownerOf(inner, audience), orders?.inner.get(elements.length))
        : undefined,
    );
  }
  for (const [audience, each] of left) {
    const mustBePlaced = own === "everyone" || own === audience;
    if (mustBePlaced && each.at < each.list.length)
      throw orderMisfit(said`an element that no order names`);
  }
  return elements;
}

/**
 * @param {Map<string, unknown>} inner
 * @param {string} audience
 */
function ownerOf(inner, audience) {
  return inner.has(audience) ? audience : /** @type {string} */ (inner.keys().next().value);
}

/**
 * Whether an element that was kept free is still empty.
 * @param {unknown} tree
 * @param {Orders} orders
 * @returns {boolean}
 */
function hasHole(tree, orders) {
  if (orders.audiences && Array.isArray(tree) && tree.includes(undefined)) return true;
  for (const [step, inner] of orders.inner) {
    const next = /** @type {Record<string | number, unknown>} */ (tree)?.[step];
    if (next !== undefined && hasHole(next, inner)) return true;
  }
  return false;
}
