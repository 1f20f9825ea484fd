// The ground: kinds are distinguished by hatching, so that nothing hangs on colour.
import { html } from "../shell/html.js";
import { say } from "../shell/texts.js";
import { cornerOf, factor, fixed, through } from "./coordinates.js";

/** @type {Record<string, string>} kind -> strokes of a tile of ten by ten */
const HATCHES = {
  cover: "M0 10L10 0",
  smoke: "M2 5h2M7 9h2M7 1h2",
  opaque: "M0 5q2.5 -5 5 0t5 0",
  dim: "M0 0L10 10",
  dark: "M0 0L10 10M0 10L10 0",
  height: "M0 5h10",
  fire: "M0 9L5 1L10 9",
  fuel: "M3 5a2 2 0 1 0 4 0a2 2 0 1 0 -4 0",
  explosive_cargo: "M2 2l6 6M8 2l-6 6",
  weapons_ammo: "M5 1v8M1 5h8",
  reserved: "M4 5h2",
  door: "M0 2h10M0 8h10",
  open_door: "M0 2h3M7 2h3M0 8h3M7 8h3",
  shootable_obstacle: "M3 0v10M7 0v10",
  solid_obstacle: "M0 0L10 10M10 0L0 10M5 0v10",
  building: "M0 0L10 10M10 0L0 10",
  column: "M0 2h10M0 7h10M2 0v10M7 0v10",
  low_wall: "M0 5h10M5 0v5",
  rock: "M1 7L5 3L9 7",
  debris: "M1 2l3 3M9 6l-3 3M7 1h2",
};
const OTHERWISE = "M5 0v10";
const WHOLE = new Set(["solid", "wall"]);

/** @param {{scene: any}} props */
export function Hatches({ scene }) {
  const kinds = [...new Set(scene.shapes.map((/** @type {any} */ each) => each.kind))];
  return html`<defs>
    ${kinds.map((kind) => html`<pattern id=${`hatch-${kind}`} width="10" height="10" patternUnits="userSpaceOnUse">
      <path class="hatch" d=${HATCHES[String(kind)] ?? OTHERWISE} /></pattern>`)}
  </defs>`;
}

/**
 * @param {object} props
 * @param {any} props.scene
 * @param {ReadonlySet<string>} props.marked labels of shapes to be shown strongly
 */
export function Ground({ scene, marked }) {
  return html`<g aria-hidden="true">
    ${scene.is_grid && html`<path class="grid" d=${gridOf(scene)} />`}
    ${scene.shapes.map((/** @type {any} */ shape) => html`<${Shape} scene=${scene} shape=${shape} isMarked=${marked.has(shape.label)} />`)}
  </g>`;
}

/** @param {{scene: any, shape: any, isMarked: boolean}} props */
function Shape({ scene, shape, isMarked }) {
  const points = shape.points.map((/** @type {any} */ each) => cornerOf(scene, each));
  const fill = WHOLE.has(shape.kind) ? undefined : `url(#hatch-${shape.kind})`;
  const name = `shape ${WHOLE.has(shape.kind) ? "whole" : ""} ${shape.is_high ? "high" : ""} ${isMarked ? "marked" : ""}`;
  const first = points[0];
  return html`
    ${shape.cells.length > 0 && html`<path class=${name} fill=${fill} d=${cellsOf(scene, shape.cells)} />`}
    ${points.length > 1 && html`<path class=${`${name} ${shape.is_closed ? "" : "line"}`} fill=${shape.is_closed ? fill : "none"}
      d=${through(points, shape.is_closed)} />`}
    ${points.length === 1 && html`<circle class=${name} cx=${first.x} cy=${first.y} r="6" />`}
  `;
}

/**
 * What is named of the ground, those that there is room for.
 *
 * @param {{names: readonly GroundName[], labels: import("./labels.js").Labels, grow: number}} props
 */
export function GroundNames({ names, labels, grow }) {
  return html`<g aria-hidden="true">${names.filter((each) => labels.ground.has(each.shape)).map(({ text, x, y }) => html`
    <text class="label faint" text-anchor="middle" transform=${`translate(${x} ${y}) scale(${fixed(grow)})`}>${text}</text>`)}</g>`;
}

/** @typedef {{shape: any, text: string, x: number, y: number}} GroundName */

/** @param {any} scene @returns {GroundName[]} */
export function groundNames(scene) {
  const named = scene.shapes.filter((/** @type {any} */ shape) => shape.label);
  return named.map((/** @type {any} */ shape) => ({ shape, text: labelOf(shape), ...labelPlace(scene, shape) }));
}

/** @param {{label: string}} shape */
const labelOf = ({ label }) => {
  const [, feet] = /^([+-]\d+) ft$/.exec(label) ?? [];
  return feet === undefined ? label : say("in_feet", { feet });
};

/** @param {any} scene @param {any} shape */
function labelPlace(scene, shape) {
  const points = shape.points.map((/** @type {any} */ each) => cornerOf(scene, each));
  if (points.length > 0) {
    const sum = points.reduce((/** @type {any} */ all, /** @type {any} */ each) => ({ x: all.x + each.x, y: all.y + each.y }));
    return { x: fixed(sum.x / points.length), y: fixed(sum.y / points.length) };
  }
  const k = factor(scene);
  const [x, y, count] = shape.cells[0] ?? [0, 0, 0];
  return { x: fixed((x + count / 2) * k), y: fixed((y + 0.5) * k) };
}

/** @param {any} scene @param {[number, number, number][]} cells */
function cellsOf(scene, cells) {
  const k = factor(scene);
  return cells.map(([x, y, count]) => `M${x * k} ${y * k}h${count * k}v${k}h${-count * k}Z`).join("");
}

/** @param {any} scene */
function gridOf(scene) {
  const k = factor(scene);
  const { x, y, width, height } = scene.bounds;
  const lines = [];
  for (let i = 0; i <= width; i += 1) lines.push(`M${(x + i) * k} ${y * k}v${height * k}`);
  for (let i = 0; i <= height; i += 1) lines.push(`M${x * k} ${(y + i) * k}h${width * k}`);
  return lines.join("");
}
