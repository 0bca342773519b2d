// Draws the bounds of each predictor: the wait against the share of jobs that start within it.

import { bound, duration, level, name } from "./format.js";
import { figure } from "./chartbox.js";
import { table } from "./dom.js";
import { called, look } from "./predictors.js";

export function boundsChart(predictions) {
  const shown = predictions.filter(p => p.bounds.some(b => b.bound_s != null));
  if (!shown.length) return null;
  const quantiles = [...new Set(shown.flatMap(p => p.bounds.map(b => b.quantile)))].sort((a, b) => a - b);
  const at = (p, q) => p.bounds.find(b => b.quantile === q)?.bound_s;
  return figure({
    caption: "Bounds of the wait, by predictor",
    alt: shown.map(p => `${called(p.predictor)}: ` + p.bounds.map(b => `${level(b.quantile)} within ${bound(b.bound_s)}`).join(", ")).join("; "),
    x: { title: "share of jobs that start within the bound", kind: "share", min: Math.min(.4, quantiles[0]), max: 1 },
    y: { title: "wait from now", kind: "duration" },
    places: quantiles,
    lines: shown.map(p => ({ name: name(called(p.predictor), 24), color: look(p.predictor), values: quantiles.map(q => positive(at(p, q))) })),
    table: table("Bounds of the wait", ["Predictor", ...quantiles.map(q => [level(q), "n"]), ["Expected", "n"]],
      shown.map(p => [name(called(p.predictor), 30), ...quantiles.map(q => bound(at(p, q))), duration(p.expected_wait_s)])),
  });
}

// positive returns a wait for a log axis: 0 is drawn at 1 s.
const positive = s => s == null ? undefined : Math.max(1, s);
