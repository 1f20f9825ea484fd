/**
 * Faces that are told again: each belongs to one roll, and few rolls may tell it a second time.
 *
 * How this works. Behind each event is kept what may still be told again: the dice that a waiting
 * action has brought, and the rolls that stand for a combatant. An event continues what is kept of
 * its `base`. An action that is not taken over open questions shows that nothing waits any more.
 * What a fork takes up is stated by its event 1; where that hides what waits, faces of the log
 * before are taken as they are told, once, and only where something was asked.
 */

import { said } from "./details.js";
import { Difference, pathText, shown } from "./findings.js";
import { isRecord } from "./line_form.js";

/**
 * @typedef {import("./text_places.js").RollPlaces} RollPlaces
 * @typedef {import("./line_form.js").Body} Body
 * @typedef {(string | number)[]} Steps
 * @typedef {{name: string, face: number}} Face
 * @typedef {{stream: number, number: number, seq?: number, count?: number}} Run
 * @typedef {{steps: Steps, roll: {sides: number, faces: number[], draws: Run[]}}} Told
 * @typedef {{seen: Set<string>, unseen: Set<string>}} Waits  dice that were told again after a wait, by
 *   events that show their action and by others: the event, then the draw
 * @typedef {{waiting: readonly Face[], standing: ReadonlyMap<string, Face>, isAsked: boolean,
 *   mayBeAsked: boolean, hasBegun: boolean}} Kept
 */

const FIRST = 1;
const STANDING = "standing_roll";
const BROUGHT = "decision_closed.roll";

/** Effects that leave something to be told again, or end it. */
const LEAVING = new Set([
  "combatant_added",
  "condition_gained",
  "condition_lost",
  "decision_closed",
  "encounter_created",
  "encounter_started",
  "revealed",
  "rolled",
  "round_began",
]);

/** Effects with dice that an action brings and waits with. */
const BRINGING = new Set(["decision_closed", "rolled"]);

/** @type {Kept} */
const NOTHING = {
  waiting: [],
  standing: new Map(),
  isAsked: false,
  mayBeAsked: false,
  hasBegun: false,
};

/** What may be told again, as one audience sees it. */
export class Retold {
  /**
   * @param {RollPlaces} places
   * @param {string} root  of paths into its view
   * @param {boolean} isWhole  whether it sees everything
   * @param {Waits} waits
   */
  constructor(places, root, isWhole, waits) {
    this.waits = waits;
    this.places = places;
    this.root = root;
    this.isWhole = isWhole;
    this.isSupplied = false;
    this.isFork = false;
    /** By seq. @type {Map<number, Kept>} */
    this.kept = new Map([[0, NOTHING]]);
  }

  /**
   * Take in an event. Throws a Difference for the first roll that tells faces again that are not its
   * own. Behind an event that was not taken in nothing is said.
   * @param {Body} view
   * @param {boolean} tellsAgain  whether a roll of it names draws of another event
   * @param {Set<string>} takenUp  dice of the log before, as they are told
   */
  fold(view, tellsAgain, takenUp) {
    const before = this.kept.get(view.base);
    if (before === undefined) return;
    if (view.seq === FIRST) this.begin(view);
    if (!tellsAgain && !waits(before) && !view.effects.some(({ type }) => LEAVING.has(type))) {
      this.kept.set(view.seq, before);
      return;
    }
    const event = new RetoldEvent(this, view, before, takenUp);
    try {
      event.judge(tellsAgain);
    } finally {
      this.kept.set(view.seq, event.behind());
    }
  }

  /** @param {Body} view */
  begin({ effects }) {
    const created = effects.find((each) => each.type === "encounter_created");
    if (!isRecord(created?.["dice"])) return;
    this.isSupplied = created["dice"]["mode"] === "supplied";
    this.isFork = Object.hasOwn(created, "fork_of");
  }
}

class RetoldEvent {
  /**
   * @param {Retold} check
   * @param {Body} view
   * @param {Kept} before
   * @param {Set<string>} takenUp
   */
  constructor(check, view, before, takenUp) {
    this.check = check;
    this.view = view;
    this.takenUp = takenUp;
    const { action } = view;
    this.isActionSeen = isRecord(action);
    const isMeanwhile = !isRecord(action) || check.places.meanwhile.has(action.type);
    const isOver = before.hasBegun && !isMeanwhile;
    const gone = { waiting: [], isAsked: false, mayBeAsked: false };
    this.kept = isOver && waits(before) ? { ...before, ...gone } : before;
    this.isTold = false;
    /** @type {Face[]} */
    this.brought = [];
    /** Where each draw is told in this event, so far. @type {Map<string, Set<string>>} */
    this.told = new Map();
  }

  /** @param {boolean} tellsAgain */
  judge(tellsAgain) {
    let first;
    for (const [at, effect] of this.view.effects.entries()) {
      const { type } = effect;
      const isKeeping = type === "decision_opened" || type === "encounter_created";
      if (!isKeeping && (tellsAgain || this.brings(effect))) {
        for (const told of rollsIn(effect, ["effects", at])) {
          const wrong = this.roll(effect, told);
          first ??= wrong;
        }
      }
      this.note(effect);
    }
    if (first) throw first;
  }

  /**
   * Whether an effect may name dice of an action that waits.
   * @param {import("./line_form.js").Tagged} effect
   */
  brings({ type, roll }) {
    const { places, isSupplied } = this.check;
    return roll !== undefined && (isSupplied || places.held.size > 0) && BRINGING.has(type);
  }

  /** @returns {Kept} */
  behind() {
    if (!this.isTold && !this.brought.length) return this.kept;
    const waiting = [...this.kept.waiting, ...this.brought];
    const asked = this.isTold ? { isAsked: false, mayBeAsked: false } : {};
    return { ...this.kept, waiting, ...asked };
  }

  /**
   * @param {import("./line_form.js").Tagged} effect
   * @param {Told} told
   * @returns {Difference | undefined}
   */
  roll(effect, { steps, roll }) {
    const { places, isFork, isSupplied, root } = this.check;
    const inner = steps.slice(2).map((step) => (typeof step === "number" ? "*" : step));
    const place = [effect.type, ...inner].join(".");
    const { seq } = this.view;
    const faces = facesOf(roll.faces, roll.draws, seq);
    for (const [at, { name, face, run }] of faces.entries()) {
      if (run.seq === undefined) continue;
      const due = this.due(place, { name, face }, bearerOf(effect, steps));
      if (due === undefined) {
        const path = pathText([...steps, "draws"], root);
        return new Difference("draws", said`faces of event ${run.seq} that are not its own`, {
          path,
        });
      }
      if (due !== face) {
        const path = pathText([...steps, "faces", at], root);
        return new Difference("draws", said`${shown(face)} instead of ${due}`, { path });
      }
      if (isFork && run.seq === FIRST) {
        this.takenUp.add([run.stream, run.number, roll.sides, face].join("/"));
      }
    }
    for (const { name } of faces) {
      if (!this.told.has(name)) this.told.set(name, new Set());
      this.told.get(name)?.add(place);
    }
    if (places.held.has(place) || (isSupplied && place === BROUGHT)) {
      for (const { name, face, run } of faces) {
        if (run.seq === undefined) this.brought.push({ name, face });
      }
    }
    return undefined;
  }

  /**
   * The face that may be told again at a place; undefined if none may.
   * @param {string} place
   * @param {Face} told
   * @param {unknown} bearer
   * @returns {number | undefined}
   */
  due(place, { name, face }, bearer) {
    const { places, isFork, isSupplied } = this.check;
    const here = this.told.get(name);
    if (here && places.shared.get(place)?.some((each) => here.has(each))) return face;
    const stands = typeof bearer === "string" ? this.kept.standing.get(bearer) : undefined;
    if (places.standing.has(place) && stands?.name === name) return stands.face;
    const isOfFork = isFork && name.startsWith(`${FIRST}/`);
    const waiting = isSupplied || isOfFork ? places.all : places.waiting;
    if (!waiting.has(place) || place === BROUGHT) return undefined;
    const kept = this.kept.waiting.filter((each) => each.name === name);
    if (kept.length) {
      const { seen, unseen } = this.check.waits;
      if (!isOfFork) (this.isActionSeen ? seen : unseen).add(`${this.view.seq}/${name}`);
      const gone = kept.find((each) => each.face === face) ?? kept[0];
      this.kept = { ...this.kept, waiting: this.kept.waiting.filter((each) => each !== gone) };
      return gone?.face;
    }
    const isHidden = this.kept.mayBeAsked && !this.isActionSeen;
    if (!isOfFork || !(this.kept.isAsked || isHidden)) return undefined;
    this.isTold = true;
    return face;
  }

  /**
   * What an effect leaves to be told again.
   * @param {import("./line_form.js").Tagged} effect
   */
  note(effect) {
    const { combatant, condition, facts } = effect;
    switch (effect.type) {
      case "encounter_created":
        if (Object.hasOwn(effect, "fork_of")) this.takeUp(effect);
        break;
      case "encounter_started":
        this.kept = { ...this.kept, hasBegun: true };
        break;
      case "round_began":
        if (this.kept.standing.size) this.kept = { ...this.kept, standing: new Map() };
        break;
      case "condition_gained":
        if (condition !== STANDING) break;
        this.stand(combatant, effect["draw"], isRecord(facts) ? facts["natural"] : undefined);
        break;
      case "condition_lost":
        if (condition === STANDING) this.stand(combatant, undefined, undefined);
        break;
      case "combatant_added":
      case "revealed":
        this.standOn(combatant);
    }
  }

  /**
   * The roll that stands for the combatant of a sheet.
   * @param {unknown} sheet
   */
  standOn(sheet) {
    if (!isRecord(sheet)) return;
    const roll = isRecord(sheet[STANDING]) ? sheet[STANDING] : {};
    this.stand(sheet["id"], roll["draw"], roll["natural"]);
  }

  /**
   * @param {unknown} bearer
   * @param {unknown} draw
   * @param {unknown} natural
   */
  stand(bearer, draw, natural) {
    const { standing } = this.kept;
    if (typeof bearer !== "string" || (!isRecord(draw) && !standing.has(bearer))) return;
    const now = new Map(standing);
    now.delete(bearer);
    if (isRecord(draw) && typeof natural === "number") {
      const seq = draw["seq"] ?? this.view.seq;
      now.set(bearer, { name: `${seq}/${draw["stream"]}/${draw["number"]}`, face: natural });
    }
    this.kept = { ...this.kept, standing: now };
  }

  /**
   * What a fork takes up.
   * @param {import("./line_form.js").Tagged} effect
   */
  takeUp(effect) {
    const state = isRecord(effect["state"]) ? effect["state"] : {};
    const forkOf = effect["fork_of"];
    for (const sheet of listOf(state["combatants"])) this.standOn(sheet);
    const pending = listOf(state["pending"]);
    if (this.check.isWhole) {
      this.kept = { ...this.kept, waiting: waitingIn(pending) };
      return;
    }
    const asked = pending.flatMap((group) => (isRecord(group) ? listOf(group["decisions"]) : []));
    const { questions } = this.check.places;
    const isAsked = asked.some((each) => isRecord(each) && questions.has(String(each["kind"])));
    const mayBeAsked = isRecord(forkOf) && forkOf["status"] === "running";
    this.kept = { ...this.kept, isAsked, mayBeAsked };
  }
}

/** @param {Kept} kept */
function waits({ waiting, isAsked, mayBeAsked }) {
  return waiting.length > 0 || isAsked || mayBeAsked;
}

/**
 * Every roll within a value, in the order of the text.
 * @param {unknown} value
 * @param {Steps} steps
 * @returns {Generator<Told>}
 */
function* rollsIn(value, steps) {
  if (Array.isArray(value)) {
    for (const [at, each] of value.entries()) yield* rollsIn(each, [...steps, at]);
  } else if (isRecord(value)) {
    if (Object.hasOwn(value, "faces") && Object.hasOwn(value, "sides")) {
      yield { steps, roll: /** @type {Told["roll"]} */ (/** @type {unknown} */ (value)) };
    }
    for (const [name, each] of Object.entries(value)) yield* rollsIn(each, [...steps, name]);
  }
}

/**
 * Each face with the draw that it is of.
 * @param {readonly number[]} faces
 * @param {readonly Run[]} draws
 * @param {number} seq  of the event
 */
function facesOf(faces, draws, seq) {
  /** @type {(Face & {run: Run})[]} */
  const named = [];
  for (const { count, ...first } of draws) {
    const most = Math.min(count ?? faces.length, faces.length - named.length);
    for (let next = 0; next < most; next++) {
      const run = { ...first, number: first.number + next };
      const name = `${run.seq ?? seq}/${run.stream}/${run.number}`;
      named.push({ name, face: faces[named.length] ?? 0, run });
    }
  }
  return named;
}

/**
 * The faces of waiting actions, at any depth of what is told of them.
 * @param {unknown} value
 * @returns {Face[]}
 */
function waitingIn(value) {
  if (Array.isArray(value)) return value.flatMap(waitingIn);
  if (!isRecord(value)) return [];
  const { faces, draws } = value;
  const own = Array.isArray(faces) && Array.isArray(draws) ? facesOf(faces, draws, 0) : [];
  return [
    ...own.filter(({ run }) => run.seq !== undefined).map(({ name, face }) => ({ name, face })),
    ...Object.values(value).flatMap(waitingIn),
  ];
}

/**
 * For whom a standing roll answers: the target beside the answer.
 * @param {unknown} effect
 * @param {Steps} steps
 */
function bearerOf(effect, steps) {
  let holder = effect;
  let target;
  for (const step of ["", ...steps.slice(2)]) {
    if (step !== "") holder = /** @type {Record<string | number, unknown>} */ (holder)[step];
    if (isRecord(holder) && Object.hasOwn(holder, "target")) target = holder["target"];
  }
  return target;
}

/**
 * @param {unknown} value
 * @returns {readonly unknown[]}
 */
function listOf(value) {
  return Array.isArray(value) ? value : [];
}
