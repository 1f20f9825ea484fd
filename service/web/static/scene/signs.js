// Combatants: the form tells the side, pips tell health, a dashed edge that others do not know of it.
import { html } from "../shell/html.js";
import { say } from "../shell/texts.js";
import { CELL, factor, fixed, middleOf, through } from "./coordinates.js";

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
 * @param {string} [props.note] what else is to be said of it
 * @param {(id: string) => string} [props.word] what conditions and sides are called
 */
export function Sign({ scene, each, form, isChosen, isMarked, isOwn = false, grow, onPick, note, word }) {
  const told = describe(each, word);
  const words = note ? `${told}, ${note}` : told;
  const middle = middleOf(scene, each, each.size);
  const at = { x: 0, y: 0 };
  const base = each.radius ? (each.radius * factor(scene)) / grow : 0;
  const r = Math.max(base, scene.is_grid ? (each.size * CELL * 0.34) / grow : 9);
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
  const place = `translate(${fixed(middle.x)} ${fixed(middle.y)}) scale(${fixed(grow)})`;
  return html`<g class=${name} transform=${place} ...${role} onClick=${pick} onKeyDown=${keyed}>
    <title>${words}</title>
    ${(isChosen || isMarked) && html`<circle class="halo" cx=${at.x} cy=${at.y} r=${fixed(r + 7)} />`}
    <${Form} form=${form} at=${at} r=${r} />
    <text class="initial" x=${at.x} y=${fixed(at.y + 5)}>${initial(each)}</text>
    ${each.is_out && html`<path class="cross" d=${`M${at.x - r} ${at.y - r}l${2 * r} ${2 * r}m0 ${-2 * r}l${-2 * r} ${2 * r}`} />`}
    ${each.band in PIPS && html`<g class="pips">
      ${[0, 1, 2].map((i) => html`<rect class=${i < (PIPS[each.band] ?? 0) ? "full" : ""} x=${fixed(at.x - 11 + i * 8)} y=${fixed(at.y - r - 8)} width="6" height="4" />`)}
    </g>`}
    <text class="label" x=${at.x} y=${fixed(at.y + r + 13)}>${short(each.name ?? each.id)}</text>
  </g>`;
}

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

/** @param {string} name */
const short = (name) => (name.length > 14 ? `${name.slice(0, 13)}…` : name);
