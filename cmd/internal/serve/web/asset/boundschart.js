// Draws the bounds of each predictor on one axis of time.

import { bound, duration, level, name } from "./format.js";
import { figure, line, logScale, text, ticks } from "./chart.js";
import { svg, table } from "./dom.js";
import { called, look } from "./predictors.js";

const row = 50, top = 6, below = 40, left = 8;

export function boundsChart(predictions) {
  const shown = predictions.filter(p => p.bounds.some(b => b.bound_s != null));
  if (!shown.length) return null;
  const all = shown.flatMap(p => [...p.bounds.map(b => b.bound_s), p.expected_wait_s]).filter(s => s != null);
  const low = Math.max(1, Math.min(...all) / 2), high = Math.max(10 * low, 1.5 * Math.max(...all));
  const height = top + row * shown.length + below;
  const draw = width => {
    const right = width - 16, bottom = top + row * shown.length;
    const x = logScale(low, high, left, right);
    return [
      ticks(low, high, (right - left) / 62).map(([s, words]) => [
        line(x(s), top, x(s), bottom, { class: "grid" }),
        text(Math.max(x(s), left + 8), bottom + 15, words, { "text-anchor": "middle" }),
      ]),
      line(left, bottom, right, bottom, { class: "axis" }),
      text((left + right) / 2, bottom + 33, "wait from now (log scale)" + (shown.some(p => p.expected_wait_s != null) ? ", \u25c6 expected" : ""), { "text-anchor": "middle" }),
      shown.map((p, i) => bar(p, top + row * i, x, width)),
    ];
  };
  const quantiles = [...new Set(shown.flatMap(p => p.bounds.map(b => b.quantile)))].sort((a, b) => a - b);
  return figure({
    caption: "Bounds of the wait, by predictor", height, draw,
    alt: shown.map(p => `${called(p.predictor)}: ` + p.bounds.map(b => `${level(b.quantile)} within ${bound(b.bound_s)}`).join(", ")).join("; "),
    table: table("Bounds of the wait", ["Predictor", ...quantiles.map(q => [level(q), "n"]), ["Expected", "n"]],
      shown.map(p => [name(called(p.predictor), 30), ...quantiles.map(q => bound(p.bounds.find(b => b.quantile === q)?.bound_s)), duration(p.expected_wait_s)])),
  });
}

// bar is a predictor's row: its name, the shares, and below them the bounds.
function bar(p, y, x, width) {
  const known = p.bounds.filter(b => b.bound_s != null);
  if (!known.length) return [];
  const own = look(p.predictor), middle = y + 38;
  const at = known.map(b => x(b.bound_s)), last = at[at.length - 1];
  let free = Infinity; // shares are named from the right, where they do not overlap
  const names = known.map((b, i) => [Math.min(at[i], width - 18), level(b.quantile)]).reverse().filter(([px, words]) => {
    const half = words.length * 3.4;
    if (px + half > free - 4) return false;
    free = px - half;
    return true;
  });
  return [
    text(left, y + 13, name(called(p.predictor), 24)),
    line(left, middle, at[0], middle, { class: "reach" }),
    line(at[0], middle, last, middle, { class: "span l" + own }),
    at.map(px => line(px, middle - 6, px, middle + 6, { class: "mark l" + own })),
    names.map(([px, words]) => text(Math.max(px, left + 10), y + 27, words, { "text-anchor": "middle", class: "small" })),
    p.expected_wait_s == null ? null : svg("path", { d: `M${x(p.expected_wait_s)} ${middle - 5}l5 5l-5 5l-5 -5z`, class: "expected" }),
  ];
}
