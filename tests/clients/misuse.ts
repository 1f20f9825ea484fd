// What the types have to refuse: each line marked here compiles only if the document is too lax.
import type { components } from "./api.d.ts";

type Schemas = components["schemas"];

export function misused(view: Schemas["EncounterView"]): void {
  // @ts-expect-error: whose cards these are is known only once the ruleset is.
  view.state.deck;
  if (view.ruleset === "crossfire-d6") {
    // @ts-expect-error: a view of this ruleset has no state of the other.
    const state: Schemas["SeekerD100BattleState"] = view.state;
    void state;
    for (const decision of view.decisions) {
      // @ts-expect-error: only the other asks how to answer an attack.
      void decision.context;
    }
  }
}

// @ts-expect-error: an action of one ruleset under the name of the other.
export const mixed: Schemas["ActRequest"] = {
  ruleset: "seeker-d100",
  action: { type: "ranged_attack", combatant: "a", weapon: "b", target: "c" },
};

// @ts-expect-error: a code that no problem has.
export const code: Schemas["Problem"]["code"] = "no_such_code";

// What has a default may be left out of a request, and is there in an answer.
export const seat: Schemas["Seat"] = { id: "anna", role: "player" };
// @ts-expect-error: what is told states it.
export const seen: Schemas["SeatSeen"] = { id: "anna", role: "player" };
