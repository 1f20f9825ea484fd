// An address as a picture for a phone's camera. The library is loaded with the first one.
import { useEffect, useState } from "preact/hooks";
import { html } from "./html.js";
import { say } from "./texts.js";

const QUIET = 4;

/** @param {{text: string}} props */
export function QrCode({ text }) {
  const [modules, setModules] = useState(/** @type {boolean[][]} */ ([]));
  useEffect(() => {
    let isCurrent = true;
    void modulesOf(text).then((found) => { if (isCurrent) setModules(found); });
    return () => { isCurrent = false; };
  }, [text]);
  if (modules.length === 0) return null;
  const size = modules.length + 2 * QUIET;
  const path = modules.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x + QUIET} ${y + QUIET}h1v1h-1z` : ""))).join("");
  return html`<svg class="qr" role="img" aria-label=${say("qr_code")} viewBox=${`0 0 ${size} ${size}`}>
    <rect width=${size} height=${size} fill="#fff" /><path d=${path} fill="#000" /></svg>`;
}

/** @param {string} text @returns {Promise<boolean[][]>} rows of dark modules */
async function modulesOf(text) {
  const { default: qrcode } = await import("qrcode-generator");
  const code = qrcode(0, "M");
  code.addData(text);
  code.make();
  const count = code.getModuleCount();
  return Array.from({ length: count }, (_, y) => Array.from({ length: count }, (_, x) => code.isDark(y, x)));
}
