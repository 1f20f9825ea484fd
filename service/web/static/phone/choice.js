// One parameter of an action: a tap selects, a second control confirms.
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { html } from "../shell/html.js";
import { say } from "../shell/texts.js";
import { Map } from "./map.js";
import { placesOf, scaleOf, sorted } from "./places.js";
import { label, pointOf, valueText } from "./wording.js";

/** @typedef {import("./live.js").Live} Live */
/** @typedef {import("warlog").LegalParameter} LegalParameter */
/** @typedef {import("warlog").LegalOption} LegalOption */
/** @typedef {{x: number, y: number}} Point */

const SHORT = 8;

/**
 * @param {object} props
 * @param {Live} props.live
 * @param {LegalParameter} props.parameter
 * @param {string | undefined} props.actor who acts, to sort places by how far they are
 * @param {boolean} props.isMoving whether the person came here just now
 * @param {any} props.picked an option or a value
 * @param {(value: any) => void} props.onPick
 * @param {(value?: any) => void} props.onChoose
 * @param {(() => void) | undefined} [props.onLeave] there if it may be left out
 */
export function Choice({ live, parameter, actor, isMoving, picked, onPick: setPicked, onChoose, onLeave }) {
  const heading = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    if (isMoving) heading.current?.focus();
  }, []);
  const leave = onLeave && html`<button type="button" class="quiet" onClick=${onLeave}>${say("leave_out")}</button>`;
  const chooser = forms[parameter.form] ?? Options;
  const isOpened = parameter.form === "object" || parameter.form === "list";
  return html`<form class="choice" onSubmit=${(/** @type {Event} */ e) => {
    e.preventDefault();
    if (isOpened) onChoose();
    else if (picked !== undefined) onChoose(picked);
  }}>
    <h3 ref=${heading} tabindex="-1">${question(live, parameter)}</h3>
    ${!isOpened && html`<${chooser} ...${{ live, parameter, actor, picked, setPicked }} />`}
    <div class="row">
      <button class="main" aria-disabled=${!isOpened && picked === undefined}>
        ${picked === undefined ? say("next") : say("next_with", { what: pickedText(live, picked) })}</button>
      ${leave}
    </div>
  </form>`;
}

/**
 * @param {Live} live
 * @param {any} picked
 */
function pickedText(live, picked) {
  if (Array.isArray(picked) && picked.some((each) => typeof each !== "object")) return String(picked.length);
  const option = picked?.params ? picked : { value: picked };
  return valueText(live, option.value, option.at ?? pointOf(option.value));
}

/**
 * @param {Live} live
 * @param {LegalParameter} parameter
 */
export function question(live, parameter) {
  const name = String(parameter.path.filter((each) => typeof each === "string").at(-1) ?? parameter.name);
  const at = parameter.path.find((each) => typeof each === "number");
  return label(live, name === "type" ? "kind_of_answer" : name) + (at === undefined ? "" : ` ${Number(at) + 1}`);
}

/** @typedef {{live: Live, parameter: LegalParameter, actor?: string, picked: any, setPicked: (value: any) => void}} FormProps */

/** @param {FormProps} props */
function Options({ live, parameter, actor, picked, setPicked }) {
  const options = sorted(live, parameter.options ?? [], actor);
  const places = placesOf(live, options);
  // What a step costs is not always shown in the unit of places.
  const price = "budget_mp" in parameter.domain ? "cost_mp" : "cost_ft";
  const list = html`<${Radios} ...${{ live, options, picked, setPicked, price }} />`;
  if (places.length === 0) return list;
  const at = places.find((each) => each.option === picked)?.at;
  return html`
    <${Map} live=${live} places=${places} picked=${at} actor=${actor}
      onTap=${(/** @type {Point} */ point) => {
        const found = nearest(places, point);
        if (found) setPicked(found.option);
      }} />
    ${options.length <= SHORT ? list : html`
      <details class="byList"><summary>${say("by_list", { n: options.length })}</summary>${list}</details>`}
    <${ByCoordinates} live=${live} onPoint=${(/** @type {Point} */ point) => {
      const found = places.find((each) => each.at.x === point.x && each.at.y === point.y);
      setPicked(found?.option);
      return found !== undefined;
    }} />
  `;
}

/**
 * @param {{at: Point, option: any, reach?: number}[]} places
 * @param {Point} point
 */
function nearest(places, point) {
  let best;
  let least = Infinity;
  for (const each of places) {
    const far = (each.at.x - point.x) ** 2 + (each.at.y - point.y) ** 2;
    if (far < least) [best, least] = [each, far];
  }
  return best && least <= (best.reach ?? 1) ** 2 ? best : undefined;
}

/** @param {{live: Live, options: LegalOption[], picked: any, setPicked: (value: any) => void, price: string}} props */
function Radios({ live, options, picked, setPicked, price }) {
  const group = useId();
  return html`<fieldset class="options"><legend class="hidden">${say("options")}</legend>
    ${options.map((option) => html`<label class="option">
      <input type="radio" name=${group} checked=${option === picked} onChange=${() => setPicked(option)} />
      <span><bdi>${valueText(live, option.value, option.at, costText(option, price))}</bdi></span></label>`)}
  </fieldset>`;
}

/**
 * @param {LegalOption} option
 * @param {string} price the text that shows it
 */
function costText({ cost }, price) {
  return cost === undefined ? "" : say(price, { n: cost });
}

/** @param {{live: Live, onPoint: (point: Point) => boolean}} props */
function ByCoordinates({ live, onPoint }) {
  const [x, setX] = useState("");
  const [y, setY] = useState("");
  const [wrong, setWrong] = useState(false);
  const scale = scaleOf(live);
  function take() {
    const point = { x: Math.round(Number(x) * scale), y: Math.round(Number(y) * scale) };
    setWrong(x === "" || y === "" || !onPoint(point));
  }
  function enter(/** @type {KeyboardEvent} */ event) {
    if (event.key !== "Enter") return;
    // It means these coordinates, not yet the choice.
    event.preventDefault();
    take();
  }
  const field = (/** @type {string} */ name, /** @type {string} */ value, /** @type {any} */ set) => html`<label>${name}
    <input inputmode="decimal" size="5" value=${value} onKeyDown=${enter} onInput=${(/** @type {any} */ e) => set(e.target.value.replace(",", "."))} /></label>`;
  return html`<details class="byCoordinates"><summary>${say("by_coordinates")}</summary>
    <div class="row">${field("x", x, setX)}${field("y", y, setY)}
      <button type="button" class="quiet" onClick=${take}>${say("select")}</button></div>
    ${wrong && html`<p class="note" role="alert">${say("no_such_place")}</p>`}
  </details>`;
}

/** @param {FormProps} props */
function Range({ parameter, picked, setPicked }) {
  const { min = 0, max = 0 } = parameter;
  const id = useId();
  return html`<label for=${id}>${say("from_to", { min, max })}</label>
    <input id=${id} type="number" inputmode="numeric" min=${min} max=${max} step="1" required value=${picked ?? ""}
      onInput=${(/** @type {any} */ e) => setPicked(e.target.value === "" ? undefined : Number(e.target.value))} />`;
}

/** @param {FormProps} props */
function SomeOf({ live, parameter, picked, setPicked }) {
  const { min = 0, max = 0, options = [] } = parameter;
  const [chosen, setChosen] = useState(/** @type {any[]} */ (picked ?? []));
  function toggle(/** @type {any} */ value) {
    const next = chosen.includes(value) ? chosen.filter((each) => each !== value) : [...chosen, value];
    setChosen(next);
    setPicked(next.length >= min && next.length <= max ? next : undefined);
  }
  return html`<fieldset class="options"><legend>${say("some_of", { min, max })}</legend>
    ${options.map(({ value }) => html`<label class="option">
      <input type="checkbox" checked=${chosen.includes(value)} onChange=${() => toggle(value)} />
      <span>${valueText(live, typeof value === "number" ? value + 1 : value)}</span></label>`)}
  </fieldset>`;
}

/** A free point, or those of a way: what the map is tapped at. @param {FormProps} props */
function Free({ live, parameter, actor, picked, setPicked }) {
  const isWay = parameter.form === "path";
  const way = /** @type {Point[]} */ (isWay ? (picked ?? []) : picked ? [picked] : []);
  const [legs, setLegs] = useState(Math.max(1, way.length));
  function take(/** @type {Point} */ point) {
    if (isWay) setPicked([...way.slice(0, legs - 1), point]);
    else setPicked(point);
    return true;
  }
  return html`
    <${Map} live=${live} places=${[]} way=${way} picked=${way.at(-1)} actor=${actor} onTap=${take}
      from=${parameter.x === undefined ? undefined : { x: parameter.x, y: parameter.y }}
      radius=${parameter.radius ?? parameter.budget} />
    <${ByCoordinates} live=${live} onPoint=${take} />
    ${isWay && way.length === legs && legs < (parameter.max ?? 1) && html`
      <button type="button" class="quiet" onClick=${() => setLegs(legs + 1)}>${say("another_leg")}</button>`}
    ${isWay && way.length > 1 && html`<button type="button" class="quiet"
      onClick=${() => { setLegs(way.length - 1); setPicked(way.slice(0, -1)); }}>${say("drop_leg")}</button>`}
  `;
}

/** @param {FormProps} props */
function FreeOrListed(props) {
  return html`<${props.parameter.options ? Options : Free} ...${props} />`;
}

/** @type {Record<string, any>} */
const forms = {
  one_of: Options,
  cells: Options,
  int_range: Range,
  some_of: SomeOf,
  disc: FreeOrListed,
  path: FreeOrListed,
};
