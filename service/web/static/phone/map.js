// The map of the phone: the scene's picture, with what may be chosen below the combatants, and with
// the way and the place that are picked above them.
import { Board } from "../scene/board.js";
import { CELL, cornerOf, factor, middleOf, through } from "../scene/coordinates.js";
import { html } from "../shell/html.js";
import { say } from "../shell/texts.js";
import { ownCombatants } from "./mine.js";
import { combatantAt } from "./places.js";
import { nameOf, placeText } from "./wording.js";

/** @typedef {import("./live.js").Live} Live */
/** @typedef {{x: number, y: number}} Point */

/** Half of a mark's size, in the picture's units. */
const HALF = 0.42 * CELL;

/**
 * @param {object} props
 * @param {Live} props.live
 * @param {import("./places.js").Place[]} [props.places] what may be chosen
 * @param {Point | undefined} [props.picked]
 * @param {string | undefined} [props.actor]
 * @param {Point[]} [props.way]
 * @param {Point | undefined} [props.from]
 * @param {number | undefined} [props.radius]
 * @param {(point: Point) => void} [props.onTap]
 */
export function Map({ live, places = [], picked, actor, way = [], from, radius, onTap }) {
  const scene = live.scene;
  if (!scene) return html`<p class="faint">${say("no_map")}</p>`;
  const own = new Set(ownCombatants(live).map((/** @type {any} */ each) => each.id));
  const begin = combatantAt(live, actor) ?? scene.combatants.find((/** @type {any} */ each) => own.has(each.id));
  const at = picked && middleOf(scene, picked);
  return html`<div class="map">
    <${Board} scene=${scene} title=${summary(live)} chosen=${actor ?? null} own=${own} onPoint=${onTap}
      near=${onTap && begin ? middleOf(scene, begin, begin.size) : undefined}
      under=${html`<${Reach} scene=${scene} from=${from} radius=${radius} /><${Places} scene=${scene} places=${places} />`}
      over=${() => html`
        ${way.length > 0 && from && html`<path class="way" d=${through([from, ...way].map((each) => middleOf(scene, each)))} />`}
        ${at && html`<path class="picked" d=${`M${at.x - HALF} ${at.y - HALF}l${2 * HALF} ${2 * HALF}m0 ${-2 * HALF}l${-2 * HALF} ${2 * HALF}`} />`}`} />
    <p class="faint">${picked ? say("place", { at: placeText(live, picked) }) : onTap ? say("tap_map") : ""}</p>
  </div>`;
}

/** @param {{scene: any, from: Point | undefined, radius: number | undefined}} props */
function Reach({ scene, from, radius }) {
  if (!from || radius === undefined) return null;
  const { x, y } = cornerOf(scene, from);
  return html`<circle class="reach" cx=${x} cy=${y} r=${radius * factor(scene)} />`;
}

/** @param {{scene: any, places: import("./places.js").Place[]}} props */
function Places({ scene, places }) {
  return places.map((each) => {
    const { x, y } = middleOf(scene, each.at);
    return html`<rect class="may" x=${x - HALF} y=${y - HALF} width=${2 * HALF} height=${2 * HALF} rx="5" />`;
  });
}

/** @param {Live} live who is where, in words */
function summary(live) {
  const bodies = live.scene.combatants.filter((/** @type {any} */ each) => !each.is_out);
  return bodies.map((/** @type {any} */ each) => `${nameOf(live, each.id)}: ${placeText(live, each)}`).join(". ") || say("map");
}
