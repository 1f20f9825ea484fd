// A bundle as a source of a replay: the service judges it and shows and explains what its viewer saw;
// the events are read here.
import { readBundle } from "warlog";
import { say } from "../shell/texts.js";
import { lackingIn } from "./lacking.js";

/** The viewpoint of an observer. */
export const EVERYONE = "everyone";
/** The first line of a bundle is shorter. */
const HEADER_BYTES = 1 << 16;

const INCLUDED = "verdict,state,scene,explanation,luck";

/** Of an event that is shown in no words: its bytes cannot be read, or nobody here knows its rulebook. */
const UNEXPLAINED = { by: "", narration: "", effects: [], dice: { mode: "sealed", note: "", draws: [], blocks: [] }, remarks: [] };

export class BundleFile {
  /**
   * @param {import("warlog").Warlog} warlog
   * @param {File} file
   * @param {string} [viewpoint] whose eyes these are; its own viewer's without it
   */
  constructor(warlog, file, viewpoint) {
    this.warlog = warlog;
    this.file = file;
    this.viewpoint = viewpoint ? { viewpoint } : {};
    this.isFile = true;
    /** @type {any[]} */
    this.records = [];
    /** @type {any} */
    this.report = null;
    /** @type {any} */
    this.header = null;
  }

  /**
   * Send it to be judged. Throws WarlogProblem, also where the file is no bundle.
   *
   * @param {(events: number) => void} progressed
   */
  async read(progressed) {
    /** @type {import("warlog").AuditedEvent[]} */
    const told = [];
    for await (const record of this.warlog.auditRecords(this.file, { include: INCLUDED, keys: "own", ...this.viewpoint })) {
      if (record.type === "event") told.push(record);
      if (record.type === "report") this.report = record.report;
      if (record.type === "problem") throw Object.assign(new Error(record.problem.detail), record.problem);
      progressed(told.length);
    }
    for await (const event of readBundle(this.file, this.viewpoint)) {
      const view = told[this.records.length]?.views?.[0] ?? { viewpoint: "viewer" };
      const lacking = lackingIn(event.seq, view, this.records.at(-1)?.lacking);
      this.records.push({ ...event, narration: view.explanation?.narration ?? "", view, lacking, undone_by: undefined });
    }
    this.header = await headerOf(this.file);
    for (const verdict of this.report?.verdicts ?? []) {
      const record = this.records[verdict.seq - 1];
      if (record && verdict.undone_by !== undefined) record.undone_by = verdict.undone_by;
    }
    return this;
  }

  /** Sides of the battle. @returns {{id: string, name?: string}[]} */
  get sides() {
    const [first] = this.records;
    return first?.event.effects?.find((/** @type {any} */ each) => Array.isArray(each?.sides))?.sides ?? [];
  }

  /** Whose eyes the bundle has the parts for, next to its own viewer's. @returns {string[]} */
  get viewpoints() {
    const { kind, grants = [] } = this.header?.viewer ?? {};
    const sides = this.sides.map((each) => each.id);
    if (kind === "gm") return [...sides, EVERYONE];
    const granted = new Set(grants.flatMap((/** @type {any} */ each) => each.sides));
    const own = sides.filter((each) => granted.has(each));
    return [...(own.length > 1 ? own : []), ...(own.length > 0 ? [EVERYONE] : [])];
  }

  /** What is not known behind an event. @param {number} seq @returns {import("./lacking.js").Lacking | undefined} */
  lacking(seq) {
    return this.records[seq - 1]?.lacking;
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

  /** What a digest names; null for what the file does not have. @param {string} digest */
  async content(digest) {
    const reader = this.file.stream().pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return null;
      const lines = (rest + value).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines.map((each) => JSON.parse(each))) {
        if (line.type !== "event" && line.digest !== digest) continue;
        await reader.cancel();
        return line.body ?? null;
      }
    }
  }

  async audit() {
    return this.report;
  }

  forgetExplanations() {}

  /** As the service explains events, with what undid it, which is known at the end only. @param {number} seq */
  async explain(seq) {
    const record = this.records[seq - 1];
    const explanation = record?.view.explanation ?? UNEXPLAINED;
    if (record?.undone_by === undefined) return explanation;
    const rewound = { kind: "rewound", seq: record.undone_by, text: say("rewound_by", { by: record.undone_by }) };
    return { ...explanation, remarks: [rewound, ...(explanation.remarks ?? [])] };
  }
}

/** The first line of a bundle; null for what is none. @param {File} file */
async function headerOf(file) {
  const [line = ""] = (await file.slice(0, HEADER_BYTES).text()).split("\n", 1);
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
