// How a page comes to a battle: by a seat that this browser holds, or by a token that is typed.
import { useState } from "preact/hooks";
import { html } from "./html.js";
import { Problem } from "./problem.js";
import { rememberSeat, storedSeat, storedSeats } from "./seats.js";
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

/** @param {{found: (access: Access) => void}} props */
export function AskForToken({ found }) {
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
    <p>${say("no_seat_here")}</p>
    <label for="token">${say("token_label")}</label>
    <input id="token" type="password" autocomplete="off" required value=${token} onInput=${(/** @type {any} */ e) => setToken(e.target.value)} />
    <button class="main" disabled=${isAsking}>${say("open")}</button>
    <${Problem} error=${error} />
  </form>`;
}
