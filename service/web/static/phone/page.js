// The phone: an invitation becomes a seat, and the seat sits at the table, without another page in
// between.
import "../shell/shell.css";
import "../scene/scene.css";
import "./phone.css";
import { useState } from "preact/hooks";
import { show } from "../shell/frame.js";
import { html } from "../shell/html.js";
import { addTexts } from "../shell/texts.js";
import en from "../texts/en/phone.js";
import ru from "../texts/ru/phone.js";
import { Join } from "./join.js";
import { Play } from "./play.js";

addTexts(en, ru);

/** @param {string} address */
const isTable = (address) => new URL(address, location.href).pathname.endsWith("/play");

function Phone() {
  const [atTable, setAtTable] = useState(isTable(location.href));
  /** @param {string} address where a seat leads to */
  function sitDown(address) {
    if (!isTable(address)) return location.replace(address);
    history.replaceState(null, "", address);
    setAtTable(true);
  }
  return atTable ? html`<${Play} />` : html`<${Join} onSeat=${sitDown} />`;
}

show(Phone);
