// Draws the errors of our expected starts beside those of the scheduler's own forecast.

import { figure, line, text } from "./chart.js";
import { svg, table } from "./dom.js";
import { count, minutes, none } from "./format.js";

const windows = { day: "last day", week: "last week", all: "all" };
const row = 56, top = 6, left = 74;

export function forecastChart(forecasts) {
  const shown = forecasts.filter(f => f.both > 0);
  const numbers = table("Errors of expected starts", ["Window", ["Jobs", "n"], ["With ours", "n"], ["With the scheduler\u2019s", "n"], ["With both", "n"],
    ["Our median error", "n"], ["The scheduler\u2019s", "n"], ["Our mean error", "n"], ["The scheduler\u2019s", "n"], ["Ratio of medians", "n"]],
  forecasts.map(f => [windows[f.window] ?? f.window, count(f.jobs), count(f.ours), count(f.theirs), count(f.both),
    minutes(f.ours_absolute_error_median_min), minutes(f.theirs_absolute_error_median_min),
    minutes(f.ours_absolute_error_mean_min), minutes(f.theirs_absolute_error_mean_min),
    f.median_error_ratio == null ? none : f.median_error_ratio.toFixed(2)]));
  if (!shown.length) return null;
  const highest = Math.max(...shown.flatMap(f => [f.ours_absolute_error_median_min, f.theirs_absolute_error_median_min])) || 1;
  const height = top + row * shown.length + 4;
  return figure({
    caption: "Median error of expected starts", height,
    alt: shown.map(f => `${windows[f.window] ?? f.window}: ours ${minutes(f.ours_absolute_error_median_min)}, the scheduler\u2019s ${minutes(f.theirs_absolute_error_median_min)}`).join("; "),
    draw: width => shown.map((f, i) => {
      const x = m => left + Math.max(1, (width - left - 150) * m / highest), y = top + row * i;
      const bar = (m, at, kind, words) => [
        svg("rect", { class: kind, x: left, y: at, width: x(m) - left, height: 18 }),
        text(x(m) + 6, at + 13, `${minutes(m)}, ${words}`),
      ];
      return [
        text(left - 8, y + 25, windows[f.window] ?? f.window, { "text-anchor": "end" }),
        bar(f.ours_absolute_error_median_min, y + 4, "ours", "ours"),
        bar(f.theirs_absolute_error_median_min, y + 24, "theirs", "the scheduler\u2019s"),
        line(left, y + 1, left, y + 45, { class: "axis" }),
      ];
    }),
    table: numbers,
  });
}
