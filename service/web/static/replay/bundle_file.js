// A bundle as a source of a replay: the service judges it and tells and explains what its viewer saw;
// the events are read here.
import { readBundle } from "warlog";
import { say } from "../shell/texts.js";

const INCLUDED = "verdict,state,scene,explanation";

/** Of an event that is told in no words: its bytes cannot be read, or nobody here knows its rulebook. */
const UNEXPLAINED = { by: "", narration: "", effects: [], dice: { mode: "sealed", note: "", draws: [], blocks: [] }, remarks: [] };

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
  }

  /**
   * Send it to be judged. Throws WarlogProblem, also where the file is no bundle.
   *
   * @param {(events: number) => void} progressed
   */
  async read(progressed) {
    /** @type {import("warlog").AuditedEvent[]} */
    const told = [];
    for await (const record of this.warlog.auditRecords(this.file, { include: INCLUDED, keys: "own" })) {
      if (record.type === "event") told.push(record);
      if (record.type === "report") this.report = record.report;
      if (record.type === "problem") throw Object.assign(new Error(record.problem.detail), record.problem);
      progressed(told.length);
    }
    let i = 0;
    for await (const event of readBundle(this.file)) {
      const view = told[i]?.views?.[0] ?? { viewpoint: "viewer" };
      this.records.push({ ...event, narration: view.explanation?.narration ?? "", view, undone_by: undefined });
      i += 1;
    }
    for (const verdict of this.report?.verdicts ?? []) {
      const record = this.records[verdict.seq - 1];
      if (record && verdict.undone_by !== undefined) record.undone_by = verdict.undone_by;
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

  /** As the service explains events, with what undid it, which is known at the end only. @param {number} seq */
  async explain(seq) {
    const record = this.records[seq - 1];
    const explanation = record?.view.explanation ?? UNEXPLAINED;
    if (record?.undone_by === undefined) return explanation;
    const rewound = { kind: "rewound", seq: record.undone_by, text: say("rewound_by", { by: record.undone_by }) };
    return { ...explanation, remarks: [rewound, ...(explanation.remarks ?? [])] };
  }
}
