// Draws how often the bounds have held over the last week, one chart a quantile.

import { dashes, figure, legend, line, text } from "./chart.js";
import { el, svg, table } from "./dom.js";
import { clock, count, day, level, name, percent } from "./format.js";
import { called, look } from "./predictors.js";

const height = 220, top = 10, bottom = 168, left = 52;
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
  const low = Math.max(0, Math.floor((lowest - .05) * 10) / 10);
  const to = bins[bins.length - 1].at, from = Math.min(bins[0].at, to - window);
  return figure({
    caption: `Bounds of ${level(q)}: share that held`, height,
    alt: lines.map(l => `${called(l.predictor)}: ${percent(l.all.week)} in the last week`).join("; ") + `; asked: ${level(q)}`,
    legend: legend([...lines.map(l => [name(called(l.predictor), 30), look(l.predictor)]), ["asked", 0]]),
    draw: width => picture(width, lines, q, low, from, to),
    table: table(`Share of bounds of ${level(q)} that held`, ["24 hours until", ...lines.flatMap(l => [[name(called(l.predictor), 30), "n"], ["Answers", "n"]])],
      bins.map(bin => [`${day(new Date(bin.at))}, ${clock(new Date(bin.at), new Date(bin.at))}`, ...lines.flatMap(l => {
        const p = l.points.find(p => p.bin === bin);
        return [percent(p?.share), count(p?.settled ?? 0)];
      })])),
  });
}

function picture(width, lines, q, low, from, to) {
  const right = width - 10;
  const x = t => left + (right - left) * (t - from) / (to - from), y = s => bottom - (bottom - top) * (s - low) / (1 - low);
  const steps = 1 - low > .55 ? .2 : .1, levels = [];
  for (let s = 1; s > low - 1e-9; s -= steps) levels.push(s);
  return [
    levels.map(s => [line(left, y(s), right, y(s), { class: "grid" }), text(left - 6, y(s) + 4, Math.round(100 * s) + " %", { "text-anchor": "end" })]),
    midnights(from, to, (right - left) / 52).map(t => [line(x(t), top, x(t), bottom, { class: "grid" }),
      text(x(t), bottom + 15, day(new Date(t)).slice(4), { "text-anchor": x(t) > right - 20 ? "end" : "middle" })]),
    line(left, bottom, right, bottom, { class: "axis" }),
    text((left + right) / 2, bottom + 34, "settled in the 24 hours before", { "text-anchor": "middle", class: "title" }),
    line(left, y(q), right, y(q), { class: "asked" }),
    lines.map(l => {
      const own = look(l.predictor);
      const at = l.points.map(p => `${x(p.at).toFixed(1)} ${y(p.share).toFixed(1)}`);
      return [
        at.length > 1 ? svg("path", { d: "M" + at.join("L"), class: "line l" + own, "stroke-dasharray": dashes[own - 1] }) : null,
        l.points.map(p => svg("circle", { cx: x(p.at).toFixed(1), cy: y(p.share).toFixed(1), r: 2.5, class: "dot d" + own })),
      ];
    }),
  ];
}

// midnights are the beginnings of days between two moments, not more than there is room
// for.
function midnights(from, to, most) {
  const all = [], t = new Date(from);
  t.setHours(0, 0, 0, 0);
  for (; t.getTime() <= to; t.setDate(t.getDate() + 1)) if (t.getTime() >= from) all.push(t.getTime());
  const every = Math.max(1, Math.ceil(all.length / Math.max(1, most)));
  return all.filter((_, i) => i % every === 0);
}
