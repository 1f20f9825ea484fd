// Where pips and names stand next to the signs of combatants, so that they cover nobody and one another
// neither, however close people stand.
//
// How this works. One after the other, whoever matters most first, each takes the first place at its
// side that is free of all bodies, of pips and of the names that stand already. A name without such a
// place is left out, the sign's initial staying; that of whoever is chosen or has the turn takes the
// place where it covers least. The ground is named where room is left.
import { CELL, factor, frameOf, middleOf } from "./coordinates.js";

/** Of a name's letters, in the units of signs; as in `scene.css`. */
const FONT = "600 11px system-ui, sans-serif";
const ASCENT = 10;
const DESCENT = 3;
const LONGEST = 14;
/** How far a form reaches, in parts of a sign's radius. @type {Record<string, number>} */
const REACH = { circle: 1, square: 0.82 };
const OTHERWISE = 1.15;
/** Parts of a cell that a sign's radius takes, and where cells are small. */
const USUAL = 0.34;
const CROWDED = 0.44;
/** Pixels of a cell below which letters have to be small. */
const ROOM = 24;
/** From a sign's edge to the ring around it. */
export const HALO = 7;
/** Of three pips in a row. */
const ROW = 11;
const THICK = 4;

/** @typedef {{x: number, y: number, width: number, height: number}} Rect */
/** @typedef {"above" | "below" | "right" | "left"} Side */
/** @typedef {{x: number, y: number, anchor: "start" | "middle" | "end"}} Spot of a text, from the middle of a sign */
/** @typedef {{pips: Side, name: Spot | null}} Beside */
/** @typedef {{beside: ReadonlyMap<any, Beside>, ground: ReadonlySet<any>}} Labels by combatant; and the shapes that are named */

/** @type {readonly Side[]} */
const PIPS = ["above", "below", "right", "left"];

/** Whether the cells of a grid are too small for usual letters. @param {any} scene @param {number} grow */
export const isCrowded = (scene, grow) => scene.is_grid && CELL / grow < ROOM;

/** A sign's radius in its own units. @param {any} scene @param {any} each @param {number} grow */
export function radiusOf(scene, each, grow) {
  const base = each.radius ? (each.radius * factor(scene)) / grow : 0;
  const part = isCrowded(scene, grow) ? CROWDED : USUAL;
  return Math.max(base, scene.is_grid ? (each.size * CELL * part) / grow : 9);
}

/** What a combatant is called on the map. @param {any} each */
export function nameOf(each) {
  const name = String(each.name ?? each.id);
  return name.length > LONGEST ? `${name.slice(0, LONGEST - 1)}…` : name;
}

/**
 * @param {object} of
 * @param {any} of.scene
 * @param {readonly any[]} of.combatants all that are drawn, whoever matters most first
 * @param {ReadonlyMap<string, string>} of.forms by side
 * @param {ReadonlySet<string>} of.kept ids of those whose names are never left out
 * @param {ReadonlySet<string>} of.haloed ids of those around whom a ring is drawn
 * @param {number} of.grow how much larger than life signs are drawn
 * @param {readonly {shape: any, text: string, x: number, y: number}[]} of.ground what is named of the ground, and where
 * @returns {Labels}
 */
export function labelsOf({ scene, combatants, forms, kept, haloed, grow, ground }) {
  const signs = combatants.map((each) => ({ each, r: radiusOf(scene, each, grow), middle: middleOf(scene, each, each.size) }));
  const placed = (/** @type {Rect} */ rect, /** @type {{x: number, y: number}} */ at) =>
    ({ x: at.x + rect.x * grow, y: at.y + rect.y * grow, width: rect.width * grow, height: rect.height * grow });
  const bodies = signs.map(({ each, r, middle }) => {
    const reach = r * (REACH[forms.get(each.side) ?? "circle"] ?? OTHERWISE);
    return placed({ x: -reach, y: -reach, width: 2 * reach, height: 2 * reach }, middle);
  });
  const taken = /** @type {Rect[]} */ ([]);
  const pips = signs.map(({ r, middle }, i) => {
    const others = [...bodies.filter((_, j) => j !== i), ...taken];
    const cost = (/** @type {Side} */ side) => covered(placed(pipsAt(side, r), middle), others);
    const side = least(PIPS, cost);
    taken.push(placed(pipsAt(side, r), middle));
    return side;
  });
  const inside = insideOf(frameOf(scene));
  taken.push(...bodies);
  const beside = new Map(signs.map(({ each, r, middle }, i) => {
    const side = pips[i] ?? "above";
    const width = widthOf(nameOf(each));
    const cost = (/** @type {Spot} */ spot) => {
      const rect = placed(rectOf(spot, width), middle);
      return covered(rect, taken) + inside(rect);
    };
    const spot = least(spotsAt(r + (haloed.has(each.id) ? HALO : 0), side), cost);
    const name = cost(spot) === 0 || kept.has(each.id) ? spot : null;
    if (name) taken.push(placed(rectOf(name, width), middle));
    return [each, { pips: side, name }];
  }));
  const named = ground.filter(({ text, x, y }) => {
    const rect = placed(rectOf({ x: 0, y: 0, anchor: "middle" }, widthOf(text)), { x, y });
    const isFree = covered(rect, taken) === 0;
    if (isFree) taken.push(rect);
    return isFree;
  });
  return { beside, ground: new Set(named.map(({ shape }) => shape)) };
}

/** Three pips at a side of a sign, in its units. @param {Side} side @param {number} r @returns {Rect} */
function pipsAt(side, r) {
  const far = r + THICK;
  if (side === "above") return { x: -ROW, y: -far - THICK, width: 2 * ROW, height: THICK };
  if (side === "below") return { x: -ROW, y: far, width: 2 * ROW, height: THICK };
  return { x: side === "right" ? far : -far - THICK, y: -ROW, width: THICK, height: 2 * ROW };
}

/** Each of the three, from the middle of its sign. @param {Side} side @param {number} r @returns {Rect[]} */
export function eachPip(side, r) {
  const { x, y, width, height } = pipsAt(side, r);
  return [0, 1, 2].map((i) => (width > height ? { x: x + i * 8, y, width: 6, height } : { x, y: y + i * 8, width, height: 6 }));
}

/** Where a name may stand, the usual place first. @param {number} r @param {Side} pips @returns {Spot[]} */
function spotsAt(r, pips) {
  const past = (/** @type {Side} */ side) => r + 3 + (pips === side ? 2 * THICK - 1 : 0);
  const [below, above] = [past("below") + ASCENT, -past("above") - DESCENT];
  return [
    { x: 0, y: below, anchor: "middle" },
    { x: past("right") + 2, y: 4, anchor: "start" },
    { x: -past("left") - 2, y: 4, anchor: "end" },
    { x: 0, y: above, anchor: "middle" },
    { x: -4, y: below, anchor: "start" },
    { x: 4, y: below, anchor: "end" },
    { x: -4, y: above, anchor: "start" },
    { x: 4, y: above, anchor: "end" },
  ];
}

/** @param {Spot} spot @param {number} width @returns {Rect} */
function rectOf({ x, y, anchor }, width) {
  const left = { start: 0, middle: width / 2, end: width }[anchor];
  return { x: x - left, y: y - ASCENT, width, height: ASCENT + DESCENT };
}

/** How much of a rectangle others cover. @param {Rect} one @param {readonly Rect[]} others */
function covered(one, others) {
  return others.reduce((sum, other) => sum + shared(one, other), 0);
}

/** @param {Rect} a @param {Rect} b */
function shared(a, b) {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return width > 0 && height > 0 ? width * height : 0;
}

/** How much of a rectangle is cut off by the edges of a picture. @param {[number, number, number, number]} frame */
function insideOf([x, y, width, height]) {
  const frame = { x, y, width, height };
  // Products of halves that are cut off by a hair are no cut.
  return (/** @type {Rect} */ one) => Math.max(0, Math.round(one.width * one.height - shared(one, frame)));
}

/** The first of those that cost least. @template T @param {readonly T[]} all @param {(one: T) => number} cost @returns {T} */
function least(all, cost) {
  let best = /** @type {T} */ (all[0]);
  let price = cost(best);
  for (const each of all.slice(1)) {
    if (price === 0) break;
    const asked = cost(each);
    if (asked < price) [best, price] = [each, asked];
  }
  return best;
}

/** @type {Map<string, number>} */
const widths = new Map();
/** @type {CanvasRenderingContext2D | null | undefined} */
let pen;

/** How wide a name is written, in the units of signs. @param {string} text */
function widthOf(text) {
  const before = widths.get(text);
  if (before !== undefined) return before;
  pen ??= document.createElement("canvas").getContext("2d");
  if (pen) pen.font = FONT;
  const width = (pen?.measureText(text).width ?? 7 * text.length) + 2;
  widths.set(text, width);
  return width;
}
