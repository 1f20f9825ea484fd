// The game master's replay, which players have too, each with their own view.
import "../shell/shell.css";
import "../scene/scene.css";
import "./replay.css";
import { effect, signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { anyAccess, AskForToken, isGone, leave, storedAccess } from "../shell/access.js";
import { fragment, pageAddress } from "../shell/address.js";
import { Banner } from "../shell/banner.js";
import { Frame, show } from "../shell/frame.js";
import { html } from "../shell/html.js";
import { Problem } from "../shell/problem.js";
import { nameOfSeat } from "../shell/seats.js";
import { client } from "../shell/service.js";
import { settings } from "../shell/settings.js";
import { addTexts, say } from "../shell/texts.js";
import en from "../texts/en/replay.js";
import ru from "../texts/ru/replay.js";
import { Badge } from "./badge.js";
import { BundlePage } from "./bundle_page.js";
import { Desk } from "./desk.js";
import { DiceView } from "./dice_view.js";
import { whenIdle } from "./idle.js";
import { Fork, saveBundle } from "./leaving.js";
import { namesIn, seatNames } from "./names.js";
import { Replay } from "./replay.js";
import { Stage } from "./stage.js";
import { StoredBattle } from "./stored_battle.js";
import { readWords } from "./words.js";

addTexts(en, ru);

const ENCOUNTER = /\/replay\/([^/]+)$/.exec(location.pathname)?.[1] ?? "";
const access = signal(ENCOUNTER ? storedAccess(ENCOUNTER, fragment().get("seat")) : anyAccess());
/** Why what was used before no longer exists, as the name of a text. */
const lost = signal("");
/** Whose eyes a game master looks through: a seat, its id empty for the own. */
const viewpoint = signal({ id: "", name: "" });

function Page() {
  if (access.value === null) {
    return html`<${Frame} title=${say("replay_title")}><${AskForToken} lost=${lost.value} found=${(/** @type {any} */ found) => { access.value = found; }} /></${Frame}>`;
  }
  const { token, stored } = access.value;
  if (!ENCOUNTER) return html`<${Frame} title=${say("bundle_title")}><${BundlePage} key=${settings.value.language} token=${token} /></${Frame}>`;
  return html`<${Looking} key=${`${token} ${viewpoint.value.id} ${settings.value.language}`} token=${token} stored=${stored} through=${viewpoint.value} />`;
}

/** @param {{token: string, stored: import("../shell/seats.js").StoredSeat | null, through: {id: string, name: string}}} props */
function Looking({ token, stored, through }) {
  const view = through.id;
  const here = useMemo(() => {
    const warlog = client(token);
    const battle = warlog.battle(ENCOUNTER, view ? { view } : {});
    const told = (/** @type {import("warlog").Battle} */ of) => new StoredBattle(of, settings.value.language);
    const beside = view ? { source: told(warlog.battle(ENCOUNTER)), seat: through.name } : null;
    return { warlog, battle, replay: new Replay(told(battle), beside), ...rest() };
  }, []);
  const { battle, replay, status, view: seen, seats, report, isChecking } = here;
  useEffect(() => follow(here, (error) => {
    if (view || !access.value) return;
    lost.value = leave(access.value, error);
    access.value = null;
  }), []);
  const check = async () => {
    isChecking.value = true;
    try {
      report.value = await battle.verify({ language: settings.value.language });
      replay.audit.value = await replay.source.audit();
    } finally {
      isChecking.value = false;
    }
  };
  const ask = () => check().catch((error) => { replay.error.value = error; });
  const isRead = replay.isOver.value && replay.explanation.value !== null;
  const revelations = replay.revelations.value;
  // What fails unasked is no trouble of the reader's: the button is there.
  useEffect(() => (isRead && !view ? whenIdle(() => void check().catch(() => undefined)) : undefined), [isRead, revelations]);
  const nameOf = namesIn(seen.value?.state, replay.scene.value);
  const seatName = seatNames(seats.value);
  const title = seen.value?.title ?? say("replay_title");
  const isMaster = stored === null || stored.role === "gm";
  return html`<${Frame} title=${title} seat=${stored ? nameOfSeat(stored, seen.value?.table) : undefined}
    banner=${html`<${Banner} status=${status.value.status === "closed" ? "idle" : status.value.status} since=${status.value.since} why=${status.value.why} />`}>
    <${Problem} error=${replay.error.value} />
    ${isMaster && seats.value.length > 0 && html`<label class="viewpoint">${say("viewpoint")}
      <select value=${view} onChange=${(/** @type {any} */ e) => { viewpoint.value = { id: e.target.value, name: e.target.selectedOptions[0].textContent }; }}>
        <option value="">${say("viewpoint_own")}</option>
        ${seats.value.filter((each) => each.role !== "gm").map((each) => html`<option value=${each.id} selected=${each.id === view}>${each.name ?? each.id}</option>`)}
      </select></label>`}
    ${view && html`<p class="note">${say("looking_through", { seat: through.name })}</p>`}
    <${Stage} ...${{ replay, nameOf, seatName }} />
    <div class="below">
      ${isMaster && !view && html`<${Desk} warlog=${here.warlog} battle=${battle} head=${replay.head.value} seq=${replay.seq.value} chosen=${replay.chosen.value} />`}
      <div class="proof">
        <${Badge} report=${report.value} audit=${replay.audit.value} isChecking=${isChecking.value} check=${ask}
          go=${(/** @type {number} */ seq) => void replay.go(seq)} />
        <section class="card" aria-label=${say("take_along")}><h2>${say("take_along")}</h2>
          <button class="quiet" onClick=${() => saveBundle(battle).catch((error) => { replay.error.value = error; })}>${say("save_bundle")}</button>
          <a class="button quiet" href=${pageAddress("watch", { encounter: ENCOUNTER })}>${say("to_the_table")}</a>
          <${Fork} battle=${battle} replay=${replay} />
        </section>
      </div>
      <${DiceView} audit=${replay.audit.value} seatName=${seatName} />
    </div>
  </${Frame}>`;
}

function rest() {
  return {
    status: signal(/** @type {{status: any, since?: number | undefined, why?: any}} */ ({ status: "catching_up" })),
    view: signal(/** @type {any} */ (null)),
    seats: signal(/** @type {import("warlog").SeatView[]} */ ([])),
    report: signal(/** @type {import("warlog").Report | null} */ (null)),
    isChecking: signal(false),
  };
}

/**
 * Read the battle, then stay with it.
 *
 * @param {any} here
 * @param {(error: any) => void} gone shown where the right to it no longer exists
 */
function follow({ warlog, battle, replay, status, view, seats }, gone) {
  const failed = (/** @type {any} */ error) => {
    replay.error.value = error;
    if (isGone(error, battle.closedBy)) gone(error);
  };
  const stop = new AbortController();
  const unsubscribe = battle.subscribe(() => { status.value = { status: battle.status, since: battle.offlineSince, why: battle.offlineWhy }; });
  const moved = () => {
    const wanted = Number(fragment().get("e"));
    if (wanted > 0 && wanted !== replay.seq.value) void replay.go(wanted);
  };
  addEventListener("hashchange", moved);
  void (async () => {
    try {
      battle.read().then((/** @type {any} */ now) => {
        view.value = now;
        void readWords(warlog, now.ruleset, now.version);
      }, failed);
      battle.seats().then((/** @type {any} */ found) => { seats.value = found; }).catch(() => undefined);
      await replay.load();
      const options = { state: false, narrate: settings.value.language, after: replay.log.last, signal: stop.signal };
      for await (const record of battle.follow({ ...options, refusals: "record" })) {
        if (record.type === "event") {
          replay.source.forgetExplanations();
          await replay.hear(record);
        }
      }
      if (isGone(null, battle.closedBy)) gone(null);
    } catch (error) {
      if (!stop.signal.aborted) failed(error);
    }
  })();
  const dispose = effect(() => { document.documentElement.dataset["event"] = String(replay.sceneSeq.value); });
  return () => {
    stop.abort();
    replay.end();
    unsubscribe();
    dispose();
    removeEventListener("hashchange", moved);
  };
}

show(Page);
