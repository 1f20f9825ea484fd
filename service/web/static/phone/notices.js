// What calls for the player: said once aloud, and where that was asked for, by vibration or a notice.
import { useEffect, useRef, useState } from "preact/hooks";
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
  const [said, setSaid] = useState("");
  const [missed, setMissed] = useState(/** @type {string[]} */ ([]));
  const known = useRef(/** @type {Set<string>} */ (new Set(keptForSeat(live.stored, "asked") ?? [])));
  const warned = useRef(/** @type {Set<string>} */ (new Set()));
  const hadTurn = useRef(false);
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
  useEffect(() => {
    if (hasTurn && !hadTurn.current) call(setSaid, say("your_turn"));
    hadTurn.current = hasTurn;
  }, [hasTurn]);
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
    <p class="hidden" role="status" id="announced">${said}</p>
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

/**
 * @param {(text: string) => void} tell
 * @param {string} text
 */
function call(tell, text) {
  tell(text);
  if (settings.value.vibrate) navigator.vibrate?.([150, 80, 150]);
  if (settings.value.notify && document.hidden) void notify(text);
}

/** @param {string} text */
async function notify(text) {
  const registration = await navigator.serviceWorker?.getRegistration(WORKER_SCOPE);
  const options = { tag: "warlog", icon: new URL("../icon.svg", import.meta.url).href };
  await registration?.showNotification(text, { ...options, data: location.href });
}

const WORKER = new URL("./worker.js", import.meta.url);
const WORKER_SCOPE = new URL("./", WORKER).href;

export function NoticeSettings() {
  const { vibrate, notify } = settings.value;
  const [refused, setRefused] = useState(false);
  async function ask(/** @type {any} */ event) {
    const wanted = event.target.checked;
    const isGranted = wanted && (await Notification.requestPermission()) === "granted";
    if (isGranted) await navigator.serviceWorker.register(WORKER, { scope: WORKER_SCOPE, type: "module" });
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
