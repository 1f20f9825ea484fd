// The picture of a scene, to be looked at, zoomed and pointed at.
import { useMemo, useRef } from "preact/hooks";
import { html } from "../shell/html.js";
import { settings } from "../shell/settings.js";
import { addTexts, say } from "../shell/texts.js";
import en from "../texts/en/scene.js";
import ru from "../texts/ru/scene.js";
import { fixed, frameOf, placeAt } from "./coordinates.js";
import { Ground, groundNames, GroundNames, Hatches } from "./ground.js";
import { isCrowded, labelsOf } from "./labels.js";
import { formsOf, Names, Sign } from "./signs.js";
import { Arrow, MarkedGround, noMarks, Traces } from "./traces.js";
import { pictured, useZoom } from "./zoom.js";

addTexts(en, ru);

/** Of the picture's units so many across are taken for the width in pixels until that is known. */
const USUAL = 800;
/** @type {ReadonlySet<string>} */
const NOBODY = new Set();
/** @type {readonly any[]} */
const NONE = [];

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
 * @param {readonly any[]} [props.others] combatants whom `over` draws
 * @param {number} [props.letters] how much larger than usual letters are, for readers far away
 * @param {(grow: number, labels: import("./labels.js").Labels) => import("../shell/html.js").Children} [props.over] further marks,
 *   drawn last; `grow`: how much larger than life signs are
 */
export function Board({ scene, title, chosen = null, own = NOBODY, marks = noMarks(), near, onPick, onPoint, under, others = NONE, letters = 1, over, word }) {
  const svg = useRef(/** @type {SVGSVGElement | null} */ (null));
  const { box, size, isNear, handlers, wasMoved, zoomIn, zoomOut } = useZoom(svg, frameOf(scene), scene.is_grid ? near : undefined);
  const clicked = (/** @type {MouseEvent} */ e) => {
    const at = !wasMoved() && onPoint && pictured(svg, { x: e.clientX, y: e.clientY });
    if (at) onPoint?.(placeAt(scene, at));
  };
  const forms = formsOf(scene);
  const shrunk = Math.max(box[2] / (size.width || USUAL), size.height > 0 ? box[3] / size.height : 0);
  const grow = Math.max(1, letters * shrunk);
  const combatants = ranked([...scene.combatants, ...others], { chosen, marked: marks.combatants, own });
  const names = useMemo(() => groundNames(scene), [scene, settings.value.language]);
  const labels = useMemo(() => {
    const kept = new Set(combatants.filter((each) => each.has_turn).map((each) => each.id).concat(chosen ?? []));
    const haloed = new Set([...marks.combatants, ...(chosen === null ? [] : [chosen])]);
    return labelsOf({ scene, combatants, forms, kept, haloed, grow, ground: names });
  }, [names, others, grow, chosen, marks.combatants, combatants.map((each) => each.id).join(" ")]);
  return html`<figure class=${`board ${isNear ? "near" : ""} ${isCrowded(scene, grow) ? "crowded" : ""}`}>
    <svg ref=${svg} viewBox=${box.map(fixed).join(" ")} role="group" aria-label=${title} ...${handlers} onClick=${clicked}>
      <${Hatches} scene=${scene} /><defs><${Arrow} /></defs>
      <${Ground} scene=${scene} marked=${marks.shapes} />
      <${MarkedGround} scene=${scene} marks=${marks} />
      ${under}
      <${GroundNames} ...${{ names, labels, grow }} />
      <${Traces} scene=${scene} />
      ${scene.combatants.map((/** @type {any} */ each) => html`<${Sign} key=${each.id} scene=${scene} each=${each} form=${forms.get(each.side)}
        isChosen=${each.id === chosen} isMarked=${marks.combatants.has(each.id)} isOwn=${own.has(each.id)} grow=${grow} pips=${labels.beside.get(each)?.pips}
        onPick=${onPick} word=${word} />`)}
      ${over?.(grow, labels)}
      <${Names} ...${{ scene, combatants, labels, grow }} />
    </svg>
    <div class="zoom">
      <button type="button" class="quiet" aria-label=${say("zoom_in")} onClick=${zoomIn}>+</button>
      <button type="button" class="quiet" aria-label=${say("zoom_out")} onClick=${zoomOut} disabled=${!isNear}>−</button>
    </div>
  </figure>`;
}

/**
 * Combatants, whoever matters most to the reader first.
 *
 * @param {readonly any[]} combatants
 * @param {{chosen: string | null, marked: ReadonlySet<string>, own: ReadonlySet<string>}} to
 * @returns {any[]}
 */
function ranked(combatants, { chosen, marked, own }) {
  const rank = (/** @type {any} */ each) =>
    [each.id === chosen, each.has_turn, marked.has(each.id), own.has(each.id), !each.is_out, true].indexOf(true);
  return [...combatants].sort((one, other) => rank(one) - rank(other));
}
