// The faces that a rule asks of the game master, where the table rolls its own dice.
import { useState } from "preact/hooks";
import { html } from "../shell/html.js";
import { say } from "../shell/texts.js";
import { word } from "./words.js";

/** @typedef {{purpose: string, sides: number, missing: number}} Wanted dice that a refusal names */

/** @param {{wanted: Wanted, roll: (faces: number[]) => void, leave: () => void}} props */
export function TableDice({ wanted, roll, leave }) {
  const { purpose, sides, missing } = wanted;
  const [faces, setFaces] = useState(/** @type {string[]} */ (Array(missing).fill("")));
  const send = (/** @type {Event} */ e) => {
    e.preventDefault();
    roll(faces.map(Number));
  };
  return html`<form class="note" onSubmit=${send}>
    <p>${say("dice_wanted", { n: missing, sides, purpose: word(purpose) })}</p>
    <div class="row">${faces.map((face, at) => html`<label>${say("die_n", { n: at + 1 })}
      <input type="number" inputmode="numeric" min="1" max=${sides} step="1" required value=${face}
        onInput=${(/** @type {any} */ e) => setFaces(faces.map((each, i) => (i === at ? e.target.value : each)))} /></label>`)}</div>
    <div class="row"><button class="main">${say("faces_are")}</button>
      <button type="button" class="quiet" onClick=${leave}>${say("put_away")}</button></div>
  </form>`;
}
