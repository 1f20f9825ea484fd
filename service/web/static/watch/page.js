// The table: a big screen for spectators. It shows the scene, whose turn it is and what came last, and
// takes observers' seats only, so that nothing of a player's is seen by the whole room.
import "../shell/shell.css";
import "../scene/scene.css";
import "./watch.css";
import { signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { AskForToken, isGone, leave, storedAccess } from "../shell/access.js";
import { fragment } from "../shell/address.js";
import { Banner } from "../shell/banner.js";
import { Frame, show } from "../shell/frame.js";
import { html } from "../shell/html.js";
import { Problem } from "../shell/problem.js";
import { nameOfSeat, storedSeats } from "../shell/seats.js";
import { client } from "../shell/service.js";
import { settings } from "../shell/settings.js";
import { addTexts, say } from "../shell/texts.js";
import { Board } from "../scene/board.js";
import { marksOf } from "../replay/fact_marks.js";
import en from "../texts/en/watch.js";
import ru from "../texts/ru/watch.js";

addTexts(en, ru);

const LAST = 5;
/** Letters of what happened that fit in large type. */
const LONG = 240;
/** How much larger than on other pages the map's letters are. */
const LETTERS = 1.5;

/** @typedef {import("../shell/access.js").Access} Access */

/** @returns {Access | null} an observer's seat, of the battle that the address names or the last used one */
function observing() {
  const wanted = fragment().get("encounter");
  const seats = storedSeats().filter((each) => each.role === "observer" && (!wanted || each.encounter === wanted));
  const found = seats.find((each) => !fragment().get("seat") || each.seat === fragment().get("seat"));
  return found ? storedAccess(found.encounter, found.seat) : null;
}

const access = signal(observing());
const isRefused = signal(false);
/** Why what was used before no longer exists, as the name of a text. */
const lost = signal("");

function Page() {
  const { value } = access;
  if (value?.stored) return html`<${Table} key=${`${value.token} ${settings.value.language}`} token=${value.token} stored=${value.stored} />`;
  const found = (/** @type {Access} */ one) => {
    isRefused.value = one.stored?.role !== "observer";
    if (!isRefused.value) access.value = one;
  };
  return html`<${Frame} title=${say("watch_title")}>
    <p>${say("observers_only")}</p>
    ${isRefused.value && html`<p class="problem" role="alert">${say("not_an_observer")}</p>`}
    <${AskForToken} lost=${lost.value} found=${found} />
  </${Frame}>`;
}

/** @param {{token: string, stored: import("../shell/seats.js").StoredSeat}} props */
function Table({ token, stored }) {
  const here = useMemo(() => ({
    battle: client(token).battle(stored.encounter),
    told: signal(/** @type {{seq: number, text: string, event: any}[]} */ ([])),
    changes: signal(0),
    title: signal(""),
    error: signal(/** @type {any} */ (null)),
  }), []);
  useEffect(() => follow(here), []);
  void here.changes.value;
  const error = here.error.value;
  const isLost = isGone(error, here.battle.closedBy);
  useEffect(() => {
    if (!isLost) return;
    lost.value = leave({ token, stored }, error);
    access.value = null;
  }, [isLost]);
  const { battle, told, title } = here;
  const [newest, ...earlier] = [...told.value].reverse();
  const scene = battle.scene ?? null;
  return html`<${Frame} title=${title.value || say("watch_title")} seat=${nameOfSeat(stored, battle.table)}
    banner=${html`<${Banner} status=${battle.status === "closed" ? "idle" : battle.status} since=${battle.offlineSince ?? null} why=${battle.offlineWhy} />`}>
    <${Problem} error=${isLost ? null : error} />
    ${battle.closedBy && html`<p class="note">${say("closed")}</p>`}
    <p class="whose" role="status">${whose(battle.state, scene)}</p>
    <p class=${`newest ${(newest?.text.length ?? 0) > LONG ? "long" : ""}`} aria-live="polite">${newest?.text}</p>
    <div class="now">
      ${scene && html`<${Board} scene=${scene} title=${say("the_map")} marks=${marksOf(newest?.event)} letters=${LETTERS} />`}
      <ol class="earlier" aria-label=${say("earlier")}>${earlier.map((each) => html`<li key=${each.seq}>${each.text}</li>`)}</ol>
    </div>
  </${Frame}>`;
}

/** Round and turn in words. @param {any} state @param {any} scene */
function whose(state, scene) {
  if (!state) return say("reading");
  if (state.status === "setup") return say("not_begun");
  if (state.status === "ended") return say("over");
  const acting = (scene?.combatants ?? []).filter((/** @type {any} */ each) => each.has_turn).map((/** @type {any} */ each) => each.name ?? each.id);
  const round = say("round_n", { n: state.round ?? 1 });
  return acting.length === 0 ? `${round}. ${say("turn_hidden")}` : `${round}. ${say("turn_of", { who: acting.join(", ") })}`;
}

/** @param {any} here */
function follow({ battle, told, changes, title, error }) {
  const stop = new AbortController();
  const unsubscribe = battle.subscribe(() => { changes.value += 1; });
  const narrate = settings.value.language;
  const hear = (/** @type {any} */ record) => {
    if (!record.narration || told.value.some((/** @type {any} */ each) => each.seq === record.seq)) return;
    const heard = { seq: record.seq, text: record.narration, event: record.seen ?? record.event };
    told.value = [...told.value, heard].sort((one, other) => one.seq - other.seq).slice(-LAST);
  };
  const begin = async () => {
    title.value = (await battle.read()).title ?? "";
    const after = Math.max(0, (battle.head?.seq ?? 0) - LAST);
    const page = await battle.events({ after, limit: LAST, narrate });
    page.events.forEach(hear);
  };
  void (async () => {
    try {
      for await (const record of battle.follow({ narrate, scene: true, refusals: "record", signal: stop.signal })) {
        // Not waited for: whether the stream continues must be seen all the while.
        if (record.type === "hello") void begin().catch(() => undefined);
        if (record.type === "event") hear(record);
      }
    } catch (problem) {
      if (!stop.signal.aborted) error.value = problem;
    }
    changes.value += 1;
  })();
  return () => {
    stop.abort();
    unsubscribe();
  };
}

show(Page);
