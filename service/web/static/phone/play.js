// The phone at the table.
import { useEffect, useMemo, useState } from "preact/hooks";
import { isGone } from "../shell/access.js";
import { fragment, pageAddress } from "../shell/address.js";
import { Banner, clock } from "../shell/banner.js";
import { Frame } from "../shell/frame.js";
import { html } from "../shell/html.js";
import { Problem } from "../shell/problem.js";
import { forgetSeat, nameOfSeat, rememberSeat, storedSeat, storedSeats } from "../shell/seats.js";
import { settings } from "../shell/settings.js";
import { say } from "../shell/texts.js";
import { Combatants } from "./combatants.js";
import { OtherDevice } from "./devices.js";
import { useFocus } from "./focus.js";
import { Live } from "./live.js";
import { Map } from "./map.js";
import { ownAnswers, ownRolls, ownSeat, turnOf } from "./mine.js";
import { Notices, NoticeSettings } from "./notices.js";
import { Outcomes } from "./outcomes.js";
import { Countdown, Questions } from "./questions.js";
import { Undo } from "./undo.js";
import { Acting } from "./walk.js";
import { label, nameOf } from "./wording.js";

/** @typedef {import("../shell/seats.js").StoredSeat} StoredSeat */

/** @returns {StoredSeat | null} the seat that the address names, else the one used last */
function wantedSeat() {
  const wanted = fragment();
  const encounter = wanted.get("encounter");
  return encounter ? storedSeat(encounter, wanted.get("seat")) : (storedSeats()[0] ?? null);
}

export function Play() {
  const [stored, setStored] = useState(wantedSeat);
  const [removed, setRemoved] = useState(false);
  useEffect(() => {
    const changed = () => setStored(wantedSeat());
    addEventListener("hashchange", changed);
    return () => removeEventListener("hashchange", changed);
  }, []);
  if (!stored) {
    return html`<${Frame} title=${say("play_title")}>
      <section class="card"><p>${say(removed ? "seat_removed" : "no_seat")}</p>
        <a class="button main wide" href=${pageAddress("join")}>${say("join_title")}</a></section>
    </${Frame}>`;
  }
  const { language } = settings.value;
  return html`<${Table} key=${`${stored.encounter} ${stored.seat} ${language}`} stored=${stored}
    onRemoved=${() => { forgetSeat(stored); setRemoved(true); setStored(null); }} />`;
}

/** @param {{stored: StoredSeat, onRemoved: () => void}} props */
function Table({ stored, onRemoved }) {
  const live = useMemo(() => new Live(stored), []);
  useEffect(() => {
    void live.follow();
    return () => live.end();
  }, []);
  const error = live.error.value;
  const isLost = isGone(error, live.battle.closedBy);
  useEffect(() => {
    if (isLost) onRemoved();
  }, [isLost]);
  const seat = ownSeat(live);
  const name = nameOfSeat(stored, live.battle.table);
  useEffect(() => {
    if (seat) rememberSeat({ ...stored, name, used: Date.now() });
  }, [name, seat !== undefined]);
  const { status } = live;
  const banner = html`<${Banner} status=${status} since=${live.offlineSince} why=${live.battle.offlineWhy} />`;
  const tools = html`<${NoticeSettings} /><${OtherDevice} live=${live} /><p><a href=${pageAddress("join")}>${say("other_seats")}</a></p>`;
  return html`<${Frame} title=${say("play_title")} seat=${name} banner=${banner} tools=${tools}>
    <${Problem} error=${isLost ? null : error} />
    ${live.document === null
      ? html`<p class="faint">${say("loading")}</p>`
      : html`<div class=${status === "live" ? "" : "stale"}>
          ${status !== "live" && html`<p class="note">${say("as_of", { time: clock(live.asOf.value) })}</p>`}
          <${Battle} live=${live} />
        </div>`}
  </${Frame}>`;
}

/** @param {{live: Live}} props */
function Battle({ live }) {
  useFocus();
  const isAsked = ownAnswers(live).length > 0 || ownRolls(live).length > 0;
  const canAct = (live.tree.value?.actions ?? []).some((each) => each.type !== "answer");
  return html`
    <${Notices} live=${live} hasTurn=${canAct && live.stored.role !== "gm"} />
    <${Headline} ...${{ live, isAsked, canAct }} />
    <${Questions} live=${live} />
    ${!isAsked && html`<${Acting} live=${live} />`}
    <${Outcomes} live=${live} />
    <${Undo} live=${live} />
    <${Combatants} live=${live} />
    <details class="card"><summary>${say("map")}</summary><${Map} live=${live} /></details>
  `;
}

/** @param {{live: Live, isAsked: boolean, canAct: boolean}} props */
function Headline({ live, isAsked, canAct }) {
  const state = live.battle.state;
  const turn = turnOf(live);
  const who = turn === undefined ? "" : nameOf(live, turn);
  const waits = live.battle.decisions.length > 0;
  const key =
    state.status !== "running" ? "" : isAsked ? "asked" : waits ? "others_asked" : canAct ? "turn_mine" : "turn_of";
  const text = key === "" ? label(live, state.status) : say(`head_${key}`, { who });
  return html`<div class=${`headline ${isAsked || canAct ? "mine" : ""}`}>
    <p class="big"><bdi>${text}</bdi></p>
    <p class="faint">${state.round ? say("round", { n: state.round }) : ""}</p>
    <${Countdown} live=${live} />
  </div>`;
}
