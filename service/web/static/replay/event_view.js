// One event: the sentence first, then each roll with its modifiers and dice, then how to check them.
import { html } from "../shell/html.js";
import { RuleText } from "../shell/rule_text.js";
import { say } from "../shell/texts.js";
import { Difference } from "./difference.js";
import { marksOfLine } from "./fact_marks.js";
import { isBad, Untold } from "./log_view.js";

/** @param {{replay: import("./replay.js").Replay, seatName: (by: string) => string}} props */
export function EventView({ replay, seatName }) {
  const explanation = replay.explanation.value;
  const entry = replay.entry.value;
  if (!explanation || !entry || explanation.seq !== replay.seq.value) {
    return html`<section class="card event" aria-label=${say("event")} aria-busy="true"><p class="faint">${say("reading")}</p></section>`;
  }
  const verdict = replay.verdicts.value.get(entry.seq);
  return html`<section class="card event" aria-label=${say("event")}>
    <p class="faint">${say("event_n", { seq: entry.seq })} · <bdi>${entry.by ? seatName(entry.by) : explanation.by}</bdi>${explanation.action ? html` · <bdi>${explanation.action.label}</bdi>` : ""}</p>
    <h2>${explanation.narration || entry.text || say("nothing_to_tell")}</h2>
    ${replay.untold.value.has(entry.seq) && html`<p><${Untold} entry=${entry} replay=${replay} /></p>`}
    ${(explanation.remarks ?? []).map((/** @type {any} */ each) => html`<p class="note">${each.text}</p>`)}
    ${verdict && html`<${Verdict} verdict=${verdict} />`}
    ${(explanation.effects ?? []).map((/** @type {any} */ each, /** @type {number} */ i) => !isTold(each, explanation) && html`<${Effect} key=${i} effect=${each} stored=${entry.event.effects?.[i]} replay=${replay} />`)}
    <${Dice} dice=${explanation.dice} />
  </section>`;
}

/** Whether the sentence above says all of an effect. @param {any} effect @param {any} explanation */
function isTold(effect, explanation) {
  const hasMore = effect.facts?.length || effect.modifiers?.length || effect.rules?.length;
  return !hasMore && (!effect.sentence || String(explanation.narration).includes(effect.sentence));
}

/** @param {{verdict: any}} props */
function Verdict({ verdict }) {
  return html`<p class=${["match", "override"].includes(verdict.verdict) ? "good" : "problem"}>
    ${say(`verdict_${verdict.verdict}`)}
    ${isBad(verdict) && html`<br /><${Difference} verdict=${verdict} />`}
  </p>`;
}

/** @param {{effect: any, stored: any, replay: import("./replay.js").Replay}} props */
function Effect({ effect, stored, replay }) {
  const hasMore = effect.facts?.length > 0 || effect.modifiers?.length > 0 || effect.rules?.length > 0;
  if (!hasMore) return html`<p>${effect.sentence}</p>`;
  return html`<details class="effect" open=${effect.modifiers?.length > 0}>
    <summary>${effect.sentence}</summary>
    ${effect.modifiers?.length > 0 && html`<ol class="modifiers">
      ${effect.modifiers.map((/** @type {any} */ each) => html`<${Modifier} each=${each} stored=${stored} replay=${replay} />`)}
    </ol>`}
    ${effect.facts?.length > 0 && html`<dl>${effect.facts.map((/** @type {any} */ fact) => html`<div><dt>${fact.label}</dt><dd><bdi>${fact.value}</bdi></dd></div>`)}</dl>`}
    ${(effect.rules ?? []).map((/** @type {any} */ rule) => html`<${Rule} rule=${rule} />`)}
  </details>`;
}

/** @param {{each: any, stored: any, replay: import("./replay.js").Replay}} props */
function Modifier({ each, stored, replay }) {
  const point = () => { replay.pointed.value = marksOfLine(lineOf(stored, each)); };
  const leave = () => { replay.pointed.value = null; };
  const amount = each.amount > 0 ? `+${each.amount}` : String(each.amount).replace("-", "−");
  return html`<li class=${each.suppressed ? "suppressed" : ""} onMouseEnter=${point} onMouseLeave=${leave}>
    <p>${each.suppressed ? html`<s>${amount}</s>` : html`<strong>${amount}</strong>`}${" "}
      ${each.suppressed ? html`<s><${RuleText} text=${each.rule.text} /></s>` : html`<${RuleText} text=${each.rule.text} />`}
      ${each.note && html` <em>(${each.note})</em>`}${" "}<code>${each.rule.id}</code>${" "}
      <button class="quiet small" onClick=${point}>${say("show_on_map")}</button></p>
    ${each.rule.source && html`<p class="faint" lang="ru"><q>${each.rule.source.replace(/^[«"]|[»"]$/g, "")}</q></p>`}
    ${(each.facts ?? []).map((/** @type {any} */ fact) => html`<p class="faint">${fact.label}: <bdi>${fact.value}</bdi></p>`)}
    ${(each.rules ?? []).map((/** @type {any} */ rule) => html`<${Rule} rule=${rule} />`)}
  </li>`;
}

/** The stored line of a breakdown that an explained one tells of. @param {any} stored @param {any} each */
function lineOf(stored, each) {
  let place = stored;
  for (const name of String(each.path).split(/[.[\]]+/).filter(Boolean)) place = place?.[name];
  return Array.isArray(place) ? place.find((line) => line.rule === each.rule.id) : undefined;
}

/** @param {{rule: any}} props */
function Rule({ rule }) {
  return html`<p class="faint"><code>${rule.id}</code> <${RuleText} text=${rule.text} />
    ${rule.source && html` <q lang="ru">${rule.source.replace(/^[«"]|[»"]$/g, "")}</q>`}</p>`;
}

/** @param {{dice: any}} props */
function Dice({ dice }) {
  if (!dice || dice.draws.length === 0) return null;
  return html`<details class="drawn" open>
    <summary>${say("dice_n", { n: dice.draws.length })}</summary>
    <ol class="faces">${dice.draws.map((/** @type {any} */ die) => html`<li class=${die.uncounted ? "suppressed" : ""}>
      <span class="face">${die.face}</span> ${say("of_sides", { sides: die.sides })}, ${die.purpose}
      ${die.combatant && html`, <bdi>${die.combatant}</bdi>`}${die.uncounted && html` <em>(${die.uncounted})</em>`}
      ${die.proof && html` <code title=${say("die_bytes")}>${die.proof.bytes}</code>`}</li>`)}</ol>
    <details><summary>${say("draw_again")}</summary>
      <p>${dice.note}</p>
      ${dice.key && html`<p><code>${dice.key}</code></p>`}
      ${dice.blocks.map((/** @type {any} */ block) => html`<p>${say("block_n", { stream: block.stream, block: block.block })} <code>${block.input}</code> → <code>${block.bytes}</code></p>`)}
    </details>
  </details>`;
}
