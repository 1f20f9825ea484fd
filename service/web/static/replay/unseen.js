// What a game master sees and a seat did not: who and what is missing in that seat's picture of the
// same moment, and which events shown it less.

/**
 * @typedef {object} Unseen parts of the game master's scene that the seat's lacks
 * @property {any[]} combatants those of whom it knew nothing, or of whom it knew another place
 * @property {any[]} shapes with at most the cells that it did not know
 * @property {any[]} areas
 * @property {any[]} lines
 */

/**
 * @param {any} whole the game master's scene
 * @param {any} seen the seat's
 * @returns {Unseen}
 */
export function unseenIn(whole, seen) {
  const places = new Set(seen.combatants.map(placeOf));
  return {
    combatants: whole.combatants.filter((/** @type {any} */ each) => !places.has(placeOf(each))),
    shapes: unseenShapes(whole.shapes, seen.shapes),
    areas: without(whole.areas, seen.areas),
    lines: without(whole.lines, seen.lines),
  };
}

/** How many things there are. @param {Unseen} unseen */
export const countOf = ({ combatants, shapes, areas, lines }) =>
  combatants.length + shapes.length + areas.length + lines.length;

/** Whether an event shows its readers different things. @param {any} one @param {any} other */
export const tellsOtherwise = (one, other) => told(one) !== told(other);

/** @param {any} event */
const told = ({ action, effects, draws }) => JSON.stringify([action, effects, draws]);

/** @param {any} combatant */
const placeOf = ({ id, x, y }) => `${id} ${x} ${y}`;

/** @param {readonly any[]} all @param {readonly any[]} known those of `all` that are not among `known` */
function without(all, known) {
  const keys = new Set(known.map((each) => JSON.stringify(each)));
  return all.filter((each) => !keys.has(JSON.stringify(each)));
}

/** @param {readonly any[]} all @param {readonly any[]} known */
function unseenShapes(all, known) {
  const cells = new Set(known.flatMap((shape) => cellsOf(shape).map((cell) => keyOf(shape, cell))));
  const lines = new Set(known.map(lineOf));
  return all.flatMap((shape) => {
    const left = cellsOf(shape).filter((cell) => !cells.has(keyOf(shape, cell)));
    const points = lines.has(lineOf(shape)) ? [] : shape.points;
    return left.length + points.length > 0 ? [{ ...shape, cells: left.map(([x, y]) => [x, y, 1]), points }] : [];
  });
}

/** The cells of a shape, one by one. @param {any} shape @returns {[number, number][]} */
const cellsOf = ({ cells }) =>
  cells.flatMap((/** @type {[number, number, number]} */ [x, y, count]) => Array.from({ length: count }, (_, i) => [x + i, y]));

/** @param {any} shape @param {[number, number]} cell */
const keyOf = ({ kind, label }, [x, y]) => `${kind} ${label} ${x} ${y}`;

/** @param {any} shape */
const lineOf = ({ kind, label, points }) => JSON.stringify([kind, label, points]);
