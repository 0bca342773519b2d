// What the charts share: a frame that is drawn again when its width changes, axes, and a
// table of the same numbers.

import { el, folded, svg } from "./dom.js";

export const dashes = ["", "7 4", "2 3", "9 3 2 3", "4 4", "11 3", "1 3"];

// figure is a chart with a caption, a text that says the same, and a table. draw gives
// the elements of the picture for a width, and height is fixed, so that nothing moves
// when the picture comes.
export function figure({ caption, alt, height, draw, legend, table }) {
  const picture = svg("svg", { class: "chart", role: "img", "aria-label": alt, height });
  const plot = el("div", { class: "plot" }, picture);
  let drawn = 0;
  new ResizeObserver(() => {
    const width = Math.floor(plot.clientWidth);
    if (width === drawn || width < 50) return;
    drawn = width;
    picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
    picture.setAttribute("width", width);
    picture.replaceChildren(...draw(width).flat(3).filter(Boolean));
  }).observe(plot);
  return el("figure", {}, el("figcaption", {}, caption), legend, plot, folded("The numbers: " + caption, table));
}

export const text = (x, y, words, attributes) => svg("text", { x, y, ...attributes }, words);

export const line = (x1, y1, x2, y2, attributes) => svg("line", { x1, y1, x2, y2, ...attributes });

// legend names lines of colours and dashes. Each entry is [name, colour number].
export const legend = entries => el("ul", { class: "legend" }, entries.map(([words, look]) =>
  el("li", {}, svg("svg", { width: 26, height: 10, "aria-hidden": "true" }, look
    ? line(1, 5, 25, 5, { class: "line l" + look, "stroke-dasharray": dashes[look - 1] })
    : line(1, 5, 25, 5, { class: "asked" })), words)));

const times = [
  [1, "1 s"], [10, "10 s"], [60, "1 min"], [600, "10 min"], [3600, "1 h"], [36000, "10 h"],
  [86400, "1 d"], [864000, "10 d"], [8640000, "100 d"],
];
const finer = [
  [2, "2 s"], [5, "5 s"], [20, "20 s"], [30, "30 s"], [120, "2 min"], [300, "5 min"], [1200, "20 min"], [1800, "30 min"],
  [7200, "2 h"], [18000, "5 h"], [172800, "2 d"], [432000, "5 d"],
];

// ticks are durations between two others that people think in, as [seconds, name], not
// more than there is room for.
export function ticks(low, high, most) {
  const inside = all => all.filter(t => t[0] >= low && t[0] <= high);
  let at = inside(times);
  if (at.length < 3) at = inside([...times, ...finer]).sort((a, b) => a[0] - b[0]);
  const every = Math.max(1, Math.ceil(at.length / Math.max(2, most)));
  return at.filter((t, i) => i % every === 0);
}

// logScale places durations from low to high between two pixels; what is outside is
// drawn at the edge.
export function logScale(low, high, from, to) {
  const span = Math.log(high / low) || 1;
  return s => from + (to - from) * Math.log(Math.min(high, Math.max(low, s)) / low) / span;
}
