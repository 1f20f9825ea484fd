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

/**
 * @param {object} props
 * @param {any} props.error nothing is shown for null
 */
export function Problem({ error }) {
  return error ? html`<p class="problem" role="alert"><span aria-hidden="true">✕</span> ${sentence(error)}</p>` : null;
}
