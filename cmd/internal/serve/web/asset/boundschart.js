// Draws the bounds of each predictor on one axis of time.

import { bound, level, name } from "./format.js";
import { figure, line, logScale, text, ticks } from "./chart.js";
import { svg, table } from "./dom.js";
import { called, look } from "./predictors.js";

const row = 40, top = 18, below = 40;

export function boundsChart(predictions) {
  const shown = predictions.filter(p => p.bounds.some(b => b.bound_s != null));
  if (!shown.length) return null;
  const all = shown.flatMap(p => [...p.bounds.map(b => b.bound_s), p.expected_wait_s]).filter(s => s != null);
  const low = Math.max(1, Math.min(...all) / 2), high = Math.max(10 * low, 1.5 * Math.max(...all));
  const height = top + row * shown.length + below;
  const draw = width => {
    const left = width < 420 ? 8 : 96, right = width - 12, bottom = top + row * shown.length;
    const x = logScale(low, high, left, right);
    return [
      ticks(low, high, (right - left) / 62).map(([s, words]) => [
        line(x(s), top, x(s), bottom, { class: "grid" }),
        text(x(s), bottom + 15, words, { "text-anchor": "middle" }),
      ]),
      line(left, bottom, right, bottom, { class: "axis" }),
      text((left + right) / 2, bottom + 33, "wait from now (log scale)", { "text-anchor": "middle", class: "title" }),
      shown.map((p, i) => bar(p, top + row * i + 24, x, left, width)),
    ];
  };
  return figure({
    caption: "Bounds of the wait, by predictor", height, draw,
    alt: shown.map(p => `${called(p.predictor)}: ` + p.bounds.map(b => `${level(b.quantile)} within ${bound(b.bound_s)}`).join(", ")).join("; "),
    table: table("Bounds of the wait", ["Predictor", ...shown[0].bounds.map(b => [level(b.quantile), "n"]), ["Expected", "n"]],
      shown.map(p => [name(called(p.predictor), 30), ...p.bounds.map(b => bound(b.bound_s)), bound(p.expected_wait_s)])),
  });
}

function bar(p, y, x, left, width) {
  const known = p.bounds.filter(b => b.bound_s != null);
  if (!known.length) return [];
  const own = look(p.predictor);
  const at = known.map(b => x(b.bound_s)), last = at[at.length - 1];
  let free = Infinity; // names of quantiles, from the right, where they do not overlap
  const names = known.map((b, i) => [at[i], level(b.quantile)]).reverse().filter(([px, words]) => {
    const half = words.length * 3.4;
    if (px + half > free - 4) return false;
    free = px - half;
    return true;
  });
  return [
    text(width < 420 ? left : left - 8, width < 420 ? y - 12 : y + 4, name(called(p.predictor), 14), { "text-anchor": width < 420 ? "start" : "end" }),
    line(left, y, last, y, { class: "reach" }),
    line(at[0], y, last, y, { class: "span l" + own }),
    at.map(px => line(px, y - 6, px, y + 6, { class: "mark l" + own })),
    names.map(([px, words]) => text(Math.min(px, width - 16), y - 10, words, { "text-anchor": "middle", class: "small" })),
    p.expected_wait_s == null ? null : svg("path", { d: `M${x(p.expected_wait_s)} ${y - 5}l5 5l-5 5l-5 -5z`, class: "expected" }),
  ];
}
