// The state of the connection, always visible: what is stale is never shown as live.
import { html } from "./html.js";
import { sentence } from "./problem.js";
import { settings } from "./settings.js";
import { say } from "./texts.js";

const SIGNS = { live: "●", catching_up: "◐", offline: "○", idle: "◌" };

/** @typedef {keyof typeof SIGNS} Status */

/**
 * @param {object} props
 * @param {Status} props.status
 * @param {number | null} [props.since] milliseconds since 1970, since when it is offline
 * @param {any} [props.why] what the service refuses it for, if it answers at all
 */
export function Banner({ status, since, why }) {
  const text = status === "offline" && since ? say("offline_since", { time: clock(since) }) : say(status);
  return html`<p class=${`banner ${status}`} role="status">
    <span aria-hidden="true">${SIGNS[status]}</span> ${text}${why && status === "offline" ? `. ${sentence(why)}` : ""}
  </p>`;
}

/** @param {number} at milliseconds since 1970 */
export function clock(at) {
  return new Date(at).toLocaleTimeString(settings.value.language, { hour: "2-digit", minute: "2-digit" });
}
