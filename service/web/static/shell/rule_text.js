// The text of a rule: what is between backticks in it is the name of an option.
import { html } from "./html.js";

/** @param {{text: string}} props */
export function RuleText({ text }) {
  return html`${text.split("`").map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}
