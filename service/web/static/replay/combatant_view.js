// Who is on the map, as a list; and what was known of the one that is chosen, behind this event.
import { useEffect, useState } from "preact/hooks";
import { html } from "../shell/html.js";
import { settings } from "../shell/settings.js";
import { say } from "../shell/texts.js";
import { placeInWords } from "../scene/coordinates.js";
import { describe } from "../scene/signs.js";
import { gapsOfSheet } from "./lacking.js";
import { fieldName, readTitles, thingName, titleOfId, word, wordOf } from "./words.js";

/** @typedef {(id: string) => string} Names */

/** Of a sheet, what is shown elsewhere or means nothing to people. */
const LEFT_OUT = new Set(["id", "name", "metadata", "draw", "sample"]);

/** @param {{replay: import("./replay.js").Replay, nameOf: Names}} props */
export function CombatantView({ replay, nameOf }) {
  const scene = replay.scene.value;
  const chosen = replay.chosen.value;
  const [state, setState] = useState(/** @type {any} */ (null));
  const seq = replay.sceneSeq.value;
  const isNeeded = chosen !== null || !scene;
  useEffect(() => {
    let isCurrent = true;
    if (isNeeded && seq > 0) {
      replay.source.state(seq).then((/** @type {any} */ now) => {
        if (!isCurrent) return;
        setState(now);
        void readTitles(replay.source, now?.content);
      }, () => undefined);
    }
    return () => { isCurrent = false; };
  }, [isNeeded, seq]);
  const there = scene?.combatants ?? state?.combatants ?? [];
  const index = state?.combatants?.findIndex((/** @type {any} */ each) => each.id === chosen) ?? -1;
  const sheet = state?.combatants?.[index];
  const gaps = gapsOfSheet(replay.source.lacking?.(seq), index);
  if (there.length === 0) return null;
  return html`<section class="card" aria-label=${say("who_is_there")}>
    <details><summary>${say("who_is_there")}</summary>
      <ul class="plain who">${there.map((/** @type {any} */ each) => html`<li>
        <button class="quiet" aria-pressed=${each.id === chosen} onClick=${() => { replay.chosen.value = each.id === chosen ? null : each.id; }}>${lineOf(each, scene, nameOf)}</button></li>`)}</ul>
    </details>
    ${chosen && html`<h2><bdi>${nameOf(chosen)}</bdi></h2>
      ${sheet ? html`<dl class="sheet-lines">${linesWith(gaps, linesOf(sheet, scene, nameOf)).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>` : html`<p class="faint">${say("not_told")}</p>`}`}
  </section>`;
}

/** Somebody of the scene, or of the state where there is none. @param {any} each @param {any} scene @param {Names} nameOf */
function lineOf(each, scene, nameOf) {
  const { x, y } = each.place ?? each;
  const told = describe({ ...each, conditions: (each.conditions ?? []).map(idOf) }, (id) => word(nameOf(id)));
  return Number.isFinite(x) ? `${told} · ${placeInWords({ x, y }, scene)}` : told;
}

/**
 * Lines of a sheet with what the bundle does not tell of them.
 *
 * @param {ReadonlyMap<string, string>} gaps by the name of the field
 * @param {[string, string][]} lines
 * @returns {[string, string][]}
 */
function linesWith(gaps, lines) {
  const notes = new Map([...gaps].map(([path, why]) => [path.split(".").map(fieldName).join(", "), say(why === "withheld" ? "withheld" : "perhaps_more")]));
  const told = new Set(lines.map(([name]) => name));
  const noted = lines.map(([name, value]) => /** @type {[string, string]} */ ([name, notes.has(name) ? `${value}; ${notes.get(name)}` : value]));
  return [...noted, ...[...notes].filter(([name]) => !told.has(name))];
}

/** Numbers, words and short lists of a sheet, as they are shown. @param {any} sheet @param {any} scene @param {Names} nameOf @returns {[string, string][]} */
function linesOf(sheet, scene, nameOf, before = "") {
  return Object.entries(sheet).flatMap(([name, value]) => {
    if (value === null || LEFT_OUT.has(name)) return [];
    const label = before ? `${before}, ${fieldName(name)}` : fieldName(name);
    if (Array.isArray(value)) {
      const words = value.map((each) => valueOf(each, scene, nameOf)).filter(Boolean);
      return words.length ? [/** @type {[string, string]} */ ([label, words.join(", ")])] : [];
    }
    const told = valueOf(value, scene, nameOf);
    return told ? [/** @type {[string, string]} */ ([label, told])] : linesOf(value, scene, nameOf, label);
  });
}

/** A value in few words; empty where it has too many parts for that. @param {any} value @param {any} scene @param {Names} nameOf @returns {string} */
function valueOf(value, scene, nameOf) {
  if (typeof value === "boolean") return say(value ? "yes" : "no");
  if (typeof value === "number") return value.toLocaleString(settings.value.language);
  if (typeof value === "string") return nameOf(value) === value ? (titleOfId(value) ?? wordOf(value) ?? value) : nameOf(value);
  if (Number.isFinite(value?.x)) return placeInWords(value, scene);
  if (Number.isFinite(value?.count) && Number.isFinite(value?.sides)) return diceOf(value);
  return thingName(value) ?? value?.id ?? (idOf(value) && nameOf(idOf(value))) ?? "";
}

/** @param {any} value what names something else, or is its name */
const idOf = (value) => (typeof value === "string" ? value : (value?.combatant ?? value?.versus ?? value?.by));

/** @param {{count: number, sides: number, bonus?: number}} dice */
function diceOf({ count, sides, bonus }) {
  const more = bonus ? `${bonus > 0 ? "+" : "−"}${Math.abs(bonus)}` : "";
  return `${count}${say("of_sides", { sides })}${more}`;
}
