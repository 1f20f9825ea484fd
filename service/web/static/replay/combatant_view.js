// Who is on the map, as a list; and what was known of the one that is chosen, behind this event.
import { useEffect, useState } from "preact/hooks";
import { html } from "../shell/html.js";
import { say } from "../shell/texts.js";
import { describe } from "../scene/signs.js";

/** @param {{replay: import("./replay.js").Replay, nameOf: (id: string) => string}} props */
export function CombatantView({ replay, nameOf }) {
  const scene = replay.scene.value;
  const chosen = replay.chosen.value;
  const [sheet, setSheet] = useState(/** @type {any} */ (null));
  const seq = replay.sceneSeq.value;
  useEffect(() => {
    let isCurrent = true;
    setSheet(null);
    if (chosen) {
      replay.source.state(seq).then((/** @type {any} */ state) => {
        if (isCurrent) setSheet(state?.combatants?.find((/** @type {any} */ each) => each.id === chosen) ?? null);
      }, () => undefined);
    }
    return () => { isCurrent = false; };
  }, [chosen, seq]);
  if (!scene) return null;
  return html`<section class="card" aria-label=${say("who_is_there")}>
    <details><summary>${say("who_is_there")}</summary>
      <ul class="plain who">${scene.combatants.map((/** @type {any} */ each) => html`<li>
        <button class="quiet" aria-pressed=${each.id === chosen} onClick=${() => { replay.chosen.value = each.id === chosen ? null : each.id; }}>${describe(each)} · ${each.x}, ${each.y}</button></li>`)}</ul>
    </details>
    ${chosen && html`<h2><bdi>${nameOf(chosen)}</bdi></h2>
      ${sheet ? html`<dl class="sheet-lines">${linesOf(sheet).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>` : html`<p class="faint">${say("not_told")}</p>`}`}
  </section>`;
}

/** Numbers, words and short lists of a sheet, as they are told. @param {any} sheet @returns {[string, string][]} */
function linesOf(sheet, before = "") {
  return Object.entries(sheet).flatMap(([name, value]) => {
    const path = before + name;
    if (value === null || ["id", "name"].includes(path)) return [];
    if (Array.isArray(value)) {
      const words = value.map((each) => (typeof each === "object" ? (each?.id ?? each?.name ?? "") : String(each))).filter(Boolean);
      return words.length ? [/** @type {[string, string]} */ ([path, words.join(", ")])] : [];
    }
    if (typeof value === "object") return linesOf(value, `${path}.`);
    return [/** @type {[string, string]} */ ([path, String(value)])];
  });
}
