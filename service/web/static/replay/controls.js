// Going through a battle: first, previous, next and last event, roll and turn, a slider, play, keys.
import { useEffect, useMemo } from "preact/hooks";
import { html } from "../shell/html.js";
import { say } from "../shell/texts.js";

const SECONDS_PER_EVENT = 1.2;
const TICKS = 60;

/** @typedef {import("./replay.js").Replay} Replay */

/** @param {{replay: Replay}} props */
export function Controls({ replay }) {
  useKeys(replay);
  usePlay(replay);
  const head = replay.head.value;
  const seq = replay.seq.value;
  const entries = replay.entries.value;
  const ticks = useMemo(() => ticksOf(entries), [entries]);
  const go = (/** @type {number} */ to) => () => void replay.go(to);
  const step = (/** @type {"event" | "action" | "turn"} */ unit, /** @type {1 | -1} */ by) => () => void replay.step(unit, by);
  return html`<section class="controls" aria-label=${say("controls")}>
    <div class="row">
      <${Step} name="first" sign="|←" act=${go(1)} off=${seq <= 1} />
      <${Step} name="previous_turn" sign="«" act=${step("turn", -1)} off=${seq <= 1} />
      <${Step} name="previous_action" sign="⚅←" act=${step("action", -1)} off=${seq <= 1} />
      <${Step} name="previous" sign="←" act=${step("event", -1)} off=${seq <= 1} />
      <${Step} name=${replay.isPlaying.value ? "pause" : "play"} sign=${replay.isPlaying.value ? "‖" : "▶"}
        act=${() => { replay.isPlaying.value = !replay.isPlaying.value; }} off=${seq >= head && !replay.isPlaying.value} />
      <${Step} name="next" sign="→" act=${step("event", 1)} off=${seq >= head} />
      <${Step} name="next_action" sign="→⚅" act=${step("action", 1)} off=${seq >= head} />
      <${Step} name="next_turn" sign="»" act=${step("turn", 1)} off=${seq >= head} />
      <${Step} name="last" sign="→|" act=${go(head)} off=${seq >= head} />
    </div>
    <label class="slide"><span>${say("event_of", { seq, head })}</span>
      <input type="range" min="1" max=${Math.max(1, head)} value=${seq} list="rounds"
        onInput=${(/** @type {any} */ e) => void replay.go(Number(e.target.value))} /></label>
    <datalist id="rounds">${ticks.map((each) => html`<option value=${each.seq} label=${String(each.after.round)}></option>`)}</datalist>
    <details class="keys" id="keys"><summary>${say("keys")}</summary><p>${say("keys_text")}</p></details>
  </section>`;
}

/** @param {{name: string, sign: string, act: () => void, off: boolean}} props */
function Step({ name, sign, act, off }) {
  return html`<button class="quiet" aria-label=${say(name)} title=${say(name)} onClick=${act} disabled=${off}><span aria-hidden="true">${sign}</span></button>`;
}

/** Where rounds begin. @param {readonly import("./log_entries.js").Entry[]} entries */
function ticksOf(entries) {
  return entries.filter((each) => each.undoneBy === undefined && each.after.round > each.round).slice(0, TICKS);
}

/** @param {Replay} replay */
function usePlay(replay) {
  const isPlaying = replay.isPlaying.value;
  const seq = replay.seq.value;
  useEffect(() => {
    if (!isPlaying) return undefined;
    const next = replay.next("event", 1);
    if (next === seq) {
      replay.isPlaying.value = false;
      return undefined;
    }
    const timer = setTimeout(() => void replay.go(next), SECONDS_PER_EVENT * 1000);
    return () => clearTimeout(timer);
  }, [isPlaying, seq]);
}

/** @param {Replay} replay */
function useKeys(replay) {
  useEffect(() => {
    /** @type {Record<string, () => void>} */
    const acts = {
      ArrowLeft: () => void replay.step("event", -1),
      ArrowRight: () => void replay.step("event", 1),
      ArrowUp: () => void replay.step("turn", -1),
      ArrowDown: () => void replay.step("turn", 1),
      PageUp: () => void replay.step("action", -1),
      PageDown: () => void replay.step("action", 1),
      Home: () => void replay.go(1),
      End: () => void replay.go(replay.head.value),
      "?": () => document.getElementById("keys")?.toggleAttribute("open"),
    };
    const pressed = (/** @type {KeyboardEvent} */ e) => {
      const target = /** @type {Element} */ (e.target);
      const act = acts[e.key];
      if (!act || e.ctrlKey || e.altKey || e.metaKey || target.closest("input, select, textarea, dialog")) return;
      e.preventDefault();
      act();
    };
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  }, [replay]);
}
