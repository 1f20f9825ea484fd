// My combatants, with what a player looks for first.
import { html } from "../shell/html.js";
import { say } from "../shell/texts.js";
import { ownCombatants, turnOf } from "./mine.js";
import { label, nameOf, placeText } from "./wording.js";

/** @typedef {import("./live.js").Live} Live */

/** @param {{live: Live}} props */
export function Combatants({ live }) {
  const own = ownCombatants(live);
  if (own.length === 0) return null;
  const turn = turnOf(live);
  return html`<section class="card" aria-labelledby="mine">
    <h2 id="mine">${say(live.stored.role === "gm" ? "everybody" : "my_combatants")}</h2>
    <ul class="plain">
      ${own.map((/** @type {any} */ each) => html`<li key=${each.id} class="combatant">
        <b><bdi>${nameOf(live, each.id)}</bdi></b>${each.id === turn && html`${" "}<span class="badge">▶ ${say("has_turn")}</span>`}
        ${each.hidden && html`${" "}<span class="badge">${say("is_hidden")}</span>`}
        <span class="faint"> ${health(live, each)}</span>
        ${each.conditions?.length > 0 && html`<div>${each.conditions.map((/** @type {any} */ one) => label(live, one.id ?? one)).join(", ")}</div>`}
        ${each.place && html`<div class="faint">${say("place", { at: placeText(live, each.place) })}</div>`}
      </li>`)}
    </ul>
  </section>`;
}

/**
 * @param {Live} live
 * @param {any} combatant
 */
function health(live, { health, health_max, band }) {
  const number = health === undefined ? "" : say("health", { now: health, most: health_max ?? health });
  return [number, band ? label(live, band) : ""].filter(Boolean).join(" · ");
}
