// The search of the documentation: one box on every page, over all of them and over all calls.
//
// The index is fetched, and made, when somebody comes to the box. A word is found by its stem and by
// how it begins; where nothing is found so, words that are spelt almost so are looked for.

const TEXTS = {
  en: {
    label: "Search the documentation",
    loading: "The index is on its way …",
    failed: "The index could not be fetched. Try again.",
    none: (phrase) => `Nothing is found for “${phrase}”.`,
    count: (shown, all) =>
      all > shown ? `${all} places, the best ${shown}:` : all === 1 ? "1 place:" : `${all} places:`,
  },
  ru: {
    label: "Поиск по документации",
    loading: "Указатель загружается…",
    failed: "Указатель загрузить не удалось. Попробуйте ещё раз.",
    none: (phrase) => `По запросу «${phrase}» ничего не найдено.`,
    count: (shown, all) => (all > shown ? `Найдено: ${all}, лучшие ${shown}:` : `Найдено: ${all}`),
  },
};
const MOST = 12;
const AROUND = 90;
const REFERENCE = "/docs";
const language = document.documentElement.lang === "ru" ? "ru" : "en";
const texts = TEXTS[language];

const form = document.createElement("form");
form.className = "search";
form.setAttribute("role", "search");
const label = document.createElement("label");
label.textContent = texts.label;
const box = document.createElement("input");
box.type = "search";
box.autocomplete = "off";
box.maxLength = 100;
label.append(box);
const status = document.createElement("p");
status.setAttribute("role", "status");
const list = document.createElement("ol");
list.setAttribute("aria-label", texts.label);
form.append(label, status, list);
(document.querySelector("header") ?? document.querySelector("main")).prepend(form);

let making;
let isReady = false;

/** The index, fetched once; after a failure it is fetched again. */
function index() {
  making ??= make().catch((error) => {
    making = undefined;
    throw error;
  });
  return making;
}

async function make() {
  const [{ indexOf }, answer] = await Promise.all([
    import("./search_index.js"),
    fetch(`/docs/search.${language}.json`),
  ]);
  if (!answer.ok) throw new Error(String(answer.status));
  const searched = indexOf(await answer.json());
  isReady = true;
  return searched;
}

/** The hits of a phrase, best first. */
function hits(searched, phrase) {
  const exact = searched.search(phrase);
  return exact.length ? exact : searched.search(phrase, { fuzzy: 0.3 });
}

/** What is around the first word of the text that was found. */
function excerpt(hit) {
  const terms = hit.terms.filter((term) => term.length > 1);
  const text = hit.text.toLowerCase().replaceAll("ё", "е");
  const places = terms.map((term) => text.indexOf(term)).filter((place) => place >= 0);
  const from = Math.max(0, Math.min(...places, text.length) - AROUND / 2);
  const begin = places.length && from > 0 ? hit.text.indexOf(" ", from) + 1 : 0;
  const rest = hit.text.slice(begin);
  const told = rest.length > 2 * AROUND ? `${rest.slice(0, rest.lastIndexOf(" ", 2 * AROUND))} …` : rest;
  return begin > 0 ? `… ${told}` : told;
}

function entry(hit) {
  const item = document.createElement("li");
  const link = document.createElement("a");
  const isCallHere = location.pathname === REFERENCE && hit.id.startsWith(`${REFERENCE}#`);
  link.href = isCallHere ? hit.id.replace("#", `${location.search}#`) : hit.id;
  link.textContent = hit.title;
  const page = document.createElement("span");
  page.className = "faint";
  page.textContent = hit.page === hit.title ? "" : ` · ${hit.page}`;
  const told = document.createElement("p");
  told.textContent = excerpt(hit);
  item.append(link, page, told);
  return item;
}

async function search() {
  const phrase = box.value.trim();
  if (!phrase) return show("", []);
  let searched;
  try {
    if (!isReady) show(texts.loading, []);
    searched = await index();
  } catch {
    return show(texts.failed, []);
  }
  if (phrase !== box.value.trim()) return;
  const found = hits(searched, phrase);
  const shown = found.slice(0, MOST);
  show(found.length ? texts.count(shown.length, found.length) : texts.none(phrase), shown);
}

function show(said, found) {
  status.textContent = said;
  list.replaceChildren(...found.map(entry));
}

/** Go a link further or back; before the first one is the box. */
function step(by) {
  const places = [box, ...list.querySelectorAll("a")];
  const at = places.indexOf(document.activeElement) + by;
  places[Math.max(0, Math.min(at, places.length - 1))].focus();
}

box.addEventListener("focus", () => index().catch(() => {}), { once: true });
box.addEventListener("input", search);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  list.querySelector("a")?.click();
});
form.addEventListener("keydown", (event) => {
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    step(event.key === "ArrowDown" ? 1 : -1);
  } else if (event.key === "Escape") {
    box.value = "";
    show("", []);
    box.focus();
  }
});
document.addEventListener("keydown", (event) => {
  const isTyped = event.target.closest("input, textarea, select, [contenteditable]");
  if (event.key !== "/" || isTyped || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  box.focus();
});
list.addEventListener("click", (event) => {
  if (!event.target.closest("a")) return;
  show("", []);
  box.value = "";
});
