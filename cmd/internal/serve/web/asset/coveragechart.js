// Draws how often the bounds have held over the last week, one chart a quantile.

import { figure } from "./chartbox.js";
import { el, table } from "./dom.js";
import { clock, count, day, level, name, percent } from "./format.js";
import { called, look } from "./predictors.js";

const step = 6, window = 24 * 3600e3; // h and ms

export function coverageCharts(scores) {
  const bins = pool(scores.hours);
  if (!bins.length) return null;
  const quantiles = [...new Set(scores.bounds.map(b => b.quantile))].sort((a, b) => b - a);
  return el("div", { class: "charts" }, quantiles.map(q => chart(q, scores, bins)));
}

// pool gives a point every six hours, which sums the 24 hours before it, since an hour
// has few answers. Points are in order of time.
function pool(hours) {
  const length = step * 3600e3, steps = new Map();
  for (const h of hours) {
    const at = Math.floor(new Date(h.start).getTime() / length) * length;
    if (!steps.has(at)) steps.set(at, []);
    steps.get(at).push(h.bounds);
  }
  if (!steps.size) return [];
  const bins = [], last = Math.max(...steps.keys()), first = Math.min(...steps.keys());
  for (let at = Math.min(last, first + window - length); at <= last; at += length) {
    const sums = hours[0].bounds.map(() => ({ settled: 0, held: 0 }));
    for (let t = at - window + length; t <= at; t += length) {
      for (const bounds of steps.get(t) ?? []) {
        bounds.forEach((b, i) => {
          if (!sums[i]) return;
          sums[i].settled += b.settled;
          sums[i].held += b.held;
        });
      }
    }
    bins.push({ at: at + length, bounds: sums });
  }
  return bins;
}

function chart(q, scores, bins) {
  const lines = scores.bounds.flatMap((b, i) => b.quantile === q ? [{
    predictor: b.predictor, all: b.coverage,
    points: bins.filter(bin => bin.bounds[i]?.settled > 0).map(bin => ({ at: bin.at, share: bin.bounds[i].held / bin.bounds[i].settled, settled: bin.bounds[i].settled, bin })),
  }] : []);
  const lowest = Math.min(q, ...lines.flatMap(l => l.points.map(p => p.share)));
  const at = (l, bin) => l.points.find(p => p.bin === bin);
  return figure({
    caption: `Bounds of ${level(q)}: share that held`,
    alt: lines.map(l => `${called(l.predictor)}: ${percent(l.all.week)} in the last week`).join("; ") + `; asked: ${level(q)}`,
    x: { title: "settled in the 24 hours before", kind: "clock" },
    y: { title: "share that held", kind: "share", min: Math.max(0, Math.floor((lowest - .05) * 10) / 10), max: 1 },
    places: bins.map(bin => shown(bin.at)),
    lines: [
      ...lines.map(l => ({ name: name(called(l.predictor), 30), color: look(l.predictor), values: bins.map(bin => at(l, bin)?.share) })),
      { name: "asked", color: 7, dash: "dashed", values: bins.map(() => q) },
    ],
    table: table(`Share of bounds of ${level(q)} that held`, ["24 hours until", ...lines.flatMap(l => [[name(called(l.predictor), 30), "n"], ["Answers", "n"]])],
      bins.map(bin => [`${day(new Date(bin.at))}, ${clock(new Date(bin.at), new Date(bin.at))}`, ...lines.flatMap(l => [percent(at(l, bin)?.share), count(at(l, bin)?.settled ?? 0)])])),
  });
}

// shown is a moment in seconds as charts have it: what a clock shows here.
const shown = ms => ms / 1000 - 60 * new Date(ms).getTimezoneOffset();
