// The picture of a scene, to be looked at, zoomed and pointed at.
import { useRef } from "preact/hooks";
import { html } from "../shell/html.js";
import { addTexts, say } from "../shell/texts.js";
import en from "../texts/en/scene.js";
import ru from "../texts/ru/scene.js";
import { CELL, fixed, frameOf, placeAt } from "./coordinates.js";
import { Ground, Hatches } from "./ground.js";
import { formsOf, Sign } from "./signs.js";
import { Arrow, MarkedGround, noMarks, Traces } from "./traces.js";
import { pictured, useZoom } from "./zoom.js";

addTexts(en, ru);

/** Of the picture's units so many across are taken for the width in pixels until that is known. */
const USUAL = 800;
/** Pixels of a cell below which there is no room for names. */
const ROOM = 24;
/** @type {ReadonlySet<string>} */
const NOBODY = new Set();

/**
 * @param {object} props
 * @param {any} props.scene
 * @param {string} props.title what a screen reader calls it
 * @param {string | null} [props.chosen] id of a combatant
 * @param {ReadonlySet<string>} [props.own] ids of the viewer's combatants
 * @param {import("./traces.js").Marks} [props.marks]
 * @param {{x: number, y: number}} [props.near] a place of the picture to begin at, so near that a finger hits a cell
 * @param {(id: string) => void} [props.onPick] a combatant was chosen
 * @param {(place: {x: number, y: number}) => void} [props.onPoint] a place was pointed at, in the scene's unit
 * @param {import("../shell/html.js").Children} [props.under] further marks, drawn below the combatants
 * @param {(id: string) => string} [props.word] what conditions and sides are called
 * @param {(grow: number) => import("../shell/html.js").Children} [props.over] further marks, drawn last; `grow`: how much larger than life signs are
 */
export function Board({ scene, title, chosen = null, own = NOBODY, marks = noMarks(), near, onPick, onPoint, under, over, word }) {
  const svg = useRef(/** @type {SVGSVGElement | null} */ (null));
  const { box, width, isNear, handlers, wasMoved, zoomIn, zoomOut } = useZoom(svg, frameOf(scene), scene.is_grid ? near : undefined);
  const clicked = (/** @type {MouseEvent} */ e) => {
    const at = !wasMoved() && onPoint && pictured(svg, { x: e.clientX, y: e.clientY });
    if (at) onPoint?.(placeAt(scene, at));
  };
  const forms = formsOf(scene);
  const grow = Math.max(1, box[2] / (width || USUAL));
  const isCrowded = scene.is_grid && CELL / grow < ROOM;
  return html`<figure class=${`board ${isNear ? "near" : ""} ${isCrowded ? "crowded" : ""}`}>
    <svg ref=${svg} viewBox=${box.map(fixed).join(" ")} role="group" aria-label=${title} ...${handlers} onClick=${clicked}>
      <${Hatches} scene=${scene} /><defs><${Arrow} /></defs>
      <${Ground} scene=${scene} marked=${marks.shapes} />
      <${MarkedGround} scene=${scene} marks=${marks} />
      ${under}
      <${Traces} scene=${scene} />
      ${scene.combatants.map((/** @type {any} */ each) => html`<${Sign} key=${each.id} scene=${scene} each=${each} form=${forms.get(each.side)}
        isChosen=${each.id === chosen} isMarked=${marks.combatants.has(each.id)} isOwn=${own.has(each.id)} grow=${grow} onPick=${onPick} word=${word} />`)}
      ${over?.(grow)}
    </svg>
    <div class="zoom">
      <button type="button" class="quiet" aria-label=${say("zoom_in")} onClick=${zoomIn}>+</button>
      <button type="button" class="quiet" aria-label=${say("zoom_out")} onClick=${zoomOut} disabled=${!isNear}>−</button>
    </div>
  </figure>`;
}
