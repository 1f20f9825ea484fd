// Overruling at the game master's desk: what is changed, in any ruleset, and the reason for the log.
import { useId, useState } from "preact/hooks";
import { html } from "../shell/html.js";
import { Problem } from "../shell/problem.js";
import { addTexts, say } from "../shell/texts.js";
import en from "../texts/en/overrule.js";
import ru from "../texts/ru/overrule.js";
import { changeOf, changesIn, onlyOf, presentOf, thingsOf } from "./change_schema.js";
import { word } from "./words.js";

addTexts(en, ru);

/** @typedef {import("./change_schema.js").Field} Field */
/** @typedef {import("./change_schema.js").Kind} Kind */
/** @typedef {{kinds: Kind[]}} Book what a rulebook lets overrule */
/** @typedef {{type: string, stated: Record<string, any>}} Drafted */

/**
 * @param {object} props
 * @param {import("warlog").Warlog} props.warlog
 * @param {import("warlog").Battle} props.battle
 * @param {any} props.now the battle as the game master was shown it
 * @param {string | null} props.chosen the combatant that is chosen on the map
 * @param {(does: () => Promise<unknown>) => Promise<boolean>} props.act
 */
export function Overrule({ warlog, battle, now, chosen, act }) {
  const [book, setBook] = useState(/** @type {Book | null} */ (null));
  const [error, setError] = useState(/** @type {any} */ (null));
  const [open, setOpen] = useState(false);
  const opened = (/** @type {any} */ e) => {
    setOpen(e.target.open);
    if (e.target.open && !book) bookOf(warlog, now).then(setBook, setError);
  };
  return html`<details class="overrule" open=${open} onToggle=${opened}><summary>${say("overrule")}</summary>
    <${Problem} error=${error} />
    ${book ? html`<${Form} ...${{ book, battle, now, chosen, act }} />` : !error && html`<p class="faint">${say("reading")}</p>`}
  </details>`;
}

/** @param {import("warlog").Warlog} warlog @param {any} now @returns {Promise<Book>} */
async function bookOf(warlog, { ruleset, version }) {
  const told = await warlog.rulesetSchema(ruleset, { version });
  return { kinds: changesIn(told.schema) };
}

/** @param {{book: Book, battle: import("warlog").Battle, now: any, chosen: string | null, act: import("./desk.js").Act}} props */
function Form({ book, battle, now, chosen, act }) {
  const { state } = now;
  const first = chosen ?? state.combatants[0]?.id;
  /** @returns {Drafted} */
  const blank = () => ({ type: book.kinds[0]?.type ?? "", stated: { combatant: first } });
  const [drafts, setDrafts] = useState(() => [blank()]);
  const [reason, setReason] = useState("");
  const [faces, setFaces] = useState("");
  const kindOf = (/** @type {Drafted} */ { type }) => /** @type {Kind} */ (book.kinds.find((each) => each.type === type));
  const replaced = (/** @type {number} */ at, /** @type {Drafted} */ draft) => setDrafts(drafts.map((each, i) => (i === at ? draft : each)));
  const send = async (/** @type {Event} */ e) => {
    e.preventDefault();
    const changes = drafts.map((each) => changeOf(state, kindOf(each), each.stated));
    const dice = faces.match(/\d+/g)?.map(Number);
    await act(async (asked) => {
      const all = [...(dice ?? []), ...(asked.dice ?? [])];
      await battle.act({ type: "adjust", changes, reason }, all.length > 0 ? { dice: all } : {});
      setDrafts([blank()]);
      setReason("");
      setFaces("");
    });
  };
  return html`<form onSubmit=${send}>
    ${drafts.map((each, at) => html`<${Change} ...${{ book, state, draft: each, kind: kindOf(each), number: at + 1 }}
      change=${(/** @type {Drafted} */ draft) => replaced(at, draft)} />`)}
    <div class="row"><button type="button" class="quiet" onClick=${() => setDrafts([...drafts, blank()])}>${say("another_change")}</button>
      ${drafts.length > 1 && html`<button type="button" class="quiet" onClick=${() => setDrafts(drafts.slice(0, -1))}>${say("without_last")}</button>`}</div>
    <label>${say("reason")}<input class="long" required maxlength="2000" value=${reason} onInput=${(/** @type {any} */ e) => setReason(e.target.value)} /></label>
    ${state.dice === "supplied" && html`<label>${say("faces_if_asked")}<input inputmode="numeric" value=${faces} onInput=${(/** @type {any} */ e) => setFaces(e.target.value)} /></label>`}
    <button class="main">${say("overrule_now")}</button>
  </form>`;
}

/** @param {{book: Book, state: any, draft: Drafted, kind: Kind, number: number, change: (draft: Drafted) => void}} props */
function Change({ book, state, draft, kind, number, change }) {
  const { type, stated } = draft;
  const restated = (/** @type {string} */ name, /** @type {any} */ value) => change({ type, stated: { ...stated, [name]: value } });
  const turned = (/** @type {any} */ e) => change({ type: e.target.value, stated: { combatant: stated["combatant"] } });
  return html`<fieldset><legend>${say("change_n", { n: number })}</legend>
    <label>${say("what_changes")}<select value=${type} onChange=${turned}>
      ${book.kinds.map((each) => html`<option value=${each.type} selected=${each.type === type}>${say(`change_${each.type}`)}</option>`)}</select></label>
    ${kind.fields.map((field) => html`<${Input} key=${`${type} ${field.name}`} ...${{ state, field, stated }}
      value=${stated[field.name] ?? presentOf(state, type, field, stated) ?? onlyOf(field)}
      change=${(/** @type {any} */ value) => restated(field.name, value)} />`)}
  </fieldset>`;
}

/** @typedef {{state: any, field: Field, stated: Record<string, any>, value: any, change: (value: any) => void}} InputProps */

/** @param {InputProps} props */
function Input(props) {
  const { field, value, change } = props;
  const label = say(`field_${field.name}`);
  if (field.form === "place") return html`<${Place} ...${props} />`;
  if (field.form === "yes") {
    return html`<label class="row"><input type="checkbox" checked=${Boolean(value)} onChange=${(/** @type {any} */ e) => change(e.target.checked)} /> ${label}</label>`;
  }
  if (field.form === "number") return html`<label>${label}<${Whole} ...${{ field, value, change }} /></label>`;
  if (field.form === "thing" || field.form === "text") return html`<${Text} ...${props} label=${label} />`;
  return html`<label>${label}<${Choice} ...${props} /></label>`;
}

/** @param {InputProps} props */
function Choice({ state, field, value, change }) {
  const options = optionsOf(state, field);
  return html`<select required=${field.required} value=${value ?? ""} onChange=${(/** @type {any} */ e) => change(e.target.value)}>
    ${(!field.required || value === undefined) && html`<option value="">${say(field.required ? "choose" : "left_out")}</option>`}
    ${options.map(([id, text]) => html`<option value=${id} selected=${id === value}>${text}</option>`)}</select>`;
}

/** @param {any} state @param {Field} field @returns {[string, string][]} value and text */
function optionsOf(state, field) {
  if (field.form === "word") return (field.words ?? []).map((each) => [each, word(each)]);
  const list = field.form === "side" ? state.sides : state.combatants;
  return list.map((/** @type {any} */ each) => [each.id, each.name ?? each.id]);
}

/** @param {{field: Field, value: any, change: (value: any) => void}} props */
function Whole({ field, value, change }) {
  return html`<input type="number" step="1" min=${field.min} max=${field.max} required=${field.required} value=${value ?? ""}
    onInput=${(/** @type {any} */ e) => change(e.target.value === "" ? undefined : Number(e.target.value))} />`;
}

/** @param {InputProps} props */
function Place({ field, value, change }) {
  const here = value ?? {};
  const moved = (/** @type {string} */ name, /** @type {any} */ at) => {
    const rest = Object.entries({ ...here, [name]: at }).filter(([, each]) => each !== undefined);
    change(rest.length > 0 ? Object.fromEntries(rest) : undefined);
  };
  const isAsked = field.required || value !== undefined;
  return html`<div class="row" role="group" aria-label=${say(`field_${field.name}`)}><span>${say(`field_${field.name}`)}</span>
    ${(field.parts ?? []).map((part) => html`<label>${say(`field_${part.name}`)}
      <${Whole} field=${{ ...part, required: part.required && isAsked }} value=${here[part.name]} change=${(/** @type {any} */ at) => moved(part.name, at)} /></label>`)}</div>`;
}

/** @param {InputProps & {label: string}} props */
function Text({ state, field, stated, value, change, label }) {
  const id = useId();
  const things = field.form === "thing" ? thingsOf(state, stated["combatant"]) : [];
  return html`<label>${label}<input list=${id} maxlength=${field.longest} required=${field.required} value=${value ?? ""} autocomplete="off"
      onInput=${(/** @type {any} */ e) => change(e.target.value)} /></label>
    <datalist id=${id}>${things.map((each) => html`<option value=${each}></option>`)}</datalist>`;
}
