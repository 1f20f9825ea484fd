// Where an event differs from what it should be, with both values.
import { html } from "../shell/html.js";
import { say } from "../shell/texts.js";

/** @param {{verdict: any}} props of an audit, on an event */
export function Difference({ verdict }) {
  const { path, draw, broken = [], code, rule } = verdict;
  const hasValues = verdict.stored !== undefined || verdict.recomputed !== undefined;
  return html`<span class="difference">
    ${broken.map((/** @type {string} */ each) => html`<span>${say(`broken_${each}`)} </span>`)}
    ${code && html`<span>${say("refused_as")} <code>${code}</code> ${rule && html`<code>${rule}</code>`} </span>`}
    ${path && html`<code>${path}</code>${hasValues ? ": " : " "}`}
    ${hasValues && html`<${Values} stored=${verdict.stored} recomputed=${verdict.recomputed} />`}
    ${draw && html`<span>${say("die_differs", draw)} <${Values} stored=${draw.stored} recomputed=${draw.recomputed} /></span>`}
  </span>`;
}

/** @param {{stored: unknown, recomputed: unknown}} props undefined for none */
function Values({ stored, recomputed }) {
  return html`${say("stored")} <code>${text(stored)}</code>, ${say("recomputed")} <code>${text(recomputed)}</code> `;
}

/** @param {unknown} value */
const text = (value) => (value === undefined ? say("no_value") : JSON.stringify(value));

/** What the verifier in this browser found first. @param {{finding: import("warlog").Finding}} props */
export function Found({ finding }) {
  const { line, seq, path, where, detail, code } = finding;
  const place = seq ? say("differs_at", { seq }) : line ? say("differs_in_line", { line }) : say("differs");
  return html`${place} ${(path ?? where) && html`<code>${path ?? where}</code>: `}${detail} <code>${code}</code>`;
}
