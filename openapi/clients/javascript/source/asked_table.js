/**
 * Effects that repeat what their action asks for: a table that imports nothing, since pages load
 * it without the verifier.
 */

/**
 * @typedef {{name: string, given: readonly string[], asked: readonly string[]}} Repeated
 */

/**
 * Where an effect says again what its action asks for; without `asked` both ways are alike.
 * @param {string} given
 * @param {string} [asked]
 * @returns {Repeated}
 */
function repeated(given, asked = given) {
  return { name: given, given: given.split("."), asked: asked.split(".") };
}

const OPENED = [repeated("opened", "open")];
const TERMS = [
  repeated("ruleset"),
  repeated("version"),
  repeated("dice.mode", "dice"),
  repeated("commitment"),
  repeated("seed"),
  repeated("options"),
  repeated("map"),
  repeated("content"),
  repeated("reveal_by_days"),
  repeated("fork_of"),
];

/**
 * Of each type of effect: the actions that it comes with, and what it repeats of them.
 * @type {ReadonlyMap<unknown, ReadonlyMap<unknown, readonly Repeated[]>>}
 */
export const ASKED = new Map([
  ["contributed", new Map([["contribute", [repeated("value")]]])],
  [
    "control_changed",
    new Map([["assign_control", [repeated("seat"), repeated("sides"), repeated("combatants")]]]),
  ],
  ["encounter_created", new Map([["create_encounter", TERMS]])],
  ["encounter_ended", new Map([["end_encounter", [repeated("winner"), ...OPENED]]])],
  ["encounter_started", new Map([["start_encounter", []]])],
  ["erased", new Map([["erase", []]])],
  ["noted", new Map([["note", []]])],
  ["parts_opened", new Map([["reveal", OPENED]])],
  ["rewound", new Map([["rewind", [repeated("to")]]])],
  [
    "seat_changed",
    new Map([
      ["create_encounter", []],
      [
        "add_seat",
        [
          repeated("seat.id"),
          repeated("seat.role"),
          repeated("seat.sides"),
          repeated("seat.combatants"),
        ],
      ],
      ["change_seat", [repeated("seat.id", "seat")]],
      ["remove_seat", [repeated("seat.id", "seat")]],
    ]),
  ],
  [
    "seed_revealed",
    new Map([
      ["end_encounter", OPENED],
      ["reveal", OPENED],
    ]),
  ],
]);

/** The types of these effects. */
export const REPEATING = [...ASKED.keys()].map(String);
