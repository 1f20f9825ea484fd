// What an action would come to: one line, unfolded into its modifiers with their rules.
import { useEffect, useRef, useState } from "preact/hooks";
import { html } from "../shell/html.js";
import { RuleText } from "../shell/rule_text.js";
import { settings } from "../shell/settings.js";
import { say } from "../shell/texts.js";
import { chapterOf, label, ruleText } from "./wording.js";

/** @typedef {import("./live.js").Live} Live */
/** @typedef {{rule: string, amount: number, note?: string, suppressed?: boolean}} Line */

/**
 * @param {object} props
 * @param {Live} props.live
 * @param {import("warlog").Action} props.action
 * @param {{current: AbortController | null}} props.asking what ends the asking, held by who confirms
 */
export function Preview({ live, action, asking }) {
  const [preview, setPreview] = useState(/** @type {any} */ (null));
  const text = JSON.stringify(action);
  // What others do meanwhile may change it; what this action itself does comes too late for that,
  // and while somebody else is asked it would be refused.
  const tree = live.tree.value;
  const version = useRef(tree?.version);
  const isLegal = tree?.actions.some((each) => each.type === action.type) ?? false;
  if (!live.sending.value && isLegal) version.current = tree?.version;
  useEffect(() => {
    const own = new AbortController();
    asking.current = own;
    live.battle.preview(action, { signal: own.signal }).then(
      (answer) => !own.signal.aborted && setPreview(answer),
      () => !own.signal.aborted && setPreview(null),
    );
    return () => own.abort();
  }, [text, version.current]);
  if (!preview) return null;
  const lines = linesOf(preview.facts);
  const odds = oddsOf(live, preview);
  const asks = preview.opens?.length > 0 ? [say("will_ask")] : [];
  const counted = lines.filter((each) => !each.suppressed && each.amount !== 0).map((each) => shortly(live, each));
  const short = [counted.join(", "), odds.join(", "), ...asks].filter(Boolean).join(" · ");
  if (short === "") return null;
  return html`<details class="preview">
    <summary>${short}</summary>
    ${lines.length > 0
      ? html`<ul>${lines.map((each) => html`<li>
          ${each.suppressed ? html`<s>${plus(each.amount)}</s>` : html`<b>${plus(each.amount)}</b>`}
          ${" "}${each.note ? `${label(live, each.note)}. ` : ""}<${RuleText} text=${ruleText(live, each.rule)} /> <span class="faint">${each.rule}</span></li>`)}</ul>`
      : html`<p class="faint">${say("nothing_counts")}</p>`}
  </details>`;
}

/**
 * The lines of the first breakdown in what a preview says, and those of what it is up against,
 * which count the other way round.
 *
 * @param {any} facts
 * @returns {Line[]}
 */
function linesOf(facts) {
  if (!facts || typeof facts !== "object") return [];
  const { breakdown, against, ...rest } = facts;
  const contrary = linesOf(against).map((each) => ({ ...each, amount: -each.amount }));
  if (breakdown?.length > 0) return [...breakdown, ...contrary];
  if (contrary.length > 0 || Array.isArray(breakdown)) return contrary;
  for (const each of Object.values(rest)) {
    const found = linesOf(Array.isArray(each) ? each[0] : each);
    if (found.length > 0) return found;
  }
  return [];
}

/**
 * @param {Live} live
 * @param {any} preview
 * @returns {string[]}
 */
function oddsOf(live, preview) {
  const odds = preview.odds?.length ? preview.odds : (firstOdds(preview.facts) ?? []);
  return odds
    .filter((/** @type {any} */ each) => each.num !== "0")
    .map((/** @type {any} */ each) => `${outcomeText(live, each.outcome)} ${percent(each.percent_milli)}`);
}

/**
 * @param {Live} live
 * @param {string} outcome
 */
function outcomeText(live, outcome) {
  const [, many] = /^hits_(\d+)$/u.exec(outcome) ?? [];
  return many === undefined ? label(live, outcome).toLowerCase() : say("hits_n", { n: Number(many) });
}

/**
 * @param {any} facts
 * @returns {any[] | undefined}
 */
function firstOdds(facts) {
  const shot = facts?.shots?.[0] ?? facts?.victims?.[0];
  return shot?.odds;
}

/** @param {number} milli thousandths of a percent */
function percent(milli) {
  const options = { style: /** @type {const} */ ("percent"), maximumFractionDigits: milli % 1000 === 0 ? 0 : 1 };
  return new Intl.NumberFormat(settings.value.language, options).format(milli / 100_000);
}

/** @param {number} amount */
const plus = (amount) => (amount > 0 ? `+${amount}` : amount < 0 ? `−${-amount}` : "0");

/**
 * @param {Live} live
 * @param {Line} line
 */
function shortly(live, { amount, note, rule }) {
  const [word = ""] = (note ? label(live, note) : chapterOf(live, rule)).split(",");
  return `${plus(amount)} ${word.toLowerCase()}`;
}
