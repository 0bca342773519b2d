// A chart with a caption, a text alternative, and a table of the same numbers.
// chart.js, which the report uses too, draws it.

import { el, folded } from "./dom.js";

// figure draws lines over the points places. Each line has a name, a colour number and values:
// null breaks the line, and undefined is a missing value that does not.
export function figure({ caption, alt, x, y, places, lines, table }) {
  const box = el("div", { class: "plot" });
  const doc = { height: 210, x, y, lines: lines.map(l => ({ kind: "line", ...l })), data: [places, ...lines.map(l => l.values)] };
  charts.draw(box, doc, alt);
  return el("figure", {}, el("figcaption", {}, caption), box, folded("The numbers: " + caption, table));
}
