// A chart with a caption, a text that says the same, and a table of the same numbers.
// chart.js, which the report has too, draws it.

import { el, folded } from "./dom.js";

// figure draws lines over places: each line has a name, a colour number and its values, null
// where it breaks and undefined where it has none.
export function figure({ caption, alt, x, y, places, lines, table }) {
  const box = el("div", { class: "plot" });
  const doc = { height: 210, x, y, lines: lines.map(l => ({ kind: "line", ...l })), data: [places, ...lines.map(l => l.values)] };
  charts.draw(box, doc, alt);
  return el("figure", {}, el("figcaption", {}, caption), box, folded("The numbers: " + caption, table));
}
