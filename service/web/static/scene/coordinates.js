// Where things of a scene lie in its picture: 40 of the picture's units to a cell or a length.
export const CELL = 40;

/** @typedef {{x: number, y: number}} Point */

/** The picture's units to one of the scene's. @param {any} scene */
export function factor(scene) {
  return CELL / (scene.scale?.length ?? 1);
}

/** @param {any} scene @returns {[number, number, number, number]} x, y, width and height of the picture */
export function frameOf(scene) {
  const k = factor(scene);
  const { x, y, width, height } = scene.bounds;
  const margin = CELL / 2;
  return [x * k - margin, y * k - margin, width * k + 2 * margin, height * k + 2 * margin];
}

/** A place of somebody or of an action: on a grid the middle of its cell. @param {any} scene @param {Point} place */
export function middleOf(scene, place, size = 1) {
  const k = factor(scene);
  const inside = scene.is_grid ? size / 2 : 0;
  return { x: (place.x + inside) * k, y: (place.y + inside) * k };
}

/** A corner or a free point. @param {any} scene @param {Point} point */
export function cornerOf(scene, point) {
  const k = factor(scene);
  return { x: point.x * k, y: point.y * k };
}

/** The place in the scene's unit under a point of the picture. @param {any} scene @param {Point} point @returns {Point} */
export function placeAt(scene, point) {
  const k = factor(scene);
  const round = scene.is_grid ? Math.floor : Math.round;
  return { x: round(point.x / k), y: round(point.y / k) };
}

/**
 * A place as sentences tell it, in the unit that people count in: steps where coordinates are finer
 * than the eye. A comma parts the numbers, so that their fractions have a point in every language.
 *
 * @param {{x: number, y: number, elevation?: number | undefined}} place
 * @param {any} [scene] which has that unit, if there is any
 */
export function placeInWords({ x, y, elevation }, scene) {
  const length = scene?.scale?.length ?? 1;
  const told = (/** @type {number} */ n) => Math.round((10 * n) / length) / 10;
  return `(${told(x)}, ${told(y)}${elevation ? `, ↑${elevation}` : ""})`;
}

/** @param {readonly Point[]} points @param {boolean} [isClosed] */
export function through(points, isClosed = false) {
  const path = points.map((each, i) => `${i ? "L" : "M"}${fixed(each.x)} ${fixed(each.y)}`).join("");
  return isClosed ? `${path}Z` : path;
}

/** @param {number} value */
export const fixed = (value) => Math.round(value * 10) / 10;
