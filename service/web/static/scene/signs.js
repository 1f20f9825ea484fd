// Combatants: the form shows the side, pips tell health, a dashed edge that others do not know of it.
import { html } from "../shell/html.js";
import { say } from "../shell/texts.js";
import { fixed, middleOf, through } from "./coordinates.js";
import { eachPip, HALO, nameOf, radiusOf } from "./labels.js";

const FORMS = ["circle", "square", "diamond", "triangle", "hexagon"];
/** @type {Record<string, number>} health in words -> pips of three */
const PIPS = { unhurt: 3, hurt: 2, badly_hurt: 1, down: 0 };

/** The form of each side, in the order in which sides are first seen. @param {any} scene @returns {Map<string, string>} */
export function formsOf(scene) {
  const sides = [...new Set(scene.combatants.map((/** @type {any} */ each) => each.side))].sort();
  return new Map(sides.map((side, i) => [String(side), FORMS[i % FORMS.length] ?? "circle"]));
}

/** @param {string} id */
const plain = (id) => id.replaceAll("_", " ");

/** A combatant in words. @param {any} each @param {(id: string) => string} [word] what conditions and sides are called */
export function describe(each, word = plain) {
  const words = [each.name ?? each.id, word(each.side)];
  if (each.band) words.push(say(`band_${each.band}`));
  words.push(...each.conditions.map(word));
  if (each.has_turn) words.push(say("has_turn"));
  if (each.hidden) words.push(say("is_hidden"));
  if (each.is_out) words.push(say("is_out"));
  return words.join(", ");
}

/**
 * @param {object} props
 * @param {any} props.scene
 * @param {any} props.each the combatant
 * @param {string} props.form
 * @param {boolean} props.isChosen
 * @param {boolean} props.isMarked
 * @param {boolean} [props.isOwn] whether the viewer acts for it
 * @param {number} props.grow how much larger than life it is drawn, to be read in a large picture
 * @param {((id: string) => void) | undefined} props.onPick
 * @param {import("./labels.js").Side} [props.pips] the side at which its pips stand
 * @param {string} [props.note] what else is to be said of it
 * @param {(id: string) => string} [props.word] what conditions and sides are called
 */
export function Sign({ scene, each, form, isChosen, isMarked, isOwn = false, grow, onPick, pips = "above", note, word }) {
  const told = describe(each, word);
  const words = note ? `${told}, ${note}` : told;
  const middle = middleOf(scene, each, each.size);
  const at = { x: 0, y: 0 };
  const r = radiusOf(scene, each, grow);
  const name = `sign ${form} ${each.is_out ? "out" : ""} ${each.hidden ? "secret" : ""}
    ${each.has_turn ? "turn" : ""} ${isChosen ? "chosen" : ""} ${isMarked ? "marked" : ""} ${isOwn ? "own" : ""}`;
  const pick = onPick && (() => onPick(each.id));
  const keyed = (/** @type {KeyboardEvent} */ e) => {
    if (pick && (e.key === "Enter" || e.key === " ")) {
      e.preventDefault();
      pick();
    }
  };
  const role = pick ? { role: "button", tabindex: 0, "aria-pressed": isChosen } : { role: "img" };
  return html`<g class=${name} transform=${placeOf(middle, grow)} ...${role} onClick=${pick} onKeyDown=${keyed}>
    <title>${words}</title>
    ${(isChosen || isMarked) && html`<circle class="halo" cx=${at.x} cy=${at.y} r=${fixed(r + HALO)} />`}
    <${Form} form=${form} at=${at} r=${r} />
    <text class="initial" x=${at.x} y=${fixed(at.y + 5)}>${initial(each)}</text>
    ${each.is_out && html`<path class="cross" d=${`M${at.x - r} ${at.y - r}l${2 * r} ${2 * r}m0 ${-2 * r}l${-2 * r} ${2 * r}`} />`}
    ${each.band in PIPS && html`<g class="pips">
      ${eachPip(pips, r).map((pip, i) => html`<rect class=${i < (PIPS[each.band] ?? 0) ? "full" : ""} x=${fixed(pip.x)} y=${fixed(pip.y)} width=${pip.width} height=${pip.height} />`)}
    </g>`}
  </g>`;
}

/**
 * What those are called whose names have a place, above all signs.
 *
 * @param {{scene: any, combatants: readonly any[], labels: import("./labels.js").Labels, grow: number}} props
 */
export function Names({ scene, combatants, labels, grow }) {
  return html`<g class="names" aria-hidden="true">${combatants.map((each) => {
    const spot = labels.beside.get(each)?.name;
    return spot && html`<text key=${`${each.id} ${each.x} ${each.y}`} class=${`label ${each.is_out ? "out" : ""}`} transform=${placeOf(middleOf(scene, each, each.size), grow)}
      x=${fixed(spot.x)} y=${fixed(spot.y)} text-anchor=${spot.anchor}>${nameOf(each)}</text>`;
  })}</g>`;
}

/** @param {{x: number, y: number}} middle @param {number} grow */
const placeOf = (middle, grow) => `translate(${fixed(middle.x)} ${fixed(middle.y)}) scale(${fixed(grow)})`;

/** @param {{form: string, at: {x: number, y: number}, r: number}} props */
function Form({ form, at, r }) {
  const { x, y } = at;
  if (form === "circle") return html`<circle class="body" cx=${x} cy=${y} r=${fixed(r)} />`;
  const turns = { square: [4, 45], diamond: [4, 0], triangle: [3, 30], hexagon: [6, 0] };
  const [corners, turn] = turns[/** @type {keyof typeof turns} */ (form)];
  const points = Array.from({ length: corners ?? 0 }, (_, i) => {
    const angle = ((turn ?? 0) / 180 + (2 * i) / (corners ?? 1)) * Math.PI;
    return { x: x + Math.cos(angle) * r * 1.15, y: y + Math.sin(angle) * r * 1.15 };
  });
  return html`<path class="body" d=${through(points, true)} />`;
}

/** @param {any} each */
function initial(each) {
  const text = String(each.name ?? each.id);
  const numbered = /(\d+)$/.exec(text);
  return (text[0] ?? "?").toUpperCase() + (numbered ? numbered[1] : "");
}
