"use strict";

// Shows the OpenAPI document of the rulebook that is chosen, and keeps the choice in the address.

const rulebook = document.getElementById("rulebook");
const asked = new URLSearchParams(location.search).get("ruleset");
if ([...rulebook.options].some((option) => option.value === asked)) rulebook.value = asked;
rulebook.addEventListener("change", () => {
  const address = new URL(location.href);
  address.searchParams.set("ruleset", rulebook.value);
  location.assign(address);
});

const dark = matchMedia("(prefers-color-scheme: dark)");
const paint = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", paint);
paint();

/** The calls that have every word somewhere in what is told of them. */
function withEveryWord(tagged, phrase) {
  const words = phrase.toLowerCase().split(/\s+/).filter(Boolean);
  const told = (tag, call) =>
    [
      tag,
      call.get("method"),
      call.get("path"),
      ...["operationId", "summary", "description"].map((name) => call.getIn(["operation", name])),
    ]
      .join(" ")
      .toLowerCase();
  return tagged
    .map((group, tag) =>
      group.update("operations", (calls) =>
        calls.filter((call) => words.every((word) => told(tag, call).includes(word))),
      ),
    )
    .filter((group) => group.get("operations").size > 0);
}

const shown = SwaggerUIBundle({
  url: `/docs/${rulebook.value}.openapi.json`,
  domNode: document.getElementById("reference"),
  deepLinking: true,
  defaultModelRendering: "model",
  defaultModelsExpandDepth: -1,
  filter: true,
  plugins: [{ fn: { opsFilter: withEveryWord } }],
  requestInterceptor: (request) => {
    request.headers = { ...request.headers, "Accept-Language": document.documentElement.lang };
    return request;
  },
});

// A link to a call on this page: the renderer itself follows none once it is there.
addEventListener("hashchange", () => {
  shown.layoutActions.parseDeepLinkHash(location.hash);
  const [tag, call] = location.hash.slice(2).split("/");
  document.getElementById(`operations-${tag}-${call}`)?.scrollIntoView();
});
