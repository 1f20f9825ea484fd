export default {
  in_feet: "{feet} ft",
  zoom_in: "Zoom in",
  zoom_out: "Zoom out",
  band_unhurt: "unhurt",
  band_hurt: "hurt",
  band_badly_hurt: "badly hurt",
  band_down: "down",
  has_turn: "has the turn",
  is_hidden: "hidden from others",
  is_out: "out of the fight",
};
