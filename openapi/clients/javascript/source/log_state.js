/** What the events so far leave for those behind them, whatever was found in them. */

import { Stream, commitmentTo, diceKey } from "./dice.js";
import { drawLists, drawnAgain, seenLists } from "./draws.js";
import { Invariants, Notable } from "./invariants.js";
import { isRecord } from "./line_form.js";
import { partName, partNames } from "./parts.js";
import { Retold } from "./retold.js";
import { diceOf } from "./rolls.js";
import { Sightings } from "./sightings.js";
import { textPlacesOf } from "./text_places.js";

/**
 * @typedef {import("./findings.js").Difference} Difference
 * @typedef {import("./digests.js").Digests} Digests
 * @typedef {import("./line_form.js").Header} Header
 * @typedef {import("./line_form.js").EventLine} EventLine
 * @typedef {import("./line_form.js").Tagged} Tagged
 * @typedef {{ruleset: unknown, version: unknown, algorithm: unknown, mode: unknown,
 *   commitment: unknown, sides: string[], origin: "os" | "given" | "unknown",
 *   isFork: boolean}} Creation
 */

const SIDE = /^[a-z0-9_]{1,20}$/;
const DIGEST = /^[0-9a-f]{64}$/;

export class LogState {
  /**
   * @param {Digests} digests
   * @param {Header} header
   */
  constructor(digests, header) {
    this.digests = digests;
    this.header = header;
    this.seq = 0;
    this.hash = "0".repeat(64);
    this.at = "";
    /** @type {Creation | undefined} */
    this.creation = undefined;
    /** @type {string[]} */
    this.sides = [];
    this.names = partNames([]);
    /** @type {string[]} */
    this.contributions = [];
    this.hasStarted = false;
    /** Where the first thing is that the table of places does not have. @type {string | undefined} */
    this.unknown = undefined;
    /** Its line and event. @type {{line: number, seq: number} | undefined} */
    this.unknownAt = undefined;
    /** Events behind which the encounter is over. @type {Set<number>} */
    this.ended = new Set();
    /**
     * Where the ruleset has text; undefined for one that is not known.
     * @type {import("./text_places.js").TextPlaces | undefined}
     */
    this.places = undefined;
    /** The seed that the log reveals. @type {string | undefined} */
    this.revealed = undefined;
    /** Sides whose facts are at hand in every event so far. @type {Set<string>} */
    this.completeSides = new Set();
    /** @type {import("./rolls.js").KnownDraws} */
    this.known = new Map();
    /**
     * Who is known, by audience; undefined behind an event that could not be read as it should.
     * @type {Map<string, Sightings> | undefined}
     */
    this.sightings = new Map();
    /**
     * What must hold of the views of each audience; not judged where nobody is known.
     * @type {Map<string, Invariants>}
     */
    this.invariants = new Map();
    this.notable = new Notable();
    /** What may be told again, by the root of a view. @type {Map<string, Retold>} */
    this.retold = new Map();
    /** Dice of the log that a fork continues, as they are shown. @type {Set<string>} */
    this.takenUp = new Set();
    /** @type {import("./retold.js").Waits} */
    this.waits = { seen: new Set(), unseen: new Set() };
    this.visibleDice = 0;
    this.checkedDice = 0;
    /** The event whose dice were all drawn again just now. @type {EventLine | undefined} */
    this.drawnAgain = undefined;
    this.withheldParts = 0;
    this.erasedParts = 0;
    /** Digests that events name, in the order in which they first do. @type {Set<string>} */
    this.namedDigests = new Set();
    /** Events that an effect `erased` names. @type {Set<number>} */
    this.erasedSeqs = new Set();
    /** Events with an erased text, by line. @type {Map<number, number>} */
    this.erasedTexts = new Map();
    this.rewinds = 0;
    this.events = 0;
    this.parts = 0;
    this.clockWentBack = 0;
    /** @type {Uint8Array | undefined} */
    this.key = undefined;
  }

  /**
   * Read what the first event settles for all of the log, before it is checked.
   * @param {EventLine} line
   */
  open(line) {
    const created = line.event.effects.find((each) => each.type === "encounter_created");
    this.creation = created && asCreation(created);
    this.sides = this.creation?.sides ?? [];
    this.names = partNames(this.sides);
    this.places = textPlacesOf(this.creation?.ruleset, this.creation?.version);
    this.completeSides = new Set(this.sides);
  }

  /**
   * Whether the header's seed is there and the one that event 1 commits to.
   * @returns {"absent" | "fits" | "wrong"}
   */
  get seed() {
    const { seed } = this.header;
    if (seed === undefined) return "absent";
    return commitmentTo(this.digests, seed) === this.creation?.commitment ? "fits" : "wrong";
  }

  /** Who rolls, as event 1 says; as the header does where that says nothing. */
  get mode() {
    const told = this.creation?.mode;
    return told === "sealed" || told === "supplied" ? told : this.header.dice.mode;
  }

  /** The key of the dice of the next event; undefined where no die can be drawn again. */
  diceKey() {
    const { seed, encounter } = this.header;
    const isSealed = this.creation?.mode === "sealed";
    if (this.key === undefined && isSealed && seed !== undefined && this.seed === "fits") {
      this.key = diceKey(this.digests, seed, encounter, this.contributions);
    }
    return this.key;
  }

  /**
   * Opens the streams of an event; none where no die can be drawn again.
   * @param {number} seq
   * @returns {import("./draws.js").StreamOpener}
   */
  streamsOf(seq) {
    return (stream) => {
      const key = this.diceKey();
      return key && new Stream(this.digests, key, seq, stream);
    };
  }

  /**
   * All dice of an event are those of their streams.
   * @param {EventLine} line
   * @param {readonly import("./draws.js").DrawList[]} lists
   */
  noteDrawnAgain(line, lists) {
    this.drawnAgain = line;
    const count = lists.reduce((sum, each) => sum + each.draws.length, 0);
    if (this.diceKey()) this.checkedDice += count;
  }

  /**
   * The names of the parts that the viewer of the bundle must hold of an event.
   * @param {number} seq
   * @returns {string[]}
   */
  entitledNames(seq) {
    const { kind, grants } = this.header.viewer;
    if (kind === "gm") return this.names;
    if (kind === "observer") return ["text/everyone"];
    const granted = grants.findLast((each) => each.since <= seq)?.sides ?? [];
    const held = new Set(granted.filter((each) => this.sides.includes(each)));
    return this.names.filter((name) => {
      const audience = name.slice(name.indexOf("/") + 1);
      return name === "text/everyone" || held.has(audience);
    });
  }

  /**
   * Take an event into what an audience knows; what in it cannot be.
   * @param {string} audience
   * @param {import("./line_form.js").Body} view  the event as it sees it
   * @returns {Difference | undefined}
   */
  sight(audience, view) {
    if (!this.sightings) return undefined;
    let own = this.sightings.get(audience);
    if (!own) {
      own = new Sightings(audience, audience === "everyone" ? "$" : `${audience}:$`);
      this.sightings.set(audience, own);
    }
    return own.fold(view);
  }

  /**
   * Hold an event against the table of invariants; what in it does not hold.
   * @param {string} audience
   * @param {import("./line_form.js").Body} view  the event as it sees it
   * @returns {Difference | undefined}
   */
  hold(audience, view) {
    if (!this.sightings) return undefined;
    let own = this.invariants.get(audience);
    if (!own) {
      const root = audience === "everyone" ? "$" : `${audience}:$`;
      own = new Invariants(root, audience === "everyone" || audience === "gm", this.notable);
      this.invariants.set(audience, own);
    }
    return own.fold(view);
  }

  /**
   * Take a view into what may be told again. Throws a Difference.
   * @param {string} root
   * @param {import("./line_form.js").Body} view
   * @param {boolean} tellsAgain
   */
  retell(root, view, tellsAgain) {
    if (!this.places) return;
    let own = this.retold.get(root);
    if (!own) {
      own = new Retold(this.places.rolls, root, root === "gm:$", this.waits);
      this.retold.set(root, own);
    }
    own.fold(view, tellsAgain, this.takenUp);
  }

  /** How many dice were told again by what is not seen to have waited, by their event. */
  get toldAgain() {
    /** @type {Map<number, number>} */
    const counts = new Map();
    for (const telling of this.waits.unseen) {
      if (this.waits.seen.has(telling)) continue;
      const seq = Number(telling.split("/")[1]);
      counts.set(seq, (counts.get(seq) ?? 0) + 1);
    }
    const sorted = [...counts].sort(([one], [other]) => one - other);
    return sorted.map(([seq, dice]) => ({ seq, dice }));
  }

  /**
   * Learn the dice of an event, for rolls that tell them again.
   * @param {number} seq
   * @param {readonly import("./draws.js").DrawList[]} lists
   */
  learnDice(seq, lists) {
    if (lists.some((each) => each.draws.length)) this.known.set(seq, diceOf(lists));
  }

  /**
   * Take an event down.
   * @param {EventLine} line
   * @param {number} number  of the line
   */
  note(line, number) {
    const { event } = line;
    this.count(line);
    if (event.at < this.at) this.clockWentBack++;
    if (event.at > this.at) this.at = event.at;
    this.events++;
    this.parts += line.parts.length;
    this.seq = event.seq;
    this.hash = line.hash;
    for (const effect of event.effects) this.noteEffect(effect);
    const ends = event.effects.some((each) => each.type === "encounter_ended");
    if (ends || this.ended.has(event.base)) this.ended.add(event.seq);
    if (this.unknown !== undefined) this.unknownAt ??= { line: number, seq: event.seq };
    this.noteParts(line, number);
    this.learnDiceOnce(line);
  }

  /**
   * Count the dice and parts of an event, whatever else is wrong with it.
   * @param {EventLine} line
   */
  count(line) {
    const entitled = new Set(this.entitledNames(line.event.seq));
    const lists = seenLists(line, this.sides, entitled);
    this.visibleDice += lists.reduce((sum, each) => sum + each.draws.length, 0);
    if (this.drawnAgain !== line) {
      const open = this.streamsOf(line.event.seq);
      for (const each of lists) this.checkedDice += drawnAgain(each, open);
    }
    const held = new Set(line.parts.map(partName));
    this.withheldParts += this.names.filter((each) => !held.has(each)).length;
    this.erasedParts += line.parts.filter(
      (each) => each.body === undefined && entitled.has(partName(each)),
    ).length;
  }

  /** @param {Tagged} effect */
  noteEffect(effect) {
    switch (effect.type) {
      case "encounter_created":
      case "options_set":
        this.noteDigests(effect);
        break;
      case "contributed":
        if (isDigest(effect["value"]) && !this.hasStarted) {
          this.contributions.push(effect["value"]);
          this.key = undefined;
        }
        break;
      case "encounter_started":
        this.hasStarted = true;
        break;
      case "seed_revealed":
        this.revealed ??= isDigest(effect["seed"]) ? effect["seed"] : "";
        break;
      case "rewound":
        this.rewinds++;
        break;
      case "erased":
        if (Array.isArray(effect["seqs"]))
          effect["seqs"].forEach((each) => this.erasedSeqs.add(each));
    }
  }

  /** @param {Record<string, unknown>} effect */
  noteDigests(effect) {
    for (const name of ["content", "map"]) {
      const digest = effect[name];
      if (isDigest(digest)) this.namedDigests.add(digest);
    }
  }

  /**
   * @param {EventLine} line
   * @param {number} number
   */
  noteParts(line, number) {
    const held = new Set(line.parts.map(partName));
    for (const side of this.completeSides) {
      if (!held.has(`facts/${side}`)) this.completeSides.delete(side);
    }
    for (const part of line.parts) {
      if (part.body === undefined) this.erasedTexts.set(line.event.seq, number);
    }
  }

  /** @param {EventLine} line */
  learnDiceOnce(line) {
    if (this.drawnAgain === line || this.known.has(line.event.seq)) return;
    const lists = drawLists(line, this.sides);
    if (lists.every(({ flaw }) => !flaw)) this.learnDice(line.event.seq, lists);
  }
}

/**
 * Whether a value is 64 hex digits.
 * @param {unknown} value
 * @returns {value is string}
 */
export function isDigest(value) {
  return typeof value === "string" && DIGEST.test(value);
}

/**
 * @param {Tagged} effect
 * @returns {Creation | undefined}
 */
function asCreation(effect) {
  const { ruleset, version, commitment, dice } = effect;
  const sides = Array.isArray(effect["sides"])
    ? effect["sides"].map((each) => (isRecord(each) ? each["id"] : undefined))
    : [undefined];
  const ids = sides.filter(
    (each) => typeof each === "string" && SIDE.test(each) && !["everyone", "gm"].includes(each),
  );
  const origin = originOf(effect["seed"]);
  const isSound = ids.length === sides.length && new Set(ids).size === ids.length;
  if (!isSound || !isRecord(dice) || sides.length >= 255) return undefined;
  const { algorithm, mode } = dice;
  const isFork = Object.hasOwn(effect, "fork_of");
  const named = /** @type {string[]} */ (ids);
  return { ruleset, version, commitment, algorithm, mode, sides: named, origin, isFork };
}

/**
 * Who made the seed.
 * @param {unknown} seed
 */
function originOf(seed) {
  return seed === "os" || seed === "given" ? seed : "unknown";
}
