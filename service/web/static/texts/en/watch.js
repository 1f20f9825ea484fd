export default {
  watch_title: "The table",
  observers_only: "This screen is for the whole room, so it takes an observer's seat only.",
  not_an_observer: "That seat sees more than the whole room may. Ask the game master for an observer's invitation.",
  closed: "This seat was removed, or the battle was deleted.",
  the_map: "The battle now",
  earlier: "Before that",
  not_begun: "The battle has not begun.",
  over: "The battle is over.",
  turn_of: "The turn of {who}",
  turn_hidden: "Somebody has the turn.",
};
