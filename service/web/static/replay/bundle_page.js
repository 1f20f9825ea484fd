// The replay of a bundle: a file that is dropped here, or chosen.
import { useEffect, useState } from "preact/hooks";
import { Problem } from "../shell/problem.js";
import { html } from "../shell/html.js";
import { client } from "../shell/service.js";
import { say } from "../shell/texts.js";
import { Badge } from "./badge.js";
import { BundleFile } from "./bundle_file.js";
import { Replay } from "./replay.js";
import { Stage } from "./stage.js";
import { DiceView } from "./dice_view.js";
import { verify } from "warlog";

/** What was chosen last: told again where the language changes. @type {File | null} */
let chosen = null;

/** @param {{token: string}} props of anybody whom the service knows */
export function BundlePage({ token }) {
  const [opened, setOpened] = useState(/** @type {any} */ (null));
  const [error, setError] = useState(/** @type {any} */ (null));
  const [read, setRead] = useState(/** @type {number | null} */ (null));
  const open = async (/** @type {File | undefined} */ file) => {
    if (!file) return;
    chosen = file;
    setError(null);
    setRead(0);
    try {
      const warlog = client(token);
      const source = await new BundleFile(warlog, file).read(setRead);
      const report = await verify(file, { keys: await warlog.keys() });
      const replay = new Replay(source);
      await replay.load();
      await replay.judge();
      setOpened({ replay, report });
    } catch (problem) {
      setError(problem);
    }
    setRead(null);
  };
  useEffect(() => {
    if (chosen) void open(chosen);
  }, []);
  const dropped = (/** @type {DragEvent} */ e) => {
    e.preventDefault();
    void open(e.dataTransfer?.files[0]);
  };
  return html`<div onDragOver=${(/** @type {Event} */ e) => e.preventDefault()} onDrop=${dropped}>
    <section class="card drop"><label for="bundle">${say("bundle_label")}</label>
      <input id="bundle" type="file" accept=".ndjson,application/x-ndjson" onChange=${(/** @type {any} */ e) => void open(e.target.files[0])} />
      ${read !== null && html`<p role="status">${say("judging", { n: read })}</p>`}
      <${Problem} error=${error} /></section>
    ${opened && html`<${Stage} replay=${opened.replay} nameOf=${nameIn(opened.replay)} />
      <div class="below">
        <${Badge} report=${opened.report} audit=${opened.replay.audit.value} isChecking=${false} check=${null} go=${(/** @type {number} */ seq) => void opened.replay.go(seq)} />
        <${DiceView} audit=${opened.replay.audit.value} />
      </div>`}
  </div>`;
}

/** @param {Replay} replay @returns {(id: string) => string} */
const nameIn = (replay) => (id) => replay.scene.value?.combatants.find((/** @type {any} */ each) => each.id === id)?.name ?? id;
