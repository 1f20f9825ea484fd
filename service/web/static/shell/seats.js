// The seats that this browser holds: a token per encounter and seat, and what is kept with it.
//
// Everything of a seat lies under one prefix, so that nothing is left of it once it is removed. A
// code leads to the seat that it became, because an invitation is good once.
import { kept, keep, keysWith, wipe } from "./storage.js";

/**
 * @typedef {object} StoredSeat
 * @property {string} encounter
 * @property {string} seat
 * @property {"gm" | "player" | "observer"} role
 * @property {string} token
 * @property {string} [name] how the seat is called, once that is known
 * @property {string} [title] of the battle
 * @property {number} used milliseconds since 1970, when it was last opened here
 */

const SEATS = "warlog.seat.";
const CODES = "warlog.code.";
const JOINING = "warlog.joining.";

/** @param {{encounter: string, seat: string}} of */
const prefixOf = (of) => `${SEATS}${of.encounter}.${of.seat}.`;

/** @param {StoredSeat} seat */
export function rememberSeat(seat) {
  keep(`${prefixOf(seat)}token`, seat);
}

/** @param {{encounter: string, seat: string}} of */
export function forgetSeat(of) {
  wipe(prefixOf(of));
  for (const key of keysWith(CODES)) {
    const led = kept(key);
    if (led?.encounter === of.encounter && led?.seat === of.seat) wipe(key);
  }
}

/** @returns {StoredSeat[]} the last used first */
export function storedSeats() {
  const seats = keysWith(SEATS).filter((key) => key.endsWith(".token")).map(kept);
  return seats.filter((each) => each?.token).sort((a, b) => b.used - a.used);
}

/**
 * @param {string} encounter
 * @param {string | null} [seat] the last used one of the encounter without it
 * @returns {StoredSeat | null}
 */
export function storedSeat(encounter, seat) {
  const fits = (/** @type {StoredSeat} */ each) =>
    each.encounter === encounter && (!seat || each.seat === seat);
  return storedSeats().find(fits) ?? null;
}

/**
 * What people call a seat: by its table, by what was kept, or by its id.
 *
 * @param {StoredSeat} seat
 * @param {any} table undefined until it is known
 * @returns {string}
 */
export function nameOfSeat(seat, table) {
  const found = table?.seats?.find((/** @type {any} */ each) => each.id === seat.seat);
  return found?.name ?? seat.name ?? seat.seat;
}

/**
 * Keep something next to a seat's token, to be wiped with it.
 *
 * @param {{encounter: string, seat: string}} of
 * @param {string} name
 * @param {unknown} value
 */
export function keepForSeat(of, name, value) {
  keep(`${prefixOf(of)}${name}`, value);
}

/**
 * @param {{encounter: string, seat: string}} of
 * @param {string} name
 */
export function keptForSeat(of, name) {
  return kept(`${prefixOf(of)}${name}`);
}

/**
 * A code as it is compared: without spaces and dashes, in capitals.
 *
 * @param {string} code
 */
export const normalCode = (code) => code.replace(/[^0-9a-zA-Z]/g, "").toUpperCase();

/**
 * @param {string} code
 * @param {{encounter: string, seat: string}} seat
 */
export function rememberCode(code, seat) {
  keep(CODES + normalCode(code), { encounter: seat.encounter, seat: seat.seat });
}

/**
 * @param {string} code
 * @returns {StoredSeat | null} the seat that a code became in this browser
 */
export function seatOfCode(code) {
  const led = kept(CODES + normalCode(code));
  return led ? storedSeat(led.encounter, led.seat) : null;
}

/**
 * The token that this browser sends with a code: made once for it and kept before it is sent, so
 * that a lost reply can be asked for again.
 *
 * @param {string} code
 * @param {() => string} make
 * @returns {string}
 */
export function tokenForCode(code, make) {
  const before = kept(JOINING + normalCode(code));
  if (typeof before === "string") return before;
  const token = make();
  keep(JOINING + normalCode(code), token);
  return token;
}

/** @param {string} code */
export function codeIsSettled(code) {
  wipe(JOINING + normalCode(code));
}
