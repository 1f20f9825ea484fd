// A bundle as a source of a replay: the service judges it and tells what its viewer saw; the events
// are read here.
import { readBundle } from "warlog";

const INCLUDED = "verdict,state,scene,narration";

export class BundleFile {
  /** @param {import("warlog").Warlog} warlog @param {File} file */
  constructor(warlog, file) {
    this.warlog = warlog;
    this.file = file;
    this.isFile = true;
    /** @type {any[]} */
    this.records = [];
    /** @type {any} */
    this.report = null;
    /** @type {Map<string, any>} */
    this.rules = new Map();
  }

  /**
   * Send it to be judged. Throws WarlogProblem, also where the file is no bundle.
   *
   * @param {"en" | "ru"} language
   * @param {(events: number) => void} progressed
   */
  async read(language, progressed) {
    /** @type {any[]} */
    const told = [];
    for await (const record of this.warlog.auditRecords(this.file, { include: INCLUDED, keys: "own" })) {
      if (record.type === "event") told.push(record);
      if (record.type === "report") this.report = record.report;
      if (record.type === "problem") throw Object.assign(new Error(record.problem.detail), record.problem);
      progressed(told.length);
    }
    let i = 0;
    for await (const event of readBundle(this.file)) {
      const view = told[i]?.views?.[0] ?? {};
      this.records.push({ ...event, narration: view.narration ?? "", view, verdict: told[i]?.verdict, undone_by: undefined });
      i += 1;
    }
    for (const verdict of this.report?.verdicts ?? []) {
      const record = this.records[verdict.seq - 1];
      if (record && verdict.undone_by !== undefined) record.undone_by = verdict.undone_by;
    }
    if (this.report) {
      const { ruleset, version } = this.report;
      const book = await this.warlog.ruleset(ruleset, { version }).catch(() => null);
      for (const rule of book?.rules ?? []) this.rules.set(rule.id, { ...rule, text: rule[language] });
    }
    return this;
  }

  /** @param {number} after */
  async page(after) {
    return { events: this.records.slice(after), head: this.records.length };
  }

  /** @param {number} seq */
  async scene(seq) {
    return this.records[seq - 1]?.view.scene ?? null;
  }

  /** @param {number} seq */
  async state(seq) {
    return this.records[seq - 1]?.view.state ?? null;
  }

  async audit() {
    return this.report;
  }

  forgetExplanations() {}

  /** What the bundle itself tells of an event. @param {number} seq */
  async explain(seq) {
    const record = this.records[seq - 1];
    const event = record?.seen ?? record?.event ?? {};
    return {
      by: event.by?.seat ?? event.by?.kind ?? "",
      narration: record?.narration ?? "",
      effects: (event.effects ?? []).map((/** @type {any} */ each) => this.#explained(each)),
      dice: { draws: event.draws ?? [], blocks: [], note: "" },
      remarks: [],
    };
  }

  /** @param {any} effect */
  #explained(effect) {
    const modifiers = breakdownsOf(effect).map(({ path, line }) => ({
      path,
      amount: line.amount ?? 0,
      rule: { id: line.rule, text: this.rules.get(line.rule)?.text ?? "" },
      suppressed: line.amount === 0 && line.note !== undefined,
      note: line.note?.replaceAll("_", " "),
    }));
    const rules = effect.rule ? [{ id: effect.rule, text: this.rules.get(effect.rule)?.text ?? "" }] : [];
    const title = modifiers.length > 0 || rules.length > 0 ? String(effect.type).replaceAll("_", " ") : "";
    return { type: effect.type, sentence: title, facts: [], modifiers, rules };
  }
}

/** Every line of every breakdown of an effect. @param {any} value @returns {{path: string, line: any}[]} */
function breakdownsOf(value, path = "") {
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([name, each]) => {
    const at = path ? `${path}.${name}` : name;
    if (name === "breakdown" && Array.isArray(each)) return each.map((line) => ({ path: at, line }));
    return breakdownsOf(each, at);
  });
}
