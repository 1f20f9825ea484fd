// Map, controls, event and log: what every replay has. Where there is room the event is next to the
// others, so that the log is in sight however much there is to say of it.
import { Board } from "../scene/board.js";
import { html } from "../shell/html.js";
import { say } from "../shell/texts.js";
import { CombatantView } from "./combatant_view.js";
import { Controls } from "./controls.js";
import { EventView } from "./event_view.js";
import { Filters } from "./filters.js";
import { LackingNote } from "./lacking.js";
import { LogView } from "./log_view.js";
import { word } from "./words.js";
import { UnseenList, UnseenOnMap } from "./unseen_view.js";

/** @param {{replay: import("./replay.js").Replay, nameOf: (id: string) => string, seatName: (by: string) => string}} props */
export function Stage({ replay, nameOf, seatName }) {
  const pick = (/** @type {string} */ id) => { replay.chosen.value = replay.chosen.value === id ? null : id; };
  const { unseen, whole, seat } = replay;
  const lacking = replay.source.lacking?.(replay.sceneSeq.value);
  const over = unseen.value && ((/** @type {number} */ grow, /** @type {import("../scene/labels.js").Labels} */ labels) => html`<${UnseenOnMap}
    scene=${whole.value} unseen=${unseen.value} seat=${seat} grow=${grow} labels=${labels} chosen=${replay.chosen.value} onPick=${pick} />`);
  return html`<div class="replay">
    <div class="stage">
      ${replay.scene.value
        ? html`<${Board} scene=${unseen.value ? { ...replay.scene.value, bounds: whole.value.bounds } : replay.scene.value} title=${say("map_after", { seq: replay.sceneSeq.value })} chosen=${replay.chosen.value}
            marks=${replay.marks.value} onPick=${pick} word=${(/** @type {string} */ id) => word(nameOf(id))} others=${unseen.value?.combatants} over=${over || undefined} />`
        : html`<p class="faint">${say(replay.sceneSeq.value > 0 ? "no_map" : "reading")}</p>`}
      ${lacking && html`<${LackingNote} lacking=${lacking} />`}
      ${unseen.value && html`<${UnseenList} unseen=${unseen.value} seat=${seat} />`}
      <${Controls} replay=${replay} />
    </div>
    <${EventView} ...${{ replay, seatName }} />
    <div class="lines">
      <${Filters} ...${{ replay, nameOf, seatName }} />
      <${LogView} replay=${replay} nameOf=${nameOf} />
      <${CombatantView} replay=${replay} nameOf=${nameOf} />
    </div>
  </div>`;
}
