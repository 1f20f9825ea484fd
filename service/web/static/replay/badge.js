// What can be trusted of a battle, in two lines: who signed it, and what was checked again here.
import { html } from "../shell/html.js";
import { say } from "../shell/texts.js";
import { Difference, Found } from "./difference.js";

/**
 * @param {object} props
 * @param {import("warlog").Report | null} props.report of the verifier in this browser
 * @param {any} props.audit of the service
 * @param {(seq: number) => void} props.go
 * @param {(() => void) | null} props.check null where there is nothing to check again
 * @param {boolean} props.isChecking
 */
export function Badge({ report, audit, go, check, isChecking }) {
  return html`<section class="card badge" aria-label=${say("badge")} aria-busy=${isChecking}>
    <h2>${say("badge")}</h2>
    <p class=${report ? signers[report.signer] : "faint"}>${report ? say(`signer_${report.signer}`) : say("not_checked_yet")}</p>
    ${report && html`<p class=${report.clean ? "good" : "problem"}>${contentOf(report)}</p>`}
    ${report?.first && html`<p class="problem"><${Found} finding=${report.first} />
      ${report.first.seq && html` <a href=${`#e=${report.first.seq}`} onClick=${() => go(report.first?.seq ?? 1)}>${say("look")}</a>`}</p>`}
    ${audit && html`<p class=${audit.clean ? "good" : "problem"}>${audit.clean ? say("service_clean") : say("service_differs", { seq: audit.first_failure?.seq ?? "?" })}</p>`}
    ${audit?.first_failure && html`<${Failure} failure=${audit.first_failure} go=${go} />`}
    ${check && html`<button class="quiet" onClick=${check} disabled=${isChecking}>${isChecking ? say("checking") : say("check")}</button>`}
  </section>`;
}

const signers = { trusted: "good", unknown: "note", wrong: "problem", none: "problem" };

/** @param {import("warlog").Report} report */
function contentOf({ clean, dice }) {
  const checked = say("dice_checked", { n: dice.checked, m: dice.visible });
  if (dice.checked === dice.visible) return checked;
  const why = dice.mode === "supplied" ? "why_supplied" : dice.seed === "absent" ? "why_sealed" : "why_withheld";
  return `${checked} ${say(clean ? why : "why_faults")}`;
}

/** @param {{failure: any, go: (seq: number) => void}} props */
function Failure({ failure, go }) {
  return html`<p class="problem"><a href=${`#e=${failure.seq}`} onClick=${() => go(failure.seq)}>${say("event_n", { seq: failure.seq })}</a>: <${Difference} verdict=${failure} /></p>`;
}
