// What went wrong, as a sentence that says what to do.
import { html } from "./html.js";
import { say } from "./texts.js";

/**
 * A sentence about an error: the service's own where it answered, which is in the reader's language.
 *
 * @param {any} error
 * @returns {string}
 */
export function sentence(error) {
  if (typeof error?.code === "string" && error.detail) return String(error.detail);
  if (error?.name === "TypeError" || error?.name === "AbortError") return say("no_connection");
  return say("unexpected", { what: String(error?.message ?? error) });
}

/** Statuses below 500 that say nothing of what was asked, only of the moment. */
const PASSING = new Set([408, 425, 429]);

/**
 * Whether the service said no, so that asking the same again is of no use. What was lost, broke on
 * the way or came too often may have been carried out, or may be yet.
 *
 * @param {any} error
 */
export function isRefusal({ status, code }) {
  return status >= 400 && status < 500 && !PASSING.has(status) && code !== "in_progress";
}

/**
 * @param {object} props
 * @param {any} props.error nothing is shown for null
 */
export function Problem({ error }) {
  return error ? html`<p class="problem" role="alert"><span aria-hidden="true">✕</span> ${sentence(error)}</p>` : null;
}
