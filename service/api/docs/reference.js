// Shows the OpenAPI document of the rulebook that is chosen, and keeps the choice in the address.
import SwaggerUI from "swagger-ui-dist/swagger-ui-bundle.js";
import "swagger-ui-dist/swagger-ui.css";
import "./docs.css";
import "./reference.css";

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

/** The calls that have every word somewhere in what is shown of them. */
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

/** What a reference within the document names. */
function named(document, reference) {
  const steps = reference.slice(2).split("/");
  return steps.reduce((part, step) => part?.[step.replaceAll("~1", "/").replaceAll("~0", "~")], document);
}

/** A part of the document with what its references name in their place, but for circles. */
function inlined(document, part, above = []) {
  if (Array.isArray(part)) return part.map((each) => inlined(document, each, above));
  if (part === null || typeof part !== "object") return part;
  const { $ref: reference, ...own } = part;
  const within = Object.entries(own).map(([name, each]) => [name, inlined(document, each, above)]);
  const whole = Object.fromEntries(within);
  if (typeof reference !== "string") return whole;
  if (above.includes(reference)) return { ...whole, $ref: reference };
  return { ...inlined(document, named(document, reference), [...above, reference]), ...whole };
}

/**
 * In place of the renderer's own way, which walks the whole document several times for each call
 * that is opened: all that ours refers to is within it.
 */
async function resolveSubtree(document, path) {
  const part = path.reduce((whole, step) => whole?.[step], document);
  return { spec: inlined(document, part) ?? null, errors: [] };
}

const shown = SwaggerUI({
  url: `/docs/${rulebook.value}.openapi.json`,
  domNode: document.getElementById("reference"),
  deepLinking: true,
  defaultModelRendering: "model",
  defaultModelsExpandDepth: -1,
  filter: true,
  plugins: [{ fn: { opsFilter: withEveryWord, resolveSubtree } }],
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
