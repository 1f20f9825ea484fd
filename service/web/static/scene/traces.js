// What the event did on the ground: attacks, ways, areas; and the facts of a rule that is pointed at.
import { html } from "../shell/html.js";
import { CELL, cornerOf, factor, fixed, middleOf, through } from "./coordinates.js";

/** @param {{scene: any}} props */
export function Traces({ scene }) {
  const k = factor(scene);
  return html`<g aria-hidden="true">
    ${scene.areas.map((/** @type {any} */ area) => html`<${Area} scene=${scene} area=${area} k=${k} />`)}
    ${scene.lines.map((/** @type {any} */ line) => html`<path class=${`trace ${line.kind}`} marker-end=${line.kind === "attack" ? "url(#arrow)" : undefined}
      d=${`M${fixed((line.start.x * k) / 2)} ${fixed((line.start.y * k) / 2)}L${fixed((line.end.x * k) / 2)} ${fixed((line.end.y * k) / 2)}`} />`)}
  </g>`;
}

/** @param {{scene: any, area: any, k: number}} props */
function Area({ scene, area, k }) {
  const at = cornerOf(scene, area);
  if (area.points) {
    return html`<path class="area" d=${through(area.points.map((/** @type {any} */ each) => cornerOf(scene, each)), true)} />`;
  }
  return html`<circle class="area" cx=${fixed(at.x)} cy=${fixed(at.y)} r=${fixed(Math.max(4, area.radius * k))} />`;
}

export function Arrow() {
  return html`<marker id="arrow" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto">
    <path class="head" d="M0 0L10 5L0 10Z" /></marker>`;
}

/**
 * @typedef {object} Marks what an event or a rule points at
 * @property {Set<string>} combatants ids
 * @property {Set<string>} shapes labels
 * @property {{x: number, y: number}[]} cells
 * @property {{x: number, y: number}[]} corners
 * @property {{start: {x: number, y: number}, end: {x: number, y: number}}[]} lines between corners
 * @property {{x: number, y: number}[][]} ways places one after the other
 */

/** @returns {Marks} */
export const noMarks = () => ({ combatants: new Set(), shapes: new Set(), cells: [], corners: [], lines: [], ways: [] });

/** @param {{scene: any, marks: Marks}} props */
export function MarkedGround({ scene, marks }) {
  const k = factor(scene);
  return html`<g aria-hidden="true" class="marks">
    ${scene.is_grid && marks.cells.map(({ x, y }) => html`<rect x=${x * k} y=${y * k} width=${CELL} height=${CELL} />`)}
    ${marks.ways.map((way) => html`<path class="way" d=${through(way.map((each) => middleOf(scene, each)))} />`)}
    ${marks.lines.map(({ start, end }) => html`<path d=${through([cornerOf(scene, start), cornerOf(scene, end)])} />`)}
    ${marks.corners.map((each) => html`<circle cx=${cornerOf(scene, each).x} cy=${cornerOf(scene, each).y} r="5" />`)}
  </g>`;
}
