// What is taken along from a replay: its bundle, or a battle of one's own that continues from here.
import { useState } from "preact/hooks";
import { pageAddress } from "../shell/address.js";
import { html } from "../shell/html.js";
import { sentence } from "../shell/problem.js";
import { rememberSeat } from "../shell/seats.js";
import { say } from "../shell/texts.js";

/** @param {import("warlog").Battle} battle */
export async function saveBundle(battle) {
  const answer = await battle.bundle();
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await answer.blob());
  link.download = `${battle.id}.ndjson`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** @param {{battle: import("warlog").Battle, replay: import("./replay.js").Replay}} props */
export function Fork({ battle, replay }) {
  const [told, setTold] = useState(/** @type {any} */ (null));
  const fork = async () => {
    try {
      const answer = await battle.fork({ at: replay.seq.value });
      if (answer.token) {
        rememberSeat({ encounter: answer.encounter, seat: "gm", role: "gm", token: answer.token, used: Date.now() });
      }
      setTold({ encounter: answer.encounter });
    } catch (error) {
      setTold({ error });
    }
  };
  return html`
    <button class="quiet" onClick=${fork}>${say("fork_from", { seq: replay.seq.value })}</button>
    ${told?.encounter && html`<p role="status">${say("forked")} <a href=${pageAddress(`replay/${told.encounter}`)}>${say("open")}</a></p>`}
    ${told?.error && html`<p class="problem" role="alert">${sentence(told.error)}</p>`}`;
}
