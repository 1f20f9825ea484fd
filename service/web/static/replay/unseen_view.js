// What a seat could not see: hatched on the map, and described in words beneath it.
import { cornerOf, factor, fixed, middleOf, through } from "../scene/coordinates.js";
import { describe, formsOf, Sign } from "../scene/signs.js";
import { Traces } from "../scene/traces.js";
import { html } from "../shell/html.js";
import { say } from "../shell/texts.js";
import { countOf } from "./unseen.js";
import { word } from "./words.js";

/** @typedef {import("./unseen.js").Unseen} Unseen */

const VEIL = 18;

/**
 * @param {object} props
 * @param {any} props.scene the game master's
 * @param {Unseen} props.unseen
 * @param {string} props.seat its name
 * @param {number} props.grow how much larger than life signs are drawn
 * @param {import("../scene/labels.js").Labels} props.labels
 * @param {string | null} props.chosen
 * @param {(id: string) => void} props.onPick
 */
export function UnseenOnMap({ scene, unseen, seat, grow, labels, chosen, onPick }) {
  const forms = formsOf(scene);
  const note = say("not_seen_by", { seat });
  return html`<g class="unseen">
    <defs><pattern id="hatch-unseen" width="7" height="7" patternUnits="userSpaceOnUse"><path class="hatch" d="M0 7L7 0" /></pattern></defs>
    ${unseen.shapes.map((shape) => html`<g role="img" aria-label=${`${wordOf(shape)}, ${note}`}><title>${`${wordOf(shape)}, ${note}`}</title>
      <path class="veil" fill="url(#hatch-unseen)" d=${outlineOf(scene, shape)} /></g>`)}
    <${Traces} scene=${{ ...scene, areas: unseen.areas, lines: unseen.lines }} />
    ${unseen.combatants.map((each) => {
      const { x, y } = middleOf(scene, each, each.size);
      return html`<g key=${each.id}><${Sign} scene=${scene} each=${each} form=${forms.get(each.side)} note=${note} word=${word}
          isChosen=${each.id === chosen} isMarked=${false} grow=${grow} pips=${labels.beside.get(each)?.pips} onPick=${onPick} />
        <circle class="veil" fill="url(#hatch-unseen)" cx=${fixed(x)} cy=${fixed(y)} r=${fixed(VEIL * grow)} /></g>`;
    })}
  </g>`;
}

/** @param {{unseen: Unseen, seat: string}} props */
export function UnseenList({ unseen, seat }) {
  const things = [...unseen.combatants.map((each) => describe(each, word)), ...unseen.shapes.map(wordOf)];
  const traces = unseen.areas.length + unseen.lines.length;
  if (countOf(unseen) === 0) return html`<p class="note">${say("saw_all", { seat })}</p>`;
  return html`<div class="note unseen-list"><p>${say("hatched", { seat })}</p>
    <ul>${things.map((each) => html`<li><bdi>${each}</bdi></li>`)}
      ${traces > 0 && html`<li>${say("unseen_traces", { n: traces })}</li>`}</ul></div>`;
}

/** Ground in words. @param {any} shape */
function wordOf({ kind, label, cells }) {
  const named = label ? `${word(String(kind))} ${label}` : word(String(kind));
  return cells.length > 0 ? say("ground_cells", { what: named, n: cells.length }) : named;
}

/** @param {any} scene @param {any} shape */
function outlineOf(scene, shape) {
  const k = factor(scene);
  const cells = shape.cells.map((/** @type {number[]} */ [x = 0, y = 0, count = 1]) => `M${x * k} ${y * k}h${count * k}v${k}h${-count * k}Z`);
  const corners = shape.points.map((/** @type {any} */ each) => cornerOf(scene, each));
  return cells.join("") + (corners.length > 0 ? through(corners, Boolean(shape.is_closed)) : "");
}
