// How a page comes to a battle: by a seat that this browser holds, or by a token that is typed.
import { useState } from "preact/hooks";
import { html } from "./html.js";
import { Problem } from "./problem.js";
import { forgetSeat, rememberSeat, storedSeat, storedSeats } from "./seats.js";
import { client } from "./service.js";
import { say } from "./texts.js";

/** @typedef {import("./seats.js").StoredSeat} StoredSeat */
/** @typedef {{token: string, stored: StoredSeat | null}} Access a key has no seat and is not kept */

/**
 * @param {string} encounter
 * @param {string | null} seat
 * @returns {Access | null}
 */
export function storedAccess(encounter, seat) {
  const stored = storedSeat(encounter, seat);
  return stored ? { token: stored.token, stored } : null;
}

/** The seat that was used last, of whatever battle. @returns {Access | null} */
export function anyAccess() {
  const [last] = storedSeats();
  return last ? { token: last.token, stored: last } : null;
}

/**
 * Whose token that is. One of a seat is kept for its encounter, a key only as long as the page is open.
 *
 * @param {string} token
 * @returns {Promise<Access>}
 */
export async function accessOf(token) {
  const me = await client(token).me();
  if (me.kind === "key") return { token, stored: null };
  const { id, role, name } = me.seat;
  /** @type {StoredSeat} */
  const stored = { encounter: me.battle.encounter.encounter, seat: id, role, token, used: Date.now(), ...(name ? { name } : {}) };
  rememberSeat(stored);
  return { token, stored };
}

/**
 * Whether the right to a battle is gone: taken away while it was followed, or not there from the start.
 *
 * @param {any} error that reading or following it ended with
 * @param {unknown} closedBy
 */
export const isGone = (error, closedBy) => error?.status === 401 || error?.status === 404 || closedBy === "revoked";

/**
 * Nothing is left of a seat that is gone.
 *
 * @param {Access} access
 * @param {any} error
 * @returns {string} the text that says what happened
 */
export function leave({ stored }, error) {
  if (stored) forgetSeat(stored);
  if (stored) return "seat_removed";
  return error?.status === 404 ? "no_such_battle" : "token_unknown";
}

/** @param {{found: (access: Access) => void, lost?: string}} props `lost`: the text that says why what was used before no longer exists */
export function AskForToken({ found, lost = "" }) {
  const [error, setError] = useState(/** @type {unknown} */ (null));
  const [token, setToken] = useState("");
  const [isAsking, setAsking] = useState(false);
  const ask = async (/** @type {Event} */ e) => {
    e.preventDefault();
    setAsking(true);
    try {
      found(await accessOf(token.trim()));
    } catch (problem) {
      setError(problem);
    }
    setAsking(false);
  };
  return html`<form class="card" onSubmit=${ask}>
    <h2>${say("who_are_you")}</h2>
    ${lost && html`<p class="note" role="alert">${say(lost)}</p>`}
    <p>${say("no_seat_here")}</p>
    <label for="token">${say("token_label")}</label>
    <input id="token" type="password" autocomplete="off" required value=${token} onInput=${(/** @type {any} */ e) => setToken(e.target.value)} />
    <button class="main" disabled=${isAsking}>${say("open")}</button>
    <${Problem} error=${/** @type {any} */ (error)?.status === 401 ? { code: "token_unknown", detail: say("token_unknown") } : error} />
  </form>`;
}
