// "Undo my last step", as far as the service says that this seat may.
import { useEffect, useRef, useState } from "preact/hooks";
import { html } from "../shell/html.js";
import { Problem } from "../shell/problem.js";
import { say } from "../shell/texts.js";

/** @typedef {import("./live.js").Live} Live */

const KEPT = new Set(["rewind", "note", "contribute"]);

/**
 * The own last step, and where a rewind of it leads to; null where there is none that may be undone.
 *
 * @param {Live} live
 * @param {number | undefined} floor how far this seat may go back
 */
function lastStep(live, floor) {
  if (floor === undefined) return null;
  const steps = live.told.value.filter((each) => !each.undone && !KEPT.has(each.type) && each.seq > floor);
  const last = steps.at(-1);
  return last?.by === live.stored.seat ? { seq: last.seq, to: Math.max(last.base, floor) } : null;
}

/** @param {{live: Live}} props */
export function Undo({ live }) {
  // Which step was agreed to: one that comes after it is another matter.
  const [agreed, setAgreed] = useState(0);
  const button = useRef(/** @type {HTMLButtonElement | null} */ (null));
  const isMoving = useRef(false);
  useEffect(() => {
    if (isMoving.current) button.current?.focus();
    isMoving.current = false;
  }, [agreed]);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState(/** @type {any} */ (null));
  const { undo_to, undo_bar } = live.battle.table ?? {};
  const { role } = live.stored;
  if (role !== "player" || live.battle.state?.status !== "running") return null;
  const step = lastStep(live, undo_to);
  const isAgreed = step?.seq === agreed;
  function agree(/** @type {number} */ seq) {
    isMoving.current = true;
    setAgreed(seq);
  }
  async function undo() {
    if (busy) return;
    setBusy(true);
    setError(null);
    try {
      if (step) await live.battle.rewind(step.to);
      agree(0);
    } catch (problem) {
      setError(problem);
    }
    setBusy(false);
  }
  return html`<section class="card undo">
    <${Problem} error=${error} />
    ${step && !isAgreed && html`<button ref=${button} type="button" class="quiet wide" onClick=${() => agree(step.seq)}>${say("undo")}</button>`}
    ${step && isAgreed && html`<p>${say("undo_sure", { n: live.told.value.filter((each) => !each.undone && each.seq > step.to).length })}</p>
      <div class="row"><button ref=${button} type="button" class="main" aria-disabled=${busy} onClick=${undo}>${say("undo")}</button>
        <button type="button" class="quiet" onClick=${() => agree(0)}>${say("back")}</button></div>`}
    ${!step && html`<p class="faint">${say(undo_bar ? `undo_${undo_bar}` : "undo_nothing")}</p>`}
  </section>`;
}
