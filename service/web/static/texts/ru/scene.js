export default {
  in_feet: "{feet} фт",
  zoom_in: "Ближе",
  zoom_out: "Дальше",
  band_unhurt: "невредим",
  band_hurt: "ранен",
  band_badly_hurt: "тяжело ранен",
  band_down: "выбыл",
  has_turn: "его ход",
  is_hidden: "скрыт от других",
  is_out: "вне боя",
};
