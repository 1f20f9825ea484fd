// What a person chose for this browser. It is kept in local storage where that works, else for as
// long as the page is open.
import { effect, signal } from "@preact/signals";
import { kept, keep } from "./storage.js";

const KEY = "warlog.settings";

/** @typedef {"en" | "ru"} Language */
/** @typedef {"auto" | "light" | "dark"} Theme */
/** @typedef {{language: Language, theme: Theme, vibrate: boolean, notify: boolean}} Settings */

/** @type {readonly Language[]} */
export const LANGUAGES = ["en", "ru"];
/** @type {readonly Theme[]} */
export const THEMES = ["auto", "light", "dark"];

/** @returns {Language} the first language of the browser that is one of ours, else English */
function preferredLanguage() {
  for (const tag of navigator.languages ?? []) {
    const found = LANGUAGES.find((each) => each === tag.slice(0, 2).toLowerCase());
    if (found) return found;
  }
  return "en";
}

/** @returns {Settings} */
function initial() {
  /** @type {Partial<Settings>} */
  const before = kept(KEY) ?? {};
  return {
    language: LANGUAGES.find((each) => each === before.language) ?? preferredLanguage(),
    theme: THEMES.find((each) => each === before.theme) ?? "auto",
    vibrate: before.vibrate === true,
    notify: before.notify === true,
  };
}

export const settings = signal(initial());

/** @param {Partial<Settings>} changed */
export function change(changed) {
  settings.value = { ...settings.value, ...changed };
  keep(KEY, settings.value);
}

effect(() => {
  const root = document.documentElement;
  root.lang = settings.value.language;
  if (settings.value.theme === "auto") root.removeAttribute("data-theme");
  else root.dataset["theme"] = settings.value.theme;
});
