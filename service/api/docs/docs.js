"use strict";

// Shows /openapi.json and lets every call be tried. Text only ever enters the page as text.

const DEEPEST = 12;
let contract = null;

function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== false && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

function resolve(object) {
  if (!object || !object.$ref) return object;
  return object.$ref.slice(2).split("/").reduce((node, step) => node[step], contract);
}

function nameOf(schema) {
  return schema && schema.$ref ? schema.$ref.split("/").pop() : "";
}

function kindOf(schema) {
  if (!schema) return "anything";
  if (schema.$ref) return nameOf(schema);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.type === "array") return "list of " + kindOf(schema.items);
  const union = schema.oneOf || schema.anyOf;
  if (union) return union.map(kindOf).join(" | ");
  const bounds = ["minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "pattern"]
    .filter((name) => schema[name] !== undefined)
    .map((name) => name + " " + schema[name]);
  const base = schema.type || "anything";
  const given = schema.default !== undefined ? "default " + JSON.stringify(schema.default) : "";
  const facts = [...bounds, given].filter(Boolean).join(", ");
  return facts ? base + " (" + facts + ")" : base;
}

// A schema opens only when it is asked for: unions of actions refer to one another deeply.
// What a property means stands beside it; what the type it refers to means, within.
function showSchema(schema, title, depth) {
  const whole = resolve(schema);
  const union = whole && (whole.oneOf || whole.anyOf);
  const inner = whole && whole.type === "array" ? whole.items : null;
  const own = schema && schema.description;
  const target = whole && whole !== schema && whole.description !== own ? whole.description : null;
  const beside = (text) => text ? make("span", { class: "faint" }, " " + text) : null;
  if (depth > DEEPEST || !whole || (!whole.properties && !union && !inner)) {
    return make("div", { class: "schema" }, title + ": ", make("code", {}, kindOf(schema)), beside(own || target));
  }
  const box = make("details", { class: "schema" },
    make("summary", {}, title + ": ", make("code", {}, nameOf(schema) || kindOf(schema)), beside(own)));
  box.addEventListener("toggle", () => {
    if (!box.open || box.dataset.filled) return;
    box.dataset.filled = "yes";
    if (target) box.append(make("p", { class: "faint" }, target));
    if (union) union.forEach((each) => box.append(showSchema(each, "either", depth + 1)));
    else if (inner) box.append(showSchema(inner, "each", depth + 1));
    else {
      const needed = new Set(whole.required || []);
      for (const [name, field] of Object.entries(whole.properties)) {
        box.append(showSchema(field, name + (needed.has(name) ? " (required)" : ""), depth + 1));
      }
    }
  });
  return box;
}

// A key of its own for every request that was answered well; a failed one is sent again under its key.
function freshKey() {
  return "docs-" + Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function showParameters(parameters, inputs) {
  if (!parameters.length) return null;
  const rows = parameters.map((parameter) => {
    const field = make("input", { "aria-label": parameter.name });
    if (parameter.name === "Idempotency-Key") field.value = freshKey();
    inputs.push({ parameter, field });
    return make("tr", {},
      make("td", {}, make("code", {}, parameter.name), make("div", { class: "faint" }, parameter.in + (parameter.required ? ", required" : ""))),
      make("td", {}, parameter.description || "", make("div", { class: "faint" }, kindOf(parameter.schema))),
      make("td", {}, field));
  });
  return make("table", {}, ...rows);
}

function showBody(operation) {
  if (!operation.requestBody) return { parts: [], read: () => undefined };
  const content = operation.requestBody.content["application/json"];
  const field = make("textarea", { "aria-label": "body", spellcheck: "false" });
  const examples = Object.entries(content.examples || {});
  const choice = make("select", { "aria-label": "example" },
    ...examples.map(([name, example]) => make("option", { value: name }, example.summary || name)));
  const fill = () => {
    const example = (content.examples || {})[choice.value];
    if (example) field.value = JSON.stringify(example.value, null, 2);
  };
  choice.addEventListener("change", fill);
  fill();
  return {
    parts: [showSchema(content.schema, "body", 0), examples.length ? choice : null, field],
    read: () => field.value,
  };
}

async function send(method, path, inputs, body, output) {
  let address = path;
  const query = new URLSearchParams();
  const headers = { "Accept-Language": document.getElementById("language").value };
  const token = document.getElementById("token").value.trim();
  if (token) headers.Authorization = "Bearer " + token;
  for (const { parameter, field } of inputs) {
    const value = field.value.trim();
    if (parameter.in === "path") address = address.replace("{" + parameter.name + "}", encodeURIComponent(value));
    else if (value && parameter.in === "query") query.set(parameter.name, value);
    else if (value) headers[parameter.name] = value;
  }
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (query.size) address += "?" + query;
  output.textContent = method + " " + address;
  try {
    const answer = await fetch(address, { method, headers, body });
    const text = await answer.text();
    let shown = text;
    try { shown = JSON.stringify(JSON.parse(text), null, 2); } catch { /* lines or plain text */ }
    const told = [...answer.headers].map(([name, value]) => name + ": " + value).join("\n");
    if (answer.ok) inputs.filter(({ parameter }) => parameter.name === "Idempotency-Key").forEach(({ field }) => { field.value = freshKey(); });
    output.textContent = method + " " + address + "\n" + answer.status + " " + answer.statusText + "\n" + told + "\n\n" + shown;
  } catch (error) {
    output.textContent += "\n" + error;
  }
}

function showResponses(operation) {
  const rows = Object.entries(operation.responses).map(([status, given]) => {
    const response = resolve(given);
    const kinds = Object.entries(response.content || {})
      .map(([type, content]) => showSchema(content.schema, type, 0));
    return make("tr", {}, make("td", {}, status), make("td", {}, response.description, ...kinds));
  });
  return make("table", {}, ...rows);
}

function showCall(path, method, operation) {
  const inputs = [];
  const output = make("pre", {});
  const body = showBody(operation);
  return make("details", { class: "call", id: operation.operationId },
    make("summary", {}, make("span", { class: "method" }, method), make("code", {}, path), " ", operation.summary),
    operation.description ? make("p", {}, operation.description) : null,
    showParameters((operation.parameters || []).map(resolve), inputs),
    ...body.parts,
    make("p", {}, make("button", { type: "button", onclick: () => send(method, path, inputs, body.read(), output) }, "Send")),
    output,
    showResponses(operation));
}

async function start() {
  const place = document.getElementById("calls");
  try {
    contract = await (await fetch("/openapi.json")).json();
  } catch (error) {
    place.textContent = "Cannot read /openapi.json: " + error;
    return;
  }
  document.getElementById("summary").textContent = contract.info.description;
  place.replaceChildren();
  for (const tag of contract.tags) {
    place.append(make("h2", {}, tag.description));
    for (const [path, methods] of Object.entries(contract.paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        if (operation.tags.includes(tag.name)) place.append(showCall(path, method.toUpperCase(), operation));
      }
    }
  }
  const wanted = document.getElementById(location.hash.slice(1));
  if (wanted) { wanted.open = true; wanted.scrollIntoView(); }
}

start();
