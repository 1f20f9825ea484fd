// The replay of a bundle: a file that is dropped here, or chosen.
import { useEffect, useState } from "preact/hooks";
import { fragment } from "../shell/address.js";
import { Problem } from "../shell/problem.js";
import { html } from "../shell/html.js";
import { client } from "../shell/service.js";
import { settings } from "../shell/settings.js";
import { say } from "../shell/texts.js";
import { Badge } from "./badge.js";
import { BundleFile, EVERYONE } from "./bundle_file.js";
import { namesIn, seatNames } from "./names.js";
import { Replay } from "./replay.js";
import { Stage } from "./stage.js";
import { DiceView } from "./dice_view.js";
import { readWords } from "./words.js";
import { verify } from "warlog";

/** What was chosen last: told again where the language changes. @type {{file: File, viewpoint: string} | null} */
let chosen = null;

/** What helps against a problem with a file. @type {Record<string, string>} */
const ADVICE = { damaged_bundle: "bundle_damaged", too_large: "bundle_too_large" };

/** @typedef {{own: BundleFile, viewpoint: string, replay: Replay, report: import("warlog").Report}} Opened */

/** @param {{token: string}} props of anybody whom the service knows */
export function BundlePage({ token }) {
  const [opened, setOpened] = useState(/** @type {Opened | null} */ (null));
  const [error, setError] = useState(/** @type {any} */ (null));
  const [read, setRead] = useState(/** @type {number | null} */ (null));
  const during = async (/** @type {() => Promise<Opened>} */ work) => {
    setError(null);
    setRead(0);
    try {
      const next = await work();
      opened?.replay.end();
      setOpened(next);
    } catch (problem) {
      setError(problem);
    }
    setRead(null);
  };
  const open = (/** @type {File} */ file, viewpoint = "") => during(async () => {
    chosen = { file, viewpoint };
    const warlog = client(token);
    const own = await new BundleFile(warlog, file).read(setRead);
    const report = await verify(file, { keys: await warlog.keys(), language: settings.value.language });
    void readWords(warlog, own.header?.ruleset, own.header?.version);
    return { own, report, viewpoint, replay: await replayOf(own, viewpoint, setRead) };
  });
  const look = (/** @type {Opened} */ { own, report }, /** @type {string} */ viewpoint) => during(async () => {
    chosen = { file: own.file, viewpoint };
    return { own, report, viewpoint, replay: await replayOf(own, viewpoint, setRead) };
  });
  useEffect(() => {
    if (chosen) void open(chosen.file, chosen.viewpoint);
  }, []);
  const advice = error && ADVICE[error.code];
  const choose = (/** @type {File | undefined} */ file) => {
    if (!file) return;
    // The event in the address is one of the bundle before.
    if (chosen) forgetEvent();
    void open(file);
  };
  const dropped = (/** @type {DragEvent} */ e) => {
    e.preventDefault();
    choose(e.dataTransfer?.files[0]);
  };
  return html`<div onDragOver=${(/** @type {Event} */ e) => e.preventDefault()} onDrop=${dropped}>
    <section class="card drop"><label for="bundle">${say("bundle_label")}</label>
      <input id="bundle" type="file" accept=".ndjson,application/x-ndjson" onChange=${(/** @type {any} */ e) => choose(e.target.files[0])} />
      ${read !== null && html`<p role="status">${say("judging", { n: read })}</p>`}
      <${Problem} error=${error} />
      ${advice && html`<p>${say(advice)}</p>`}</section>
    ${opened && html`<${Shown} key=${opened.viewpoint} opened=${opened} look=${(/** @type {string} */ viewpoint) => void look(opened, viewpoint)} />`}
  </div>`;
}

/** Have the address name no event. */
function forgetEvent() {
  const parts = fragment();
  parts.delete("e");
  history.replaceState(null, "", `#${parts}`);
}

/** @param {BundleFile} own @param {string} viewpoint @param {(events: number) => void} progressed */
async function replayOf(own, viewpoint, progressed) {
  const source = viewpoint ? await new BundleFile(own.warlog, own.file, viewpoint).read(progressed) : own;
  const replay = new Replay(source, viewpoint ? { source: own, seat: viewpointName(own, viewpoint) } : null);
  await replay.load();
  await replay.judge();
  return replay;
}

/** @param {BundleFile} own @param {string} viewpoint */
const viewpointName = (own, viewpoint) =>
  viewpoint === EVERYONE ? say("onlookers") : (own.sides.find((each) => each.id === viewpoint)?.name ?? viewpoint);

/** @param {{opened: Opened, look: (viewpoint: string) => void}} props */
function Shown({ opened: { own, report, viewpoint, replay }, look }) {
  const seq = replay.sceneSeq.value;
  const names = namesIn(own.records[seq - 1]?.view.state ?? { sides: own.sides }, replay.scene.value);
  const go = (/** @type {number} */ to) => void replay.go(to);
  useEffect(() => {
    const moved = () => {
      const wanted = Number(fragment().get("e"));
      if (wanted > 0 && wanted !== replay.seq.value) void replay.go(wanted);
    };
    addEventListener("hashchange", moved);
    return () => removeEventListener("hashchange", moved);
  }, [replay]);
  useEffect(() => { document.documentElement.dataset["event"] = String(seq); }, [seq]);
  return html`
    ${own.viewpoints.length > 0 && html`<label class="viewpoint">${say("viewpoint")}
      <select value=${viewpoint} onChange=${(/** @type {any} */ e) => look(e.target.value)}>
        <option value="" selected=${viewpoint === ""}>${say("viewpoint_of_bundle")}</option>
        ${own.viewpoints.map((each) => html`<option value=${each} selected=${each === viewpoint}>${viewpointName(own, each)}</option>`)}
      </select></label>`}
    ${viewpoint && html`<p class="note">${say("looking_through", { seat: viewpointName(own, viewpoint) })}</p>`}
    <${Stage} replay=${replay} nameOf=${names} seatName=${seatNames([])} />
    <div class="below">
      <${Badge} report=${report} audit=${replay.audit.value} isChecking=${false} check=${null} go=${go} />
      <${DiceView} audit=${replay.audit.value} seatName=${seatNames([])} />
    </div>`;
}
