// Which lines of the log are shown, and stepped through.
import { useMemo } from "preact/hooks";
import { html } from "../shell/html.js";
import { say } from "../shell/texts.js";

/** @param {{replay: import("./replay.js").Replay, nameOf: (id: string) => string, seatName: (by: string) => string}} props */
export function Filters({ replay, nameOf, seatName }) {
  const filter = replay.filter.value;
  const entries = replay.entries.value;
  const change = (/** @type {Partial<import("./replay.js").Filter>} */ changed) => { replay.filter.value = { ...filter, ...changed }; };
  const { seats, combatants, rules } = useMemo(() => ({
    seats: unique(entries.map((each) => each.by)),
    combatants: unique(entries.flatMap((each) => [...each.combatants])),
    rules: unique(entries.flatMap((each) => [...each.rules])),
  }), [entries]);
  const isOn = filter.seat || filter.combatant || filter.rule || filter.only !== "all";
  return html`<details class="filters" open=${Boolean(isOn)}>
    <summary>${say("filters")}${isOn ? html` <strong>(${say("shown_n", { n: replay.shown.value.length })})</strong>` : ""}</summary>
    <div class="row">
      <${Choice} label=${say("by_seat")} value=${filter.seat} options=${seats} nameOf=${seatName} change=${(/** @type {string} */ seat) => change({ seat })} />
      <${Choice} label=${say("about")} value=${filter.combatant} options=${combatants} nameOf=${nameOf} change=${(/** @type {string} */ combatant) => change({ combatant })} />
      <${Choice} label=${say("by_rule")} value=${filter.rule} options=${rules} nameOf=${(/** @type {string} */ id) => id} change=${(/** @type {string} */ rule) => change({ rule })} />
      <label>${say("only")}
        <select value=${filter.only} onChange=${(/** @type {any} */ e) => change({ only: e.target.value })}>
          ${["all", "rolls", "rewinds"].map((each) => html`<option value=${each} selected=${each === filter.only}>${say(`only_${each}`)}</option>`)}
        </select></label>
      ${isOn && html`<button class="quiet" onClick=${() => change({ seat: "", combatant: "", rule: "", only: "all" })}>${say("show_all")}</button>`}
    </div>
  </details>`;
}

/** @param {{label: string, value: string, options: string[], nameOf: (id: string) => string, change: (value: string) => void}} props */
function Choice({ label, value, options, nameOf, change }) {
  return html`<label>${label}
    <select value=${value} onChange=${(/** @type {any} */ e) => change(e.target.value)}>
      <option value="">${say("any")}</option>
      ${options.map((each) => html`<option value=${each} selected=${each === value}>${nameOf(each)}</option>`)}
    </select></label>`;
}

/** @param {string[]} values @returns {string[]} */
const unique = (values) => [...new Set(values)].filter(Boolean).sort();
