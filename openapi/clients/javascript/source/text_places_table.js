/** The places of text: /docs/places.json of the service; made by `warlog openapi`. */
export const PLACES = {
 "format": 1,
 "draws": [
  "*",
  "*.combatant"
 ],
 "rulesets": [
  {
   "ruleset": "crossfire-d6",
   "versions": [
    "1",
    "2"
   ],
   "actions": {
    "add_combatant": [
     "combatant.metadata",
     "combatant.name",
     "combatant.weapons.*.name"
    ],
    "add_seat": [
     "seat.metadata",
     "seat.name"
    ],
    "adjust": [
     "reason"
    ],
    "answer": [],
    "assign_control": [],
    "change_posture": [],
    "change_seat": [
     "metadata",
     "name"
    ],
    "configure": [
     "metadata"
    ],
    "contribute": [],
    "create_encounter": [
     "combatants.*.metadata",
     "combatants.*.name",
     "combatants.*.weapons.*.name",
     "metadata",
     "seats.*.metadata",
     "seats.*.name",
     "sides.*.name",
     "state.combatants.*.metadata",
     "state.combatants.*.name",
     "state.combatants.*.weapons.*.name",
     "state.sides.*.name",
     "title"
    ],
    "end_encounter": [
     "reason"
    ],
    "end_turn": [],
    "erase": [],
    "force_pass": [
     "reason"
    ],
    "go_prone": [],
    "hide": [],
    "melee_attack": [],
    "move": [],
    "note": [
     "gm_text",
     "text"
    ],
    "ranged_attack": [],
    "remove_combatant": [],
    "remove_seat": [],
    "reveal": [],
    "rewind": [],
    "set_facing": [],
    "set_terrain": [],
    "stand_up": [],
    "start_encounter": []
   },
   "effects": {
    "action_stopped": [],
    "adjusted": [
     "reason"
    ],
    "attack_resolved": [],
    "check_resolved": [],
    "combatant_added": [
     "combatant.metadata",
     "combatant.name",
     "combatant.weapons.*.name"
    ],
    "combatant_removed": [],
    "condition_gained": [],
    "condition_lost": [],
    "contributed": [],
    "control_changed": [],
    "decision_closed": [],
    "decision_opened": [],
    "encounter_created": [
     "metadata",
     "sides.*.name",
     "state.combatants.*.metadata",
     "state.combatants.*.name",
     "state.combatants.*.weapons.*.name",
     "state.sides.*.name",
     "title"
    ],
    "encounter_ended": [
     "reason"
    ],
    "encounter_started": [],
    "erased": [],
    "faced": [],
    "felled": [],
    "healed": [],
    "hidden": [],
    "hurt": [],
    "item_changed": [],
    "link_changed": [],
    "moved": [],
    "noted": [
     "gm_text",
     "text"
    ],
    "options_set": [
     "metadata"
    ],
    "order_set": [],
    "parts_opened": [],
    "posture_changed": [],
    "resource_changed": [],
    "revealed": [
     "combatant.metadata",
     "combatant.name",
     "combatant.weapons.*.name"
    ],
    "rewound": [],
    "rolled": [],
    "round_began": [],
    "seat_changed": [
     "seat.metadata",
     "seat.name"
    ],
    "seed_revealed": [],
    "stat_changed": [],
    "terrain_changed": [],
    "turn_began": [],
    "turn_ended": []
   },
   "rolls": {
    "all": [
     "attack_resolved.detail.roll",
     "check_resolved.opposed.roll",
     "check_resolved.roll",
     "decision_closed.roll",
     "hurt.roll",
     "hurt.source.roll",
     "rolled.roll"
    ],
    "held": [],
    "meanwhile": [
     "add_seat",
     "adjust",
     "answer",
     "assign_control",
     "change_seat",
     "create_encounter",
     "end_encounter",
     "force_pass",
     "note",
     "remove_seat",
     "rewind"
    ],
    "questions": [
     "roll"
    ],
    "shared": {},
    "standing": [],
    "waiting": []
   }
  },
  {
   "ruleset": "melody-d6",
   "versions": [
    "1",
    "2"
   ],
   "actions": {
    "activate_unit": [],
    "add_combatant": [
     "combatant.metadata",
     "combatant.name"
    ],
    "add_seat": [
     "seat.metadata",
     "seat.name"
    ],
    "adjust": [
     "reason"
    ],
    "answer": [],
    "assign_control": [],
    "change_seat": [
     "metadata",
     "name"
    ],
    "charge": [],
    "configure": [
     "metadata"
    ],
    "contribute": [],
    "create_encounter": [
     "combatants.*.metadata",
     "combatants.*.name",
     "metadata",
     "seats.*.metadata",
     "seats.*.name",
     "sides.*.name",
     "state.combatants.*.metadata",
     "state.combatants.*.name",
     "state.sides.*.name",
     "title"
    ],
    "dampen_lasting": [],
    "end_activation": [],
    "end_encounter": [
     "reason"
    ],
    "end_movement": [],
    "end_turn": [],
    "erase": [],
    "fight": [],
    "force_pass": [
     "reason"
    ],
    "gm_panic_test": [],
    "gm_reveal": [],
    "guard": [],
    "guard_shoot": [],
    "mask": [],
    "move": [],
    "note": [
     "gm_text",
     "text"
    ],
    "remove_combatant": [],
    "remove_seat": [],
    "reveal": [],
    "rewind": [],
    "set_terrain": [],
    "shoot": [],
    "sing": [],
    "start_encounter": [],
    "stop_melody": [],
    "unmask": []
   },
   "effects": {
    "action_stopped": [],
    "activation_began": [],
    "activation_ended": [],
    "adjusted": [
     "reason"
    ],
    "area_resolved": [],
    "attack_resolved": [],
    "check_resolved": [],
    "combatant_added": [
     "combatant.metadata",
     "combatant.name"
    ],
    "combatant_removed": [],
    "condition_gained": [],
    "condition_lost": [],
    "contributed": [],
    "control_changed": [],
    "decision_closed": [],
    "decision_opened": [],
    "encounter_created": [
     "metadata",
     "sides.*.name",
     "state.combatants.*.metadata",
     "state.combatants.*.name",
     "state.sides.*.name",
     "title"
    ],
    "encounter_ended": [
     "reason"
    ],
    "encounter_started": [],
    "erased": [],
    "felled": [],
    "force_set": [],
    "healed": [],
    "hidden": [],
    "hurt": [],
    "marker_placed": [],
    "marker_removed": [],
    "mask_declared": [],
    "moved": [],
    "noted": [
     "gm_text",
     "text"
    ],
    "options_set": [
     "metadata"
    ],
    "order_set": [],
    "parts_opened": [],
    "phase_changed": [],
    "resource_changed": [],
    "revealed": [
     "combatant.metadata",
     "combatant.name"
    ],
    "rewound": [],
    "rolled": [],
    "round_began": [],
    "seat_changed": [
     "seat.metadata",
     "seat.name"
    ],
    "seed_revealed": [],
    "song_dampening": [],
    "stat_changed": [],
    "terrain_changed": [],
    "turn_began": [],
    "turn_ended": [],
    "unit_formed": [],
    "unit_spent": [],
    "window_skipped": []
   },
   "rolls": {
    "all": [
     "area_resolved.detail.roll",
     "area_resolved.victims.*.roll",
     "attack_resolved.detail.against.roll",
     "attack_resolved.detail.roll",
     "attack_resolved.detail.saves.roll",
     "attack_resolved.detail.wounds.roll",
     "check_resolved.opposed.roll",
     "check_resolved.reroll.roll",
     "check_resolved.roll",
     "check_resolved.source.roll",
     "condition_lost.source.roll",
     "decision_closed.roll",
     "hurt.roll",
     "hurt.source.roll",
     "rolled.roll"
    ],
    "held": [
     "rolled.roll"
    ],
    "meanwhile": [
     "add_seat",
     "adjust",
     "answer",
     "assign_control",
     "change_seat",
     "create_encounter",
     "end_encounter",
     "force_pass",
     "note",
     "remove_seat",
     "rewind"
    ],
    "questions": [
     "reroll",
     "roll"
    ],
    "shared": {},
    "standing": [],
    "waiting": [
     "check_resolved.roll"
    ]
   }
  },
  {
   "ruleset": "melody-d6",
   "versions": [
    "3"
   ],
   "actions": {
    "activate_unit": [],
    "add_combatant": [
     "combatant.metadata",
     "combatant.name"
    ],
    "add_seat": [
     "seat.metadata",
     "seat.name"
    ],
    "adjust": [
     "reason"
    ],
    "answer": [],
    "assign_control": [],
    "change_seat": [
     "metadata",
     "name"
    ],
    "charge": [],
    "configure": [
     "metadata"
    ],
    "contribute": [],
    "create_encounter": [
     "combatants.*.metadata",
     "combatants.*.name",
     "metadata",
     "seats.*.metadata",
     "seats.*.name",
     "sides.*.name",
     "state.combatants.*.metadata",
     "state.combatants.*.name",
     "state.sides.*.name",
     "title"
    ],
    "dampen_lasting": [],
    "end_activation": [],
    "end_encounter": [
     "reason"
    ],
    "end_movement": [],
    "end_turn": [],
    "erase": [],
    "fight": [],
    "force_pass": [
     "reason"
    ],
    "gm_panic_test": [],
    "gm_reveal": [],
    "guard": [],
    "guard_shoot": [],
    "mask": [],
    "move": [],
    "note": [
     "gm_text",
     "text"
    ],
    "remove_combatant": [],
    "remove_seat": [],
    "reveal": [],
    "rewind": [],
    "set_terrain": [],
    "shoot": [],
    "sing": [],
    "start_encounter": [],
    "stop_melody": [],
    "unmask": []
   },
   "effects": {
    "action_stopped": [],
    "activation_began": [],
    "activation_ended": [],
    "adjusted": [
     "reason"
    ],
    "area_resolved": [],
    "attack_resolved": [],
    "check_resolved": [],
    "combatant_added": [
     "combatant.metadata",
     "combatant.name"
    ],
    "combatant_removed": [],
    "condition_gained": [],
    "condition_lost": [],
    "contributed": [],
    "control_changed": [],
    "decision_closed": [],
    "decision_opened": [],
    "encounter_created": [
     "metadata",
     "sides.*.name",
     "state.combatants.*.metadata",
     "state.combatants.*.name",
     "state.sides.*.name",
     "title"
    ],
    "encounter_ended": [
     "reason"
    ],
    "encounter_started": [],
    "erased": [],
    "felled": [],
    "force_set": [],
    "healed": [],
    "hidden": [],
    "hurt": [],
    "marker_placed": [],
    "marker_removed": [],
    "mask_declared": [],
    "moved": [],
    "noted": [
     "gm_text",
     "text"
    ],
    "options_set": [
     "metadata"
    ],
    "order_set": [],
    "parts_opened": [],
    "phase_changed": [],
    "resource_changed": [],
    "revealed": [
     "combatant.metadata",
     "combatant.name"
    ],
    "rewound": [],
    "rolled": [],
    "round_began": [],
    "seat_changed": [
     "seat.metadata",
     "seat.name"
    ],
    "seed_revealed": [],
    "song_dampening": [],
    "stat_changed": [],
    "terrain_changed": [],
    "turn_began": [],
    "turn_ended": [],
    "unit_formed": [],
    "unit_spent": [],
    "window_skipped": []
   },
   "rolls": {
    "all": [
     "area_resolved.detail.roll",
     "area_resolved.victims.*.roll",
     "attack_resolved.detail.against.roll",
     "attack_resolved.detail.roll",
     "attack_resolved.detail.saves.roll",
     "attack_resolved.detail.wounds.roll",
     "check_resolved.opposed.roll",
     "check_resolved.reroll.roll",
     "check_resolved.roll",
     "check_resolved.source.roll",
     "condition_lost.source.roll",
     "decision_closed.roll",
     "hurt.roll",
     "hurt.source.roll",
     "rolled.roll"
    ],
    "held": [
     "rolled.roll"
    ],
    "meanwhile": [
     "add_seat",
     "adjust",
     "answer",
     "assign_control",
     "change_seat",
     "create_encounter",
     "end_encounter",
     "force_pass",
     "note",
     "remove_seat",
     "rewind"
    ],
    "questions": [
     "reroll",
     "roll"
    ],
    "shared": {},
    "standing": [],
    "waiting": [
     "check_resolved.roll",
     "rolled.roll"
    ]
   }
  },
  {
   "ruleset": "seeker-d100",
   "versions": [
    "1",
    "2",
    "3"
   ],
   "actions": {
    "add_combatant": [
     "combatant.metadata",
     "combatant.name",
     "combatant.weapons.*.name"
    ],
    "add_seat": [
     "seat.metadata",
     "seat.name"
    ],
    "adjust": [
     "reason"
    ],
    "aim": [],
    "answer": [],
    "assign_control": [],
    "attack": [],
    "break_free": [],
    "called_shot": [],
    "change_seat": [
     "metadata",
     "name"
    ],
    "configure": [
     "metadata"
    ],
    "contribute": [],
    "create_encounter": [
     "combatants.*.metadata",
     "combatants.*.name",
     "combatants.*.weapons.*.name",
     "metadata",
     "seats.*.metadata",
     "seats.*.name",
     "sides.*.name",
     "state.combatants.*.metadata",
     "state.combatants.*.name",
     "state.combatants.*.weapons.*.name",
     "state.sides.*.name",
     "title"
    ],
    "disarm": [],
    "dodge": [],
    "end_encounter": [
     "reason"
    ],
    "end_turn": [],
    "erase": [],
    "force_pass": [
     "reason"
    ],
    "grapple": [
     "against"
    ],
    "move": [],
    "note": [
     "gm_text",
     "text"
    ],
    "release": [],
    "remove_combatant": [],
    "remove_seat": [],
    "resist": [],
    "reveal": [],
    "rewind": [],
    "set_terrain": [],
    "start_encounter": []
   },
   "effects": {
    "action_stopped": [],
    "adjusted": [
     "reason"
    ],
    "area_resolved": [],
    "attack_resolved": [],
    "check_resolved": [],
    "combatant_added": [
     "combatant.metadata",
     "combatant.name",
     "combatant.weapons.*.name"
    ],
    "combatant_removed": [],
    "condition_gained": [],
    "condition_lost": [],
    "contributed": [],
    "control_changed": [],
    "decision_closed": [],
    "decision_opened": [],
    "encounter_created": [
     "metadata",
     "sides.*.name",
     "state.combatants.*.metadata",
     "state.combatants.*.name",
     "state.combatants.*.weapons.*.name",
     "state.sides.*.name",
     "title"
    ],
    "encounter_ended": [
     "reason"
    ],
    "encounter_started": [],
    "erased": [],
    "felled": [],
    "healed": [],
    "hidden": [],
    "hurt": [],
    "item_changed": [],
    "link_changed": [],
    "moved": [],
    "noted": [
     "gm_text",
     "text"
    ],
    "options_set": [
     "metadata"
    ],
    "order_set": [],
    "parts_opened": [],
    "resource_changed": [],
    "revealed": [
     "combatant.metadata",
     "combatant.name",
     "combatant.weapons.*.name"
    ],
    "rewound": [],
    "rolled": [],
    "round_began": [],
    "seat_changed": [
     "seat.metadata",
     "seat.name"
    ],
    "seed_revealed": [],
    "stat_changed": [],
    "terrain_changed": [],
    "turn_began": [],
    "turn_ended": [],
    "window_skipped": []
   },
   "rolls": {
    "all": [
     "area_resolved.detail.roll",
     "area_resolved.victims.*.answered.roll",
     "area_resolved.victims.*.roll",
     "attack_resolved.answered.roll",
     "attack_resolved.detail.roll",
     "check_resolved.opposed.roll",
     "check_resolved.roll",
     "decision_closed.roll",
     "hurt.roll",
     "hurt.source.roll",
     "rolled.roll"
    ],
    "held": [],
    "meanwhile": [
     "add_seat",
     "adjust",
     "answer",
     "assign_control",
     "change_seat",
     "create_encounter",
     "end_encounter",
     "force_pass",
     "note",
     "remove_seat",
     "rewind"
    ],
    "questions": [
     "roll"
    ],
    "shared": {
     "area_resolved.victims.*.answered.roll": [
      "check_resolved.roll"
     ],
     "attack_resolved.answered.roll": [
      "check_resolved.roll"
     ],
     "hurt.source.roll": [
      "rolled.roll"
     ]
    },
    "standing": [
     "area_resolved.victims.*.answered.roll",
     "attack_resolved.answered.roll"
    ],
    "waiting": []
   }
  },
  {
   "ruleset": "squad-d100",
   "versions": [
    "1",
    "2",
    "3"
   ],
   "actions": {
    "add_combatant": [
     "combatant.grenades.*.name",
     "combatant.metadata",
     "combatant.name",
     "combatant.weapons.*.name"
    ],
    "add_seat": [
     "seat.metadata",
     "seat.name"
    ],
    "adjust": [
     "reason"
    ],
    "aimed_shot": [],
    "answer": [],
    "assign_control": [],
    "burst": [],
    "change_seat": [
     "metadata",
     "name"
    ],
    "configure": [
     "map.roster.*.grenades.*.name",
     "map.roster.*.items.grenades.*.name",
     "map.roster.*.items.weapons.*.name",
     "map.roster.*.weapons.*.name",
     "metadata"
    ],
    "contribute": [],
    "create_encounter": [
     "caches.*.grenades.*.name",
     "caches.*.weapons.*.name",
     "combatants.*.grenades.*.name",
     "combatants.*.metadata",
     "combatants.*.name",
     "combatants.*.weapons.*.name",
     "metadata",
     "seats.*.metadata",
     "seats.*.name",
     "sides.*.name",
     "state.caches.*.grenades.*.name",
     "state.caches.*.weapons.*.name",
     "state.combatants.*.grenades.*.name",
     "state.combatants.*.metadata",
     "state.combatants.*.name",
     "state.combatants.*.weapons.*.name",
     "state.sides.*.name",
     "title"
    ],
    "end_encounter": [
     "reason"
    ],
    "end_movement": [],
    "end_turn": [],
    "erase": [],
    "force_pass": [
     "reason"
    ],
    "kneel": [],
    "melee_attack": [],
    "move": [],
    "note": [
     "gm_text",
     "text"
    ],
    "pick_up": [],
    "reload": [],
    "remove_combatant": [],
    "remove_seat": [],
    "reveal": [],
    "rewind": [],
    "set_terrain": [],
    "snap_shots": [],
    "sprint": [],
    "stand": [],
    "start_encounter": [],
    "suppress": [],
    "throw_grenade": [],
    "toggle_door": []
   },
   "effects": {
    "action_stopped": [],
    "adjusted": [
     "reason"
    ],
    "area_resolved": [],
    "attack_resolved": [],
    "check_resolved": [],
    "combatant_added": [
     "combatant.grenades.*.name",
     "combatant.metadata",
     "combatant.name",
     "combatant.weapons.*.name"
    ],
    "combatant_removed": [],
    "condition_gained": [],
    "condition_lost": [],
    "contributed": [],
    "control_changed": [],
    "decision_closed": [],
    "decision_opened": [],
    "encounter_created": [
     "metadata",
     "sides.*.name",
     "state.caches.*.grenades.*.name",
     "state.caches.*.weapons.*.name",
     "state.combatants.*.grenades.*.name",
     "state.combatants.*.metadata",
     "state.combatants.*.name",
     "state.combatants.*.weapons.*.name",
     "state.sides.*.name",
     "title"
    ],
    "encounter_ended": [
     "reason"
    ],
    "encounter_started": [],
    "erased": [],
    "felled": [],
    "glyphs_folded": [],
    "healed": [],
    "hidden": [],
    "hurt": [],
    "items_taken": [
     "grenades.*.name",
     "weapons.*.name"
    ],
    "map_stocked": [
     "caches.*.grenades.*.name",
     "caches.*.weapons.*.name"
    ],
    "moved": [],
    "noted": [
     "gm_text",
     "text"
    ],
    "options_set": [
     "metadata"
    ],
    "order_set": [],
    "parts_opened": [],
    "phase_changed": [],
    "posture_changed": [],
    "resource_changed": [],
    "revealed": [
     "combatant.grenades.*.name",
     "combatant.metadata",
     "combatant.name",
     "combatant.weapons.*.name"
    ],
    "rewound": [],
    "rolled": [],
    "round_began": [],
    "seat_changed": [
     "seat.metadata",
     "seat.name"
    ],
    "seed_revealed": [],
    "stat_changed": [],
    "suppressed": [],
    "suppression_due": [],
    "suppression_ended": [],
    "terrain_changed": [],
    "turn_began": [],
    "turn_ended": [],
    "vigilance_no_shot": []
   },
   "rolls": {
    "all": [
     "area_resolved.detail.roll",
     "area_resolved.roll",
     "area_resolved.victims.*.roll",
     "attack_resolved.detail.roll",
     "attack_resolved.detail.scatter",
     "check_resolved.opposed.roll",
     "check_resolved.roll",
     "decision_closed.roll",
     "hurt.roll",
     "hurt.source.roll",
     "rolled.roll",
     "terrain_changed.source.roll"
    ],
    "held": [],
    "meanwhile": [
     "add_seat",
     "adjust",
     "answer",
     "assign_control",
     "change_seat",
     "create_encounter",
     "end_encounter",
     "force_pass",
     "note",
     "remove_seat",
     "rewind"
    ],
    "questions": [
     "roll"
    ],
    "shared": {
     "hurt.source.roll": [
      "rolled.roll"
     ]
    },
    "standing": [],
    "waiting": []
   }
  },
  {
   "ruleset": "tactical-d20",
   "versions": [
    "1",
    "2",
    "3"
   ],
   "actions": {
    "add_combatant": [
     "combatant.areas.*.name",
     "combatant.metadata",
     "combatant.name",
     "combatant.weapons.*.name"
    ],
    "add_seat": [
     "seat.metadata",
     "seat.name"
    ],
    "adjust": [
     "reason"
    ],
    "answer": [],
    "area_attack": [],
    "assign_control": [],
    "attack": [],
    "attack_cell": [],
    "change_seat": [
     "metadata",
     "name"
    ],
    "configure": [
     "metadata"
    ],
    "contribute": [],
    "create_encounter": [
     "combatants.*.areas.*.name",
     "combatants.*.metadata",
     "combatants.*.name",
     "combatants.*.weapons.*.name",
     "metadata",
     "seats.*.metadata",
     "seats.*.name",
     "sides.*.name",
     "state.combatants.*.areas.*.name",
     "state.combatants.*.metadata",
     "state.combatants.*.name",
     "state.combatants.*.weapons.*.name",
     "state.sides.*.name",
     "title"
    ],
    "drop_prone": [],
    "end_encounter": [
     "reason"
    ],
    "end_turn": [],
    "erase": [],
    "force_pass": [
     "reason"
    ],
    "move": [],
    "note": [
     "gm_text",
     "text"
    ],
    "remove_combatant": [],
    "remove_seat": [],
    "reveal": [],
    "rewind": [],
    "right_self": [],
    "set_terrain": [],
    "stand_up": [],
    "start_encounter": []
   },
   "effects": {
    "action_stopped": [],
    "adjusted": [
     "reason"
    ],
    "area_resolved": [],
    "attack_resolved": [],
    "combatant_added": [
     "combatant.areas.*.name",
     "combatant.metadata",
     "combatant.name",
     "combatant.weapons.*.name"
    ],
    "combatant_removed": [],
    "condition_gained": [],
    "condition_lost": [],
    "contributed": [],
    "control_changed": [],
    "decision_closed": [],
    "decision_opened": [],
    "encounter_created": [
     "metadata",
     "sides.*.name",
     "state.combatants.*.areas.*.name",
     "state.combatants.*.metadata",
     "state.combatants.*.name",
     "state.combatants.*.weapons.*.name",
     "state.sides.*.name",
     "title"
    ],
    "encounter_ended": [
     "reason"
    ],
    "encounter_started": [],
    "erased": [],
    "felled": [],
    "gravity_set": [],
    "healed": [],
    "hidden": [],
    "hurt": [],
    "item_changed": [],
    "link_changed": [],
    "moved": [],
    "noted": [
     "gm_text",
     "text"
    ],
    "options_set": [
     "metadata"
    ],
    "order_set": [],
    "parts_opened": [],
    "resource_changed": [],
    "revealed": [
     "combatant.areas.*.name",
     "combatant.metadata",
     "combatant.name",
     "combatant.weapons.*.name"
    ],
    "rewound": [],
    "rolled": [],
    "round_began": [],
    "seat_changed": [
     "seat.metadata",
     "seat.name"
    ],
    "seed_revealed": [],
    "stat_changed": [],
    "terrain_changed": [],
    "turn_began": [],
    "turn_ended": []
   },
   "rolls": {
    "all": [
     "area_resolved.detail.roll",
     "area_resolved.victims.*.roll",
     "attack_resolved.detail.miss_chance",
     "attack_resolved.detail.roll",
     "attack_resolved.guess.miss_chance",
     "decision_closed.roll",
     "hurt.roll",
     "hurt.source.roll",
     "rolled.roll"
    ],
    "held": [],
    "meanwhile": [
     "add_seat",
     "adjust",
     "answer",
     "assign_control",
     "change_seat",
     "create_encounter",
     "end_encounter",
     "force_pass",
     "note",
     "remove_seat",
     "rewind"
    ],
    "questions": [
     "roll"
    ],
    "shared": {
     "hurt.source.roll": [
      "rolled.roll"
     ]
    },
    "standing": [],
    "waiting": []
   }
  }
 ]
};
