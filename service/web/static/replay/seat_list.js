// The seats of a battle at the game master's desk: who may come, by which code, and who may no more.
import { useState } from "preact/hooks";
import { html } from "../shell/html.js";
import { QrCode } from "../shell/qr_code.js";
import { say } from "../shell/texts.js";

/** @typedef {import("warlog").Battle} Battle */
/** @typedef {import("./desk.js").Act} Act */

const ROLES = ["player", "observer", "gm"];

/**
 * @param {object} props
 * @param {Battle} props.battle
 * @param {any[]} props.seats
 * @param {any[]} props.sides
 * @param {boolean} props.isEnded seats are neither given nor taken behind the end
 * @param {Act} props.act
 */
export function Seats({ battle, seats, sides, isEnded, act }) {
  const [invitation, setInvitation] = useState(/** @type {any} */ (null));
  const invite = (/** @type {any} */ seat) =>
    act(async () => setInvitation({ name: seat.name ?? seat.id, ...(await battle.invite(seat.id)) }));
  const revoke = (/** @type {any} */ seat) => act(() => battle.revokeToken(seat.id));
  const remove = (/** @type {any} */ seat) => act(() => battle.removeSeat(seat.id));
  return html`<h3>${say("seats")}</h3><ul class="plain seats">${seats.map((each) => html`<li key=${each.id} class="row">
      <span><bdi>${each.name ?? each.id}</bdi> · ${say(`role_${each.role}`)} · ${say(each.is_present ? "is_there" : each.has_joined ? "was_there" : "never_there")}</span>
      <button class="quiet" onClick=${() => invite(each)}>${say("invite")}</button>
      ${(each.has_joined || !isEnded) && html`<details><summary>${say("more_of_seat")}</summary>
        ${each.has_joined && html`<button class="quiet" onClick=${() => revoke(each)}>${say("revoke_access")}</button>`}
        ${!isEnded && html`<button class="quiet" onClick=${() => remove(each)}>${say("remove_seat")}</button>`}
        <p class="faint">${say(isEnded ? "revoke_says" : "remove_says")}</p>
      </details>`}</li>`)}</ul>
    ${invitation && html`<div class="invitation"><p>${say("invitation_for", { seat: invitation.name })} <strong class="code">${invitation.code}</strong></p>
      <${QrCode} text=${invitation.link} /><p><a href=${invitation.link}>${invitation.link}</a></p>
      <button class="quiet" onClick=${() => setInvitation(null)}>${say("put_away")}</button></div>`}
    ${!isEnded && html`<${NewSeat} ...${{ battle, seats, sides, act, onInvited: setInvitation }} />`}`;
}

/**
 * @param {object} props
 * @param {Battle} props.battle
 * @param {any[]} props.seats
 * @param {any[]} props.sides
 * @param {Act} props.act
 * @param {(invitation: any) => void} props.onInvited
 */
function NewSeat({ battle, seats, sides, act, onInvited }) {
  const [name, setName] = useState("");
  const [role, setRole] = useState("player");
  const [chosen, setChosen] = useState(/** @type {string[]} */ ([]));
  const add = async (/** @type {Event} */ e) => {
    e.preventDefault();
    const seat = { id: freeId(seats), name: name.trim(), role, ...(role === "player" ? { sides: chosen } : {}) };
    const isDone = await act(async () => {
      const { invitation } = await battle.addSeat(seat);
      onInvited({ name: seat.name, ...invitation });
    });
    if (!isDone) return;
    setName("");
    setChosen([]);
  };
  const turn = (/** @type {string} */ side) =>
    setChosen(chosen.includes(side) ? chosen.filter((each) => each !== side) : [...chosen, side]);
  return html`<details class="newSeat"><summary>${say("add_seat")}</summary><form onSubmit=${add}>
    <label>${say("seat_name")} <input required maxlength="200" value=${name} onInput=${(/** @type {any} */ e) => setName(e.target.value)} /></label>
    <label>${say("seat_role")} <select value=${role} onChange=${(/** @type {any} */ e) => setRole(e.target.value)}>
      ${ROLES.map((each) => html`<option value=${each} selected=${each === role}>${say(`role_${each}`)}</option>`)}</select></label>
    ${role === "player" && html`<fieldset><legend>${say("seat_sides")}</legend>${sides.map((each) => html`<label>
      <input type="checkbox" checked=${chosen.includes(each.id)} onChange=${() => turn(each.id)} /> <bdi>${each.name ?? each.id}</bdi></label>`)}</fieldset>`}
    <button class="main">${say("add_and_invite")}</button></form></details>`;
}

/** An id that no seat has. @param {readonly {id: string}[]} seats */
function freeId(seats) {
  const taken = new Set(seats.map((each) => each.id));
  let number = seats.length + 1;
  while (taken.has(`seat_${number}`)) number += 1;
  return `seat_${number}`;
}
