// "Continue on another device": a code that a seat makes for itself, to be scanned or typed there.
import { useState } from "preact/hooks";
import { html } from "../shell/html.js";
import { Problem } from "../shell/problem.js";
import { QrCode } from "../shell/qr_code.js";
import { say } from "../shell/texts.js";

/** @param {{live: import("./live.js").Live}} props */
export function OtherDevice({ live }) {
  const [invitation, setInvitation] = useState(/** @type {import("warlog").Invitation | null} */ (null));
  const [error, setError] = useState(/** @type {any} */ (null));
  async function invite() {
    setError(null);
    try {
      setInvitation(await live.followed.addDevice());
    } catch (problem) {
      setError(problem);
    }
  }
  return html`
    <button type="button" class="quiet wide" onClick=${invite}>${say("other_device")}</button>
    <${Problem} error=${error} />
    ${invitation && html`<div role="status"><p>${say("other_device_code")} <b class="ownCode">${invitation.code}</b></p>
      <${QrCode} text=${invitation.link} /></div>`}
  `;
}
