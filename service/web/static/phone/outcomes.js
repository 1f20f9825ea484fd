// What happened: the last outcome first, its breakdown folded, what was before it folded too.
import { useState } from "preact/hooks";
import { html } from "../shell/html.js";
import { Problem } from "../shell/problem.js";
import { settings } from "../shell/settings.js";
import { say } from "../shell/texts.js";
import { label } from "./wording.js";

/** @typedef {import("./live.js").Live} Live */
/** @typedef {import("./live.js").Told} Told */

/** @param {{live: Live}} props */
export function Outcomes({ live }) {
  const told = [...live.told.value].reverse();
  const [last, ...before] = told;
  if (!last) return null;
  return html`<section class="card" aria-labelledby="happened">
    <h2 id="happened" tabindex="-1">${say("happened")}</h2>
    <div aria-live="polite"><${Event} key=${last.seq} live=${live} told=${last} /></div>
    ${before.length > 0 && html`<details class="before"><summary>${say("before_that")}</summary>
      <ol class="plain">${before.map((each) => html`<li key=${each.seq}><${Event} live=${live} told=${each} /></li>`)}</ol>
    </details>`}
  </section>`;
}

/** @param {{live: Live, told: Told}} props */
function Event({ live, told }) {
  const [explanation, setExplanation] = useState(/** @type {any} */ (null));
  const [error, setError] = useState(/** @type {any} */ (null));
  async function explain(/** @type {any} */ event) {
    if (!event.target.open || explanation) return;
    try {
      const record = await live.battle.event(told.seq, { explain: settings.value.language });
      setExplanation(record.explanation);
    } catch (problem) {
      setError(problem);
    }
  }
  const text = told.text || label(live, told.type);
  return html`<article class=${told.undone ? "told undone" : "told"}>
    <p>${told.undone && html`<span class="faint">${say("undone")} </span>`}${told.undone ? html`<s>${text}</s>` : text}</p>
    <details onToggle=${explain}>
      <summary class="faint">${say("how_so", { n: told.seq })}</summary>
      <${Problem} error=${error} />
      ${explanation && html`<${Explanation} explanation=${explanation} />`}
    </details>
  </article>`;
}

/** @param {{explanation: any}} props */
function Explanation({ explanation }) {
  const effects = (explanation.effects ?? []).filter((/** @type {any} */ each) => each.modifiers?.length || each.facts?.length);
  return html`
    ${effects.map((/** @type {any} */ effect) => html`<div class="why"><p>${effect.sentence}</p>
      ${effect.modifiers?.length > 0 && html`<ul>${effect.modifiers.map((/** @type {any} */ each) => html`<li>
        ${each.suppressed ? html`<s>${each.amount}</s>` : html`<b>${each.amount > 0 ? `+${each.amount}` : each.amount}</b>`}
        ${" "}${each.note ? `${each.note}. ` : ""}${each.rule.text} <span class="faint">${each.rule.id}</span></li>`)}</ul>`}
      ${effect.facts?.length > 0 && html`<dl class="settled">${effect.facts.map((/** @type {any} */ each) => html`<div>
        <dt>${each.label}</dt><dd>${each.value}</dd></div>`)}</dl>`}
    </div>`)}
    ${explanation.dice?.draws?.length > 0 && html`<p>${say("dice_were")}${" "}
      ${explanation.dice.draws.map((/** @type {any} */ each) => `${each.purpose}: ${each.face} (d${each.sides})`).join("; ")}</p>`}
    ${effects.length === 0 && !explanation.dice?.draws?.length && html`<p class="faint">${say("nothing_more")}</p>`}
  `;
}
