/**
 * A client of Warlog: calls that never act twice, a battle that keeps itself current, the legal
 * actions of any ruleset as a tree, and the verifier. What is JSON of a single ruleset is `Json`
 * here; `openapi.json` has its types.
 */

import type { Head, Keys, Options, Receipt, Report, Source } from "./verify.js";

export type {
  Finding,
  Head,
  Keys,
  KeptReport,
  KeptVerdict,
  Options,
  Progress,
  PublishedKey,
  Receipt,
  Report,
  Source,
} from "./verify.js";

/** Verify a bundle; the verifier is loaded with the first call. */
export function verify(source: Source, options?: Options): Promise<Report>;

/** An event of a bundle; `seen` has the parts laid in that its viewer holds. */
export interface BundleEvent {
  seq: number;
  hash: string;
  event: any;
  seen?: any;
}

/**
 * The events of a bundle as its viewer saw them, unjudged: that is what `verify` is for. Where parts of
 * several sides are laid together without the game master's, what only one side sees is in the
 * order of the sides.
 */
export function readBundle(
  source: Source,
  options?: {
    /** As in `auditBundle`, one only: `everyone`, a side, or `gm`; the viewer's own without it. */
    viewpoint?: string;
  },
): AsyncGenerator<BundleEvent, void, void>;

/** An `Idempotency-Key` that nobody had before. */
export function newKey(): string;
/** A token for `join`: `ws_` and 32 random bytes in base64url. */
export function newToken(): string;

// Shapes.

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
export type JsonObject = { [name: string]: Json };
export type Language = "en" | "ru";
export type Role = "gm" | "player" | "observer";

export interface Point {
  x: number;
  y: number;
}

/** An action, distinguished by its `type`. */
export interface Action {
  type: string;
  [field: string]: Json;
}

/** An open question. `side`, `seat` or `combatant` say who may answer; none of them: the GM. */
export interface Decision {
  id: string;
  kind: string;
  /** Seq of the event that asked. */
  opened_by: number;
  side?: string;
  seat?: string;
  combatant?: string;
  /** Types of the choices that may be made. */
  options: string[];
  /** The one that stands if nobody answers. */
  default: string;
  /** Dice to roll for the answer. */
  roll?: JsonObject;
  stream?: number;
  number?: number;
  /** What it is about, and more that a ruleset has. */
  [field: string]: unknown;
}

/** A deadline; `expires_at` (RFC 3339, server's time) is absent while the clock is `paused`. */
export interface Timer {
  decision_id?: string;
  turn?: string;
  side?: string;
  unit?: string;
  paused: boolean;
  expires_at?: string;
  /** Rounded up, 0 when overdue. */
  left_seconds?: number;
}

/** What a client holds of a battle, as `GET /v1/encounters/{id}` shows it. */
export interface BattleDocument {
  decisions: Decision[];
  state: any;
  table: any;
  scene?: any;
}

export type PatchStep =
  | { op: "add" | "replace" | "test"; path: string; value: Json }
  | { op: "remove"; path: string }
  | { op: "move" | "copy"; from: string; path: string };

export interface ExplainedRule {
  id: string;
  text: string;
  source?: string;
}

export interface ExplainedFact {
  path: string;
  label: string;
  value: string;
}

export interface ExplainedModifier {
  path: string;
  amount: number;
  rule: ExplainedRule;
  suppressed: boolean;
  note?: string;
  facts: ExplainedFact[];
  rules: ExplainedRule[];
}

export interface ExplainedEffect {
  type: string;
  sentence: string;
  facts: ExplainedFact[];
  modifiers: ExplainedModifier[];
  rules: ExplainedRule[];
}

export interface ExplainedDie {
  stream: number;
  number: number;
  sides: number;
  face: number;
  purpose: string;
  combatant?: string;
  uncounted?: string;
  proof?: { offset: number; bytes: string; skipped: number; face: number };
}

/** Why an event came out as it did, from nothing but what its reader may see. */
export interface Explanation {
  language: "en" | "ru";
  by: string;
  narration: string;
  action?: { type: string; label: string; facts: ExplainedFact[] };
  effects: ExplainedEffect[];
  dice: {
    mode: "sealed" | "supplied";
    note: string;
    draws: ExplainedDie[];
    key?: string;
    blocks: { stream: number; block: number; input: string; bytes: string }[];
  };
  remarks: { kind: "rewound" | "override" | "erased" | "hidden"; text: string; seq?: number }[];
}

/** What one viewpoint saw behind an event of a bundle, as far as it was asked for. */
export interface AuditedView {
  viewpoint: string;
  state?: any;
  decisions?: any[];
  table?: any;
  scene?: any;
  narration?: string;
  explanation?: Explanation;
  unknown?: "parts_withheld" | "state_unknown" | "cannot_be_shown";
  unknown_since?: number;
  unknown_paths?: { path: string; why: "withheld" | "may_lack" | "order" }[];
}

export interface AuditedEvent {
  type: "event";
  verdict: any;
  views: AuditedView[];
}

export type AuditRecord =
  | { type: "progress"; events: number; bytes: number }
  | AuditedEvent
  | { type: "report"; report: any }
  | { type: "problem"; problem: any };

export interface PartRecord {
  kind: string;
  audience: string;
  salt: string;
  body?: any;
}

/** One event as this caller may see it. */
export interface EventRecord {
  ruleset: string;
  seq: number;
  /** 64 hex digits. */
  hash: string;
  /** RFC 3339, UTC. */
  recorded_at: string;
  event: any;
  commits: string[];
  /** The event in a few sentences, where `narrate` asks. */
  narration?: string;
  parts?: PartRecord[];
  /** The event with the parts laid in; absent where `event` says it all. */
  seen?: any;
  undoing?: any;
  undone_by?: number;
  explanation?: Explanation;
  patch?: PatchStep[];
  [field: string]: unknown;
}

// Records of a stream.

export interface HelloRecord {
  type: "hello";
  encounter: string;
  ruleset: string;
  seq: number;
  hash: string;
  etag: string;
  role: Role;
  seat?: string;
  presence: string[];
  decisions: Decision[];
  timers: Timer[];
  receipt: Receipt;
  state_url: string;
  document?: BattleDocument;
  document_sha256?: string;
}

export interface StreamEvent extends EventRecord {
  type: "event";
  encounter: string;
}

export interface HeartbeatRecord {
  type: "heartbeat";
  encounter: string;
  ruleset: string;
  seq: number;
  hash: string;
  receipt: Receipt;
}

export interface PresenceRecord {
  type: "presence";
  encounter: string;
  ruleset: string;
  seat: string;
  present: boolean;
}

export interface TimersRecord {
  type: "timers";
  encounter: string;
  ruleset: string;
  timers: Timer[];
}

/** Some of what was shown is void; with a `document` the stream continues behind it. */
export interface ResyncRecord {
  type: "resync";
  encounter?: string;
  reason:
    | "history_diverged"
    | "too_slow"
    | "too_far_behind"
    | "newer_version"
    | "rights_changed"
    | "opened"
    | "erased";
  after?: string;
  document?: BattleDocument;
}

export interface ByeRecord {
  type: "bye";
  encounter?: string;
  reason: "shutdown" | "revoked" | "deleted" | "failed";
  /** Whether to open the stream again with the last id; absent from older services. */
  retry?: boolean;
}

export type StreamRecord =
  | HelloRecord
  | StreamEvent
  | HeartbeatRecord
  | PresenceRecord
  | TimersRecord
  | ResyncRecord
  | ByeRecord;

/**
 * `idle`: nobody follows; `catching_up`: events are on their way; `live`: the head is there;
 * `offline`: the stream is lost; `closed`: the right to read is gone.
 */
export type LiveStatus = "idle" | "catching_up" | "live" | "offline" | "closed";

/** Status of the stream, from the client itself. */
export interface StatusRecord {
  type: "status";
  status: LiveStatus;
  /** Since when it is offline, in milliseconds of the own clock. */
  since?: number;
  /** Why, where the service refuses to be followed for the moment: it is full, say. */
  why?: WarlogProblem;
}

export type FollowedRecord = StreamRecord | StatusRecord;

// Options.

export interface WarlogOptions {
  /** Base of the service; empty for the origin of the page. */
  url?: string;
  /** A key or the token of a seat. */
  token?: string;
  language?: Language;
  fetch?: typeof globalThis.fetch;
  retry?: {
    /** For so long one answer is waited for; 20. */
    answerSeconds?: number;
    /** No attempt begins later than so long after the first; 60. */
    totalSeconds?: number;
  };
}

export interface CallOptions {
  /** For whom a key asks: a seat. */
  by?: string;
  signal?: AbortSignal;
}

export interface WriteOptions extends CallOptions {
  /** `Idempotency-Key`: kept by a caller who may have to ask again; made again if absent. */
  key?: string;
}

export interface ActOptions extends WriteOptions {
  /** Faces that the table rolled, in draw order. */
  dice?: number[];
  /** The ruleset that it is meant for: a battle of another one refuses it. */
  ruleset?: string;
  /** The version it must be done on, `seq-hash8`. */
  ifMatch?: string;
}

export interface BattleOptions {
  /** In place of the service's own. */
  token?: string;
  /** For whom a key asks: a seat. */
  seat?: string;
  /** Through whose eyes a game master reads: what that seat is entitled to. */
  view?: string;
}

export interface FollowOptions {
  /** Keep `state`, `table` and `decisions` current; true. */
  state?: boolean;
  /** Keep `scene` current; false. */
  scene?: boolean;
  /** Sentences of each event in this language. */
  narrate?: Language;
  /** Begin behind this event, a seq or a cursor; absent: at the head. */
  after?: string | number;
  /** Ends the iteration. */
  signal?: AbortSignal;
  /** Silence after which the stream counts as lost; 25. */
  silenceSeconds?: number;
  /**
   * `record`: the service answers refusals of the stream with 200 and a record, so that proxies
   * pass them on and browsers log no errors. Older services are asked without it.
   */
  refusals?: "record";
}

export interface EventsOptions extends CallOptions {
  after?: string | number;
  limit?: number;
  /** Seconds to wait for an event, up to 30. */
  wait?: number;
  /** Whether each event brings the patch of the document; at most 64 events then. */
  state?: boolean;
  /** The same of the scene, by itself or next to the state. */
  scene?: boolean;
  narrate?: Language;
}

export interface ListOptions extends CallOptions {
  cursor?: string;
  limit?: number;
  order?: "oldest" | "newest";
  status?: "setup" | "running" | "ended";
  ruleset?: string;
  metadata?: string;
}

export interface LegalOptions extends CallOptions {
  combatant?: string;
  unit?: string;
  side?: string;
  /** So many complete actions, drawn at random. */
  sample?: number;
}

// Answers.

export interface ProblemBody {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: string;
  instance: string;
  params: JsonObject;
  request: string;
  rule?: string;
  allowed?: Json;
}

/** The service said no: RFC 9457. */
export class WarlogProblem extends Error {
  constructor(body: ProblemBody, retryAfter?: number);
  readonly status: number;
  /** What is wrong, as a stable word. */
  readonly code: string;
  readonly title: string;
  /** What is wrong, as a sentence in the language asked for. */
  readonly detail: string;
  /** Id of the rule that refuses. */
  readonly rule: string | undefined;
  readonly params: JsonObject;
  /** What would have been possible. */
  readonly allowed: Json | undefined;
  /** What of the request it is about. */
  readonly path: string | undefined;
  /** Id of the request, which the service's log has, too. */
  readonly request: string;
  /** Seconds after which it may be asked again. */
  readonly retryAfter: number | undefined;
  readonly body: ProblemBody;
}

/**
 * Nobody answered for as long as was waited. What was asked may have been carried out; asked again
 * with the same `key` it is not carried out twice.
 */
export class WarlogUnreachable extends Error {
  constructor(what: string, cause: unknown, key?: string);
  readonly key: string | undefined;
}

export interface EncounterSummary {
  encounter: string;
  title?: string;
  metadata?: JsonObject;
  ruleset: string;
  version: string;
  status: "setup" | "running" | "ended";
  seq: number;
  created_at: string;
}

export interface EncounterView extends BattleDocument {
  encounter: string;
  title?: string;
  metadata?: JsonObject;
  ruleset: string;
  version: string;
  created_at: string;
  seq: number;
  hash: string;
  head: number;
  timers?: Timer[];
  receipt?: Receipt;
}

export interface SceneAnswer {
  encounter: string;
  ruleset: string;
  seq: number;
  head: number;
  scene: any;
}

export interface EventPage {
  ruleset: string;
  events: EventRecord[];
  /** The cursor behind the last of them. */
  next: string;
  head: number;
}

export interface Stopped {
  index: number;
  reason: "refused" | "decision";
  problem?: ProblemBody;
}

export interface ActionsAnswer {
  ruleset: string;
  accepted: number;
  events: EventRecord[];
  version: number;
  etag: string;
  decisions: Decision[];
  receipt: Receipt;
  stopped?: Stopped;
}

export interface PreviewAnswer {
  ruleset: string;
  version: number;
  legal: boolean;
  facts: any;
  odds: any[];
  opens: string[];
  unknown: string[];
}

export interface SeatView {
  id: string;
  role: Role;
  sides?: string[];
  combatants?: string[];
  name?: string;
  metadata?: JsonObject;
  /** On how many devices it has a token: shown to game masters and to the seat itself. */
  devices?: number;
  has_joined?: boolean;
  is_present?: boolean;
  invited_until?: string;
}

export interface Invitation {
  /** Told once, good once. */
  code: string;
  link: string;
  expires_at: string;
}

export interface SeatAnswer {
  seat?: SeatView;
  events: EventRecord[];
  version: number;
  etag: string;
  receipt: Receipt;
  invitation?: Invitation;
}

export interface JoinAnswer {
  token: string;
  encounter: string;
  seat: string;
  role: Role;
}

export interface MyBattle {
  ruleset: string;
  encounter: EncounterSummary;
  is_my_move: boolean;
  decisions: Decision[];
  turn?: string;
  turn_side?: string;
  turn_unit?: string;
}

export type Me =
  | { kind: "seat"; seat: SeatView; battle: MyBattle }
  | { kind: "key"; key: string; scopes: string[]; battles: MyBattle[]; next?: string };

export type TimersRequest =
  | { do: "pause" | "resume" }
  | {
      do: "extend";
      seconds: number;
      decision_id?: string;
      turn?: string;
      side?: string;
      unit?: string;
    };

export interface CreateRequest {
  ruleset: string;
  version?: string;
  dice?: "sealed" | "supplied";
  seed?: string;
  title?: string;
  metadata?: JsonObject;
  sides: JsonObject[];
  seats?: JsonObject[];
  reveal_by_days?: number;
  setup: JsonObject;
}

export interface CreatedAnswer {
  encounter: string;
  ruleset: string;
  view: EncounterView;
  events: EventRecord[];
  receipt: Receipt;
}

export interface ForkRequest {
  /** The last event that it builds on. */
  at: number;
  ruleset?: string;
  dice?: "sealed" | "supplied";
  seed?: string;
  title?: string;
  metadata?: JsonObject;
  seats?: JsonObject[];
  reveal_by_days?: number;
  actions?: Json[];
}

export interface ForkAnswer extends CreatedAnswer {
  fork_of: any;
  accepted: number;
  stopped?: Stopped;
  /** Of the seat `gm` there; absent for a key and in a repeated answer. */
  token?: string;
}

export type BundleBody = string | Uint8Array | ArrayBuffer | Blob;

// Legal actions.

export type LegalActorName = { side?: string; unit?: string; combatant?: string };

export interface LegalCell extends Point {
  path: Point[];
  cost_ft?: number;
  cost_mp?: number;
  params?: Record<string, LegalDomain>;
}

interface Domain {
  optional?: boolean;
}

export type LegalDomain = Domain &
  (
    | { one_of: Json[]; unit?: string; beyond_ft?: number }
    | { cells: LegalCell[]; unit?: string; beyond_ft?: number; metric?: string; budget_ft?: number }
    | { int_range: { min: number; max: number; unit?: string } }
    | { disc: Point & { unit?: string; radius?: number }; accepted?: Json[] }
    | {
        path: Point & { unit?: string; budget: number; longest: number; metric?: string };
        accepted?: Json[];
      }
    | { params: Record<string, LegalDomain> }
    | { list_of: LegalDomain; length: number }
    | { some_of: (string | number)[]; min: number; max: number }
  );

export interface LegalDecision {
  id: string;
  kind: string;
  options: string[];
  default: string;
  context?: any;
}

export interface LegalNode {
  type: string;
  params: Record<string, LegalDomain>;
  example: Action;
  decision?: LegalDecision;
}

export interface LegalAnswer extends LegalActorName {
  ruleset: string;
  version: number;
  actions?: LegalNode[];
  actors?: (LegalActorName & { actions: LegalNode[] })[];
  samples?: Action[];
}

/** A value that may be sent. */
export interface LegalOption {
  /** What is sent. */
  value: Json;
  /** Parameters that it brings next to it. */
  params: Record<string, LegalDomain>;
  /** Where it is: of points, cells and ends of paths. */
  at?: Point;
  /** Feet or movement points of a path. */
  cost?: number;
}

/** One thing to settle. */
export interface LegalParameter {
  /** Its path with dots, unique within its action. */
  name: string;
  path: readonly (string | number)[];
  form: "one_of" | "cells" | "int_range" | "some_of" | "disc" | "path" | "object" | "list";
  /** Whether it may be left out. */
  optional: boolean;
  /** As the service shown it. */
  domain: LegalDomain;
  /** All values, unless there is `beyondFt`: of one_of, cells, some_of; of disc and path those accepted. */
  options?: LegalOption[];
  /** Feet up to which more is accepted than is listed. */
  beyondFt?: number;
  /** Of a coordinate or length. */
  unit?: string;
  /** Of int_range the bounds, of some_of how many; of path `max` points. */
  min?: number;
  max?: number;
  /** Of disc the centre, of path the start. */
  x?: number;
  y?: number;
  /** Of disc, in `unit`; absent: any point. */
  radius?: number;
  /** Of path: what all legs may come to. */
  budget?: number;
  metric?: string;
}

export interface SettledParameter {
  parameter: LegalParameter;
  value: Json;
}

/** A walk through the parameters of an action; never changed, each step gives another. */
export interface LegalWalk {
  /** The action so far. */
  readonly action: Action;
  readonly open: readonly LegalParameter[];
  readonly settled: readonly SettledParameter[];
  /** The walk one step before. */
  readonly before: LegalWalk | undefined;
  /** Whether `action` can be sent. */
  readonly isComplete: boolean;
  /** What to ask for next. */
  readonly next: LegalParameter | undefined;
  /** Throws a RangeError where it is not open or the value is none of its domain. */
  choose(parameter: LegalParameter | string, value?: Json | LegalOption): LegalWalk;
  /** Throws a RangeError where it may not be left out. */
  leave(parameter: LegalParameter | string): LegalWalk;
  /** The walk with everything settled that leaves no choice. */
  forced(): LegalWalk;
}

export interface LegalAction {
  readonly type: string;
  readonly actor: LegalActor;
  readonly params: Record<string, LegalDomain>;
  /** A complete action that is allowed now. */
  readonly example: Action;
  /** The question that an answer is for. */
  readonly decision: LegalDecision | undefined;
  start(): LegalWalk;
  /** The action with these values; throws a RangeError that names what is missing or wrong. */
  complete(choices: JsonObject): Action;
}

export interface LegalActor {
  readonly kind: "side" | "unit" | "combatant";
  readonly id: string;
  readonly actions: readonly LegalAction[];
}

export interface LegalTree {
  readonly ruleset: string;
  /** Seq of the event behind which it holds. */
  readonly version: number;
  readonly actors: readonly LegalActor[];
  /** Of all actors. */
  readonly actions: readonly LegalAction[];
  readonly samples: readonly Action[];
  /** The action with these values; throws a RangeError that names what is missing or wrong. */
  complete(choices: Action): Action;
}

// The client.

/** One service. Every call throws WarlogProblem, WarlogUnreachable and the reason of its signal. */
export class Warlog {
  constructor(options?: WarlogOptions);
  readonly url: string;
  me(options?: { cursor?: string; limit?: number; token?: string } & CallOptions): Promise<Me>;
  rulesets(options?: CallOptions): Promise<any>;
  ruleset(slug: string, options?: { version?: string } & CallOptions): Promise<any>;
  /** JSON Schema of a rulebook's own types: `schema.properties` has setup, action, effect and state. */
  rulesetSchema(slug: string, options?: { version?: string } & CallOptions): Promise<any>;
  encounters(options?: ListOptions): Promise<{ encounters: EncounterSummary[]; next?: string }>;
  createEncounter(body: CreateRequest, options?: WriteOptions): Promise<CreatedAnswer>;
  checkMap(body: Json, options?: CallOptions): Promise<any>;
  /**
   * Exchange a code for a seat. Whoever makes the token (`ws_` and 32 random bytes in base64url) and
   * keeps it before the call can ask again, for ten minutes, where even the retries got no answer.
   */
  join(code: string, options?: { token?: string } & CallOptions): Promise<JoinAnswer>;
  /** The battle; `follow` keeps one current, so whoever follows twice takes two. */
  battle(id: string, options?: BattleOptions): Battle;
  auditBundle(
    bundle: BundleBody,
    options?: { include?: string; viewpoint?: string; keys?: "own" } & CallOptions,
  ): Promise<any>;
  /**
   * The same shown as it goes: `progress`, then an `event` for each, and `report` or `problem` last.
   */
  auditRecords(
    bundle: BundleBody,
    options?: { include?: string; viewpoint?: string; keys?: "own" } & CallOptions,
  ): AsyncGenerator<AuditRecord, void, void>;
  /** The service's published keys. */
  keys(options?: CallOptions): Promise<Extract<Keys, { keys: unknown }>>;
  /** The server's time in milliseconds, as answers tell it. */
  serverNow(): number;
}

/** One battle. */
export interface Battle {
  readonly id: string;

  /** As of event `seq`; undefined before anything was shown. Never changed, only replaced. */
  readonly state: any;
  readonly table: any;
  /** The earliest seq that the own seat may rewind to; absent: it may take nothing back. */
  readonly undoTo: number | undefined;
  /** Why it goes back no further. */
  readonly undoBar: "not_yours" | "dice_or_reveal" | "asked_somebody" | undefined;
  readonly decisions: readonly Decision[];
  readonly scene: any;
  /** The event behind which these stand. */
  readonly seq: number;
  /** The end of the log, as far as it is known. */
  readonly head: Head | undefined;
  readonly hello: HelloRecord | undefined;
  readonly status: LiveStatus;
  /** In milliseconds of the own clock, while the status is `offline`. */
  readonly offlineSince: number | undefined;
  /** Why, where the service refuses to be followed for the moment: it is full, say. */
  readonly offlineWhy: WarlogProblem | undefined;
  /** Why it is `closed`. */
  readonly closedBy: "revoked" | "deleted" | undefined;
  /** Ids of the seats that follow now. */
  readonly presence: readonly string[];
  readonly timers: readonly Timer[];
  /** The last signature over a head: keep it. */
  readonly receipt: Receipt | undefined;
  /** Be called after every change of the above; gives back how to end that. */
  subscribe(listener: (battle: Battle) => void): () => void;
  serverNow(): number;

  /**
   * What happens, in order, each event once, over lost connections and ended processes. Ends by its
   * signal, by leaving the loop, and behind `bye` where the right to read is gone.
   */
  follow(options?: FollowOptions): AsyncGenerator<FollowedRecord, void, void>;

  read(options?: { at?: number } & CallOptions): Promise<EncounterView>;
  readScene(options?: { at?: number } & CallOptions): Promise<SceneAnswer>;
  svg(options?: { at?: number } & CallOptions): Promise<string>;
  /** The scene drawn in characters. */
  sketch(options?: { at?: number } & CallOptions): Promise<string>;
  readMap(options?: { digest?: string } & CallOptions): Promise<any>;
  events(options?: EventsOptions): Promise<EventPage>;
  /** All events behind a seq or cursor up to the log's present end, read page by page. */
  log(
    options?: { after?: string | number; narrate?: Language } & CallOptions,
  ): AsyncGenerator<EventRecord, void, void>;
  event(seq: number, options?: { explain?: Language } & CallOptions): Promise<EventRecord>;
  inspect(
    name: string,
    query?: Record<string, string | number>,
    options?: CallOptions,
  ): Promise<any>;

  /** Once, whatever happens to its answers. */
  act(action: Action | Action[], options?: ActOptions): Promise<ActionsAnswer>;
  /** `answer` is one of the decision's options, with its fields if it has some. */
  answer(
    decision: Decision | string,
    answer: string | Action,
    options?: ActOptions,
  ): Promise<ActionsAnswer>;
  rewind(to: number, options?: ActOptions): Promise<ActionsAnswer>;
  preview(action: Action, options?: { answers?: Json[] } & CallOptions): Promise<PreviewAnswer>;
  legalActions(options?: LegalOptions): Promise<LegalTree>;

  seats(options?: CallOptions): Promise<SeatView[]>;
  readSeat(seat: string, options?: CallOptions): Promise<SeatView>;
  addSeat(seat: JsonObject, options?: { invite?: boolean } & WriteOptions): Promise<SeatAnswer>;
  changeSeat(
    seat: string,
    changes: JsonObject,
    options?: { ifMatch?: string } & WriteOptions,
  ): Promise<SeatAnswer>;
  removeSeat(
    seat: string,
    options?: { ifMatch?: string } & WriteOptions,
  ): Promise<ActionsAnswer>;
  /** A new code; the one before is no longer good. */
  invite(seat: string, options?: CallOptions): Promise<Invitation>;
  /** A code for another device of the own seat; an open one of this kind ends with it. */
  addDevice(options?: CallOptions): Promise<Invitation>;
  revokeToken(seat: string, options?: CallOptions): Promise<any>;
  readTimers(options?: CallOptions): Promise<{ now: string; paused: boolean; timers: Timer[] }>;
  changeTimers(
    change: TimersRequest,
    options?: WriteOptions,
  ): Promise<{ now: string; paused: boolean; timers: Timer[] }>;

  fork(body: ForkRequest, options?: WriteOptions): Promise<ForkAnswer>;
  simulate(body: JsonObject, options?: CallOptions): Promise<any>;
  delete(options?: CallOptions): Promise<any>;
  audit(options?: { include?: string; receipts?: Json[] } & CallOptions): Promise<any>;
  /** Its body is unread. */
  bundle(options?: CallOptions): Promise<Response>;
  /** Fetch the bundle and, without `keys`, the service's own, and verify it here. */
  verify(options?: Options & CallOptions): Promise<Report>;
}
