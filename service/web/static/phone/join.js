// An invitation's code becomes a seat. The link carries it behind `#`, which no server is shown.
import { useEffect, useState } from "preact/hooks";
import { fragment, pageAddress } from "../shell/address.js";
import { Frame } from "../shell/frame.js";
import { html } from "../shell/html.js";
import { isRefusal, Problem } from "../shell/problem.js";
import * as seats from "../shell/seats.js";
import { client } from "../shell/service.js";
import { say } from "../shell/texts.js";

/** @typedef {import("../shell/seats.js").StoredSeat} StoredSeat */

const TOKEN_BYTES = 32;
/** Whoever waits longer learns why. */
const LONG_MS = 4000;

/** @returns {string} a seat's token, made by whoever will hold it */
function newToken() {
  const bytes = crypto.getRandomValues(new Uint8Array(TOKEN_BYTES));
  const text = btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_");
  return `ws_${text.replaceAll("=", "")}`;
}

/** @returns {{code: string, to: string | null}} what is behind `#`: `CODE` or `CODE&to=…` */
function invitation() {
  const [code = ""] = location.hash.slice(1).split("&");
  return { code: code.includes("=") ? "" : decoded(code), to: fragment().get("to") };
}

/** @param {string} text as it is where it is no address's */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * @param {StoredSeat} seat
 * @param {string | null} to `play`, `replay` or `watch`
 */
function addressOf(seat, to) {
  const usual = { gm: "replay", player: "play", observer: "watch" }[seat.role];
  const page = to && ["play", "replay", "watch"].includes(to) ? to : usual;
  if (page === "replay") return pageAddress(`replay/${seat.encounter}`, { seat: seat.seat });
  return pageAddress(page, { encounter: seat.encounter, seat: seat.seat });
}

/**
 * The seat of a code. The token that goes with it is given up only where no seat can have it: a
 * code that is refused now may have been used up by a try before, whose reply was lost.
 *
 * @param {string} code
 * @returns {Promise<StoredSeat>}
 */
async function join(code) {
  const before = seats.seatOfCode(code);
  if (before) return before;
  const token = seats.tokenForCode(code, newToken);
  const seat = await seatOf(code, token).catch(async (problem) => {
    if (!isRefusal(problem)) throw problem;
    const got = await seatBehind(token);
    if (got) return got;
    seats.codeIsSettled(code);
    throw problem;
  });
  seats.rememberSeat(seat);
  seats.rememberCode(code, seat);
  seats.codeIsSettled(code);
  return seat;
}

/**
 * @param {string} code
 * @param {string} token
 * @returns {Promise<StoredSeat>}
 */
async function seatOf(code, token) {
  return { ...(await client().join(code, { token })), used: Date.now() };
}

/**
 * @param {string} token
 * @returns {Promise<StoredSeat | null>} null where no seat has it
 */
async function seatBehind(token) {
  try {
    const { seat, battle } = /** @type {any} */ (await client(token).me());
    return { encounter: battle.encounter.encounter, seat: seat.id, role: seat.role, token, used: Date.now() };
  } catch (problem) {
    if (isRefusal(problem)) return null;
    throw problem;
  }
}

/** @param {{onSeat: (address: string) => void}} props shown where a seat leads to */
export function Join({ onSeat }) {
  const [code, setCode] = useState(invitation().code);
  const [busy, setBusy] = useState(false);
  const [isLong, setLong] = useState(false);
  const [error, setError] = useState(/** @type {any} */ (null));
  useEffect(() => {
    setLong(false);
    const timer = busy ? setTimeout(() => setLong(true), LONG_MS) : undefined;
    return () => clearTimeout(timer);
  }, [busy]);
  async function go(/** @type {string} */ given) {
    setBusy(true);
    setError(null);
    try {
      onSeat(addressOf(await join(given.trim()), invitation().to));
    } catch (problem) {
      setError(problem);
      setBusy(false);
    }
  }
  useEffect(() => {
    // Behind `#` nothing is loaded again when another link is opened in the same place.
    const follow = () => {
      const given = invitation().code;
      if (!given) return;
      setCode(given);
      void go(given);
    };
    follow();
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return html`<${Frame} title=${say("join_title")}>
    <form class="card" onSubmit=${(/** @type {Event} */ e) => { e.preventDefault(); void go(code); }}>
      <label for="code">${say("code_label")}</label>
      <input id="code" class="code" value=${code} autocomplete="off" autocapitalize="characters"
        spellcheck=${false} aria-describedby="hint" maxlength="40" required
        onInput=${(/** @type {any} */ e) => setCode(e.target.value)} />
      <p id="hint" class="faint">${say("code_hint")}</p>
      <${Problem} error=${error} />
      ${error && html`<p>${say("code_help")}</p>`}
      <p role="status">${busy && isLong ? say("joining_long") : ""}</p>
      <button class="main wide" disabled=${busy}>${say(busy ? "joining" : "join")}</button>
    </form>
    <${SeatsHere} />
  </${Frame}>`;
}

export function SeatsHere() {
  const stored = seats.storedSeats();
  if (stored.length === 0) return null;
  return html`<section class="card">
    <h2>${say("seats_here")}</h2>
    <ul class="plain">
      ${stored.map((each) => html`<li>
        <a class="button wide" href=${addressOf(each, null)}><bdi>${each.name ?? each.seat}</bdi>
          ${" · "}${say(`role_${each.role}`)}${each.title ? html`${" · "}<bdi>${each.title}</bdi>` : ""}</a></li>`)}
    </ul>
  </section>`;
}
