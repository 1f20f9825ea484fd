// The game master's desk: what is theirs alone to do while a battle runs.
import { useEffect, useState } from "preact/hooks";
import { html } from "../shell/html.js";
import { sentence } from "../shell/problem.js";
import { say } from "../shell/texts.js";
import { Overrule } from "./overrule.js";
import { namesIn } from "./names.js";
import { Seats } from "./seat_list.js";
import { TableDice } from "./table_dice.js";
import { word } from "./words.js";

/** @typedef {import("warlog").Battle} Battle */
/** @typedef {{dice?: number[]}} Dice faces that were rolled at the table for what is done */
/** @typedef {(dice: Dice) => Promise<unknown>} Deed */
/** @typedef {(does: Deed) => Promise<boolean>} Act */

/**
 * @param {object} props
 * @param {import("warlog").Warlog} props.warlog
 * @param {Battle} props.battle
 * @param {number} props.head what it shows is asked for again behind each event
 * @param {number} props.seq the event that is shown
 * @param {string | null} props.chosen the combatant that is chosen on the map
 */
export function Desk({ warlog, battle, head, seq, chosen }) {
  const [view, setView] = useState(/** @type {any} */ (null));
  const [error, setError] = useState(/** @type {any} */ (null));
  const [asked, setAsked] = useState(0);
  const [awaited, setAwaited] = useState(/** @type {{does: Deed, faces: number[], wanted: any} | null} */ (null));
  const [there, setThere] = useState(presentAt(battle));
  useEffect(() => battle.subscribe(() => setThere(presentAt(battle))), [battle]);
  useEffect(() => {
    let isCurrent = true;
    Promise.all([battle.read(), battle.seats()]).then(([now, seats]) => {
      if (isCurrent) setView({ now, seats });
    }, (problem) => { if (isCurrent) setError(problem); });
    return () => { isCurrent = false; };
  }, [head, asked, there]);
  if (!view) return null;
  const act = async (/** @type {Deed} */ does, /** @type {number[]} */ faces = []) => {
    let isDone = true;
    try {
      await does(faces.length > 0 ? { dice: faces } : {});
      setError(null);
      setAwaited(null);
    } catch (/** @type {any} */ problem) {
      isDone = false;
      const lacksDice = problem.code === "too_few_faces";
      setError(lacksDice ? null : problem);
      setAwaited(lacksDice ? { does, faces, wanted: problem.params } : null);
    }
    setAsked((n) => n + 1);
    return isDone;
  };
  const { now, seats } = view;
  const { status } = now.state;
  return html`<section class="card desk" aria-label=${say("desk")}>
    <h2>${say("desk")}</h2>
    ${error && html`<p class="problem" role="alert">${sentence(error)}</p>`}
    ${awaited && html`<${TableDice} key=${awaited.faces.length} wanted=${awaited.wanted} leave=${() => setAwaited(null)}
      roll=${(/** @type {number[]} */ more) => act(awaited.does, [...awaited.faces, ...more])} />`}
    ${status === "setup" && html`<button class="main" onClick=${() => act((/** @type {Dice} */ dice) => battle.act({ type: "start_encounter" }, dice))}>${say("start")}</button>`}
    ${status === "running" && html`<${Questions} battle=${battle} decisions=${now.decisions} seats=${seats} state=${now.state} act=${act} />`}
    ${status === "running" && html`<${Timers} battle=${battle} act=${act} timers=${now.timers ?? []} />`}
    ${status === "running" && html`<${Note} battle=${battle} act=${act} />`}
    ${status !== "ended" && html`<${Overrule} ...${{ warlog, battle, now, chosen, act }} />`}
    ${status === "running" && html`<${Rewind} ...${{ battle, head, seq, act }} />`}
    ${status === "running" && html`<${End} battle=${battle} act=${act} sides=${now.state.sides ?? []} />`}
    ${status === "ended" && now.table.seed === undefined && html`<button class="quiet" onClick=${() => act(() => battle.act({ type: "reveal" }))}>${say("reveal")}</button>`}
    <${Seats} ...${{ battle, seats, act, sides: now.state.sides ?? [], isEnded: status === "ended" }} />
  </section>`;
}

/** Who follows, as something that can be compared. @param {Battle} battle */
const presentAt = (battle) => [...battle.presence].sort().join(" ");

/** @param {{battle: Battle, decisions: any[], seats: any[], state: any, act: Act}} props */
function Questions({ battle, decisions, seats, state, act }) {
  const nameOf = namesIn({ ...state, units: [...(state.units ?? []), ...seats] }, null);
  const whose = (/** @type {any} */ { combatant, side, seat }) => (combatant ?? side ?? seat ? nameOf(combatant ?? side ?? seat) : say("you"));
  if (decisions.length === 0) return html`<p class="faint">${say("nobody_is_asked")}</p>`;
  return html`<h3>${say("open_questions")}</h3><ul class="plain">${decisions.map((each) => html`<li class="row">
    <span>${word(each.kind)} · <bdi>${whose(each)}</bdi></span>
    <button class="quiet" onClick=${() => act((/** @type {Dice} */ dice) => battle.answer(each, each.default, dice))}>${say("force", { what: word(String(each.default)) })}</button>
  </li>`)}</ul>`;
}

/** @param {{battle: Battle, timers: any[], act: Act}} props */
function Timers({ battle, timers, act }) {
  if (timers.length === 0) return null;
  const paused = timers.every((each) => each.paused);
  return html`<p class="row"><span>${paused ? say("clocks_stand") : say("clocks_run", { n: timers.length })}</span>
    <button class="quiet" onClick=${() => act(() => battle.changeTimers({ do: paused ? "resume" : "pause" }))}>${say(paused ? "resume_clocks" : "pause_clocks")}</button>
    <button class="quiet" onClick=${() => act(() => battle.changeTimers({ do: "extend", seconds: 60 }))}>${say("more_time")}</button></p>`;
}

/** @param {{battle: Battle, act: Act}} props */
function Note({ battle, act }) {
  const [text, setText] = useState("");
  const send = (/** @type {Event} */ e) => {
    e.preventDefault();
    void act(async () => {
      await battle.act({ type: "note", text });
      setText("");
    });
  };
  return html`<form class="row" onSubmit=${send}>
    <label for="note">${say("note_label")}</label>
    <input id="note" required maxlength="2000" value=${text} onInput=${(/** @type {any} */ e) => setText(e.target.value)} />
    <button class="quiet">${say("write")}</button></form>`;
}

/** @param {{battle: Battle, head: number, seq: number, act: Act}} props */
function Rewind({ battle, head, seq, act }) {
  const isPast = seq < head;
  return html`<details><summary>${say("rewind")}</summary>
    <p>${isPast ? say("rewind_undoes", { n: head - seq }) : say("rewind_choose")}</p>
    <button class="main" disabled=${!isPast} onClick=${() => act(() => battle.rewind(seq))}>${say("rewind_to", { seq })}</button></details>`;
}

/** @param {{battle: Battle, sides: any[], act: Act}} props */
function End({ battle, sides, act }) {
  const [winner, setWinner] = useState("");
  const [open, setOpen] = useState("sides");
  const end = (/** @type {Event} */ e) => {
    e.preventDefault();
    void act(() => battle.act({ type: "end_encounter", reveal: "now", open, ...(winner ? { winner } : {}) }));
  };
  return html`<details><summary>${say("end_battle")}</summary><form onSubmit=${end}>
    <label>${say("winner")} <select value=${winner} onChange=${(/** @type {any} */ e) => setWinner(e.target.value)}>
      <option value="">${say("nobody_won")}</option>${sides.map((each) => html`<option value=${each.id}>${each.name ?? each.id}</option>`)}</select></label>
    <label>${say("open_parts")} <select value=${open} onChange=${(/** @type {any} */ e) => setOpen(e.target.value)}>
      ${["none", "sides", "all"].map((each) => html`<option value=${each} selected=${each === open}>${say(`open_${each}`)}</option>`)}</select></label>
    <button class="main">${say("end_and_reveal")}</button></form></details>`;
}
