// What calls for the player: said once aloud, and where that was asked for, by vibration or a notice.
import { useEffect, useRef, useState } from "preact/hooks";
import { SERVICE } from "../shell/address.js";
import { html } from "../shell/html.js";
import { keepForSeat, keptForSeat } from "../shell/seats.js";
import { change, settings } from "../shell/settings.js";
import { say } from "../shell/texts.js";
import { deadline, ownQuestions } from "./mine.js";
import { label } from "./wording.js";

/** @typedef {import("./live.js").Live} Live */

const LAST_SECONDS = 10;

/**
 * Announces each question once, its last ten seconds once, the own turn once, and says of a question
 * that was closed without an answer from here.
 *
 * @param {object} props
 * @param {Live} props.live
 * @param {boolean} props.hasTurn
 */
export function Notices({ live, hasTurn }) {
  const [said, setSaid] = useState({ text: "", number: 0 });
  const [missed, setMissed] = useState(/** @type {string[]} */ ([]));
  const known = useRef(/** @type {Set<string>} */ (new Set(keptForSeat(live.stored, "asked") ?? [])));
  const warned = useRef(/** @type {Set<string>} */ (new Set()));
  const turn = useRef(/** @type {unknown} */ (null));
  const questions = ownQuestions(live);
  const isSettled = live.status === "live" && live.tree.value !== null;
  useEffect(() => {
    if (!isSettled) return;
    const open = new Set(live.battle.decisions.map((each) => each.id));
    const fresh = questions.filter((each) => !known.current.has(each));
    const closed = [...known.current].filter((each) => !open.has(each));
    for (const each of closed) known.current.delete(each);
    for (const each of fresh) known.current.add(each);
    const lost = closed.filter((each) => !live.answered.has(each));
    if (lost.length > 0) setMissed((before) => [...before, ...lost]);
    if (fresh.length > 0 || closed.length > 0) keepForSeat(live.stored, "asked", [...known.current]);
    if (fresh.length > 0) call(setSaid, asked(live, fresh));
  });
  // Others may end their turns so quickly that it is the own one again before it was seen to be
  // theirs; and what may be done is known a little later than what happened.
  const round = live.battle.state?.round ?? 0;
  const isKnown = live.tree.value !== null && live.tree.value.version === live.battle.head?.seq;
  useEffect(() => {
    if (!isKnown) return;
    const next = hasTurn ? round : null;
    if (hasTurn && turn.current !== next) call(setSaid, say("your_turn"));
    turn.current = next;
  }, [isKnown, hasTurn, round]);
  useEffect(() => {
    const timer = setInterval(() => {
      for (const each of ownQuestions(live)) {
        const end = deadline(live, each);
        if (!end || end.paused || end.left > LAST_SECONDS || warned.current.has(each)) continue;
        warned.current.add(each);
        call(setSaid, say("ten_seconds"));
      }
    }, 500);
    return () => clearInterval(timer);
  }, [live]);
  return html`
    <p class="hidden" role="status" id="announced"><span key=${said.number}>${said.text}</span></p>
    ${missed.length > 0 && html`<p class="card note" role="alert">${say("missed")}
      <button type="button" class="quiet" onClick=${() => setMissed([])}>${say("understood")}</button></p>`}
  `;
}

/**
 * @param {Live} live
 * @param {string[]} ids
 */
function asked(live, ids) {
  const decision = live.battle.decisions.find((each) => each.id === ids[0]);
  return say("you_are_asked", { what: decision ? label(live, decision.kind) : "" });
}

/** @typedef {{text: string, number: number}} Said numbered, so that the same is said again */

/**
 * @param {(next: (before: Said) => Said) => void} tell
 * @param {string} text
 */
function call(tell, text) {
  tell(({ number }) => ({ text, number: number + 1 }));
  if (settings.value.vibrate) navigator.vibrate?.([150, 80, 150]);
  if (settings.value.notify && document.hidden) {
    // Without a worker there is no notice: what was allowed once may be forbidden by now.
    notify(text).catch((error) => console.debug("warlog", error));
  }
}

/** @param {string} text */
async function notify(text) {
  const icon = new URL("./icon-192.png", import.meta.url).href;
  const options = { tag: "warlog", renotify: true, icon, data: location.href };
  await (await registered()).showNotification(text, options);
}

const WORKER = new URL("./worker.js", import.meta.url);
const WORKER_SCOPE = new URL("./", WORKER).href;

/**
 * The worker that shows notices, once it runs. It is asked for each time, since that of another
 * release of the service is another one; those are let go.
 */
async function registered() {
  const { serviceWorker } = navigator;
  const registration = await serviceWorker.register(WORKER, { scope: WORKER_SCOPE, type: "module" });
  for (const each of await serviceWorker.getRegistrations()) {
    if (each.scope !== WORKER_SCOPE && each.scope.startsWith(`${SERVICE}/web/`)) void each.unregister();
  }
  const worker = registration.active ?? registration.waiting ?? registration.installing;
  while (worker && !["activated", "redundant"].includes(worker.state)) {
    await new Promise((resolve) => worker.addEventListener("statechange", resolve, { once: true }));
  }
  return registration;
}

export function NoticeSettings() {
  const { vibrate, notify } = settings.value;
  const [refused, setRefused] = useState(false);
  async function ask(/** @type {any} */ event) {
    const wanted = event.target.checked;
    const isGranted = wanted && (await Notification.requestPermission()) === "granted";
    if (isGranted) await registered();
    setRefused(wanted && !isGranted);
    change({ notify: isGranted });
  }
  const canNotify = window.isSecureContext && "Notification" in window && "serviceWorker" in navigator;
  return html`
    ${"vibrate" in navigator && html`<label>${say("vibrate")}
      <input type="checkbox" checked=${vibrate} onChange=${(/** @type {any} */ e) => change({ vibrate: e.target.checked })} /></label>`}
    <label>${say("notify")}
      <input type="checkbox" checked=${notify} disabled=${!canNotify} onChange=${ask} /></label>
    ${!canNotify && html`<p class="faint">${say("only_https")}</p>`}
    ${refused && html`<p class="note">${say("notify_refused")}</p>`}
  `;
}
