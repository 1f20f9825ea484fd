// "Undo my last step", as far as the service says that this seat may.
import { useEffect, useRef, useState } from "preact/hooks";
import { html } from "../shell/html.js";
import { Problem } from "../shell/problem.js";
import { say } from "../shell/texts.js";

/** @typedef {import("./live.js").Live} Live */

const KEPT = new Set(["rewind", "note", "contribute"]);

/**
 * Where a rewind of the own last step leads to; null where there is none that may be undone.
 *
 * @param {Live} live
 * @param {number | undefined} floor how far this seat may go back
 */
function beforeLastStep(live, floor) {
  if (floor === undefined) return null;
  const steps = live.told.value.filter((each) => !each.undone && !KEPT.has(each.type) && each.seq > floor);
  const last = steps.at(-1);
  return last?.by === live.stored.seat ? Math.max(last.base, floor) : null;
}

/** @param {{live: Live}} props */
export function Undo({ live }) {
  const [sure, setSure] = useState(false);
  const button = useRef(/** @type {HTMLButtonElement | null} */ (null));
  const wasSure = useRef(false);
  useEffect(() => {
    if (sure !== wasSure.current) button.current?.focus();
    wasSure.current = sure;
  }, [sure]);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState(/** @type {any} */ (null));
  const { undo_to, undo_bar } = live.battle.table ?? {};
  const { role } = live.stored;
  if (role !== "player" || live.battle.state?.status !== "running") return null;
  const to = beforeLastStep(live, undo_to);
  async function undo() {
    if (busy) return;
    setBusy(true);
    setError(null);
    try {
      if (to !== null) await live.battle.rewind(to);
      setSure(false);
    } catch (problem) {
      setError(problem);
    }
    setBusy(false);
  }
  return html`<section class="card undo">
    <${Problem} error=${error} />
    ${to !== null && !sure && html`<button ref=${button} type="button" class="quiet wide" onClick=${() => setSure(true)}>${say("undo")}</button>`}
    ${to !== null && sure && html`<p>${say("undo_sure", { n: live.told.value.filter((each) => !each.undone && each.seq > to).length })}</p>
      <div class="row"><button ref=${button} type="button" class="main" aria-disabled=${busy} onClick=${undo}>${say("undo")}</button>
        <button type="button" class="quiet" onClick=${() => setSure(false)}>${say("back")}</button></div>`}
    ${to === null && html`<p class="faint">${say(undo_bar ? `undo_${undo_bar}` : "undo_nothing")}</p>`}
  </section>`;
}
