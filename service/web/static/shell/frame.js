// What all pages share around their content: the title, the seat's name, the state of the
// connection, language and theme.
import { render } from "preact";
import { html } from "./html.js";
import { change, LANGUAGES, settings, THEMES } from "./settings.js";
import { addTexts, say } from "./texts.js";
import en from "../texts/en/shell.js";
import ru from "../texts/ru/shell.js";

addTexts(en, ru);

const NAMES = { en: "English", ru: "Русский" };

/** @typedef {import("./html.js").Children} Children */

/**
 * @param {object} props
 * @param {string} props.title
 * @param {string} [props.seat] the name of the seat that this page is
 * @param {Children} [props.tools] further controls next to language and theme
 * @param {Children} [props.banner]
 * @param {Children} [props.children]
 */
export function Frame({ title, seat, tools, banner, children }) {
  document.title = seat ? `${seat} · ${title}` : title;
  return html`
    <a class="skip" href="#content" onClick=${skip}>${say("skip")}</a>
    <header class="frame">
      <h1>${title}</h1>
      ${seat && html`<p class="seat"><span class="hidden">${say("your_seat")}</span> <bdi>${seat}</bdi></p>`}
      <details class="menu">
        <summary aria-label=${say("settings")} title=${say("settings")}>☰</summary>
        <div class="sheet">${tools}<${Choices} /></div>
      </details>
    </header>
    ${banner}
    <main id="content" tabindex="-1">${children}</main>
  `;
}

/** @param {MouseEvent} event */
function skip(event) {
  event.preventDefault();
  document.getElementById("content")?.focus();
}

function Choices() {
  const { language, theme } = settings.value;
  return html`
    <label>${say("language")}
      <select value=${language} onChange=${(/** @type {any} */ e) => change({ language: e.target.value })}>
        ${LANGUAGES.map((each) => html`<option value=${each} selected=${each === language} lang=${each}>${NAMES[each]}</option>`)}
      </select>
    </label>
    <label>${say("theme")}
      <select value=${theme} onChange=${(/** @type {any} */ e) => change({ theme: e.target.value })}>
        ${THEMES.map((each) => html`<option value=${each} selected=${each === theme}>${say(`theme_${each}`)}</option>`)}
      </select>
    </label>
  `;
}

/**
 * Show a page.
 *
 * @param {() => any} Page a component
 */
export function show(Page) {
  const place = document.getElementById("page");
  if (place) render(html`<${Page} />`, place);
}
