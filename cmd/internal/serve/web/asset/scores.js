// How often the answers have held, and how far off the expected starts were.

import { coverageCharts } from "./coveragechart.js";
import { byID, el, facts, folded, keepOpen, table } from "./dom.js";
import { clock, count, jobs, level, minutes, name, none, percent } from "./format.js";
import { called } from "./predictors.js";

const words = [
  ["Answers", "Jobs that were given this bound when they were submitted."],
  ["Settled", "Answers whose outcome is known: the job has started, or has waited longer than the bound."],
  ["Withdrawn", "Jobs that left the queue without a start, within the bound. They count neither for nor against it."],
  ["Open", "Jobs that wait, within the bound."],
  ["Held", "The share of settled answers whose wait was not longer than the bound. It should be near the share asked for: below it, bounds are too short; far above it, they are longer than they need to be."],
  ["Pinball loss", "One number for bounds that hold and are short: the smaller, the better. Compare it between predictors at one share, not between shares."],
  ["Median bound", "Half of the bounds were shorter."],
];

export function showScores(scores) {
  const some = scores.bounds.some(b => b.answers > 0);
  if (!some) {
    keepOpen(byID("scores-list"), el("p", { class: "about" }, "No answer has been given yet about a real job. Come back when jobs have been submitted and have started."));
    return;
  }
  keepOpen(byID("scores-list"),
    summary(scores),
    coverageCharts(scores),
    el("h3", {}, "Our forecast beside the scheduler\u2019s"),
    forecasts(scores.forecasts),
    el("h3", {}, "Scores of all predictors"),
    table("Scores of all predictors",
      ["Predictor", ["Asked", "n"], ["Answers", "n"], ["Settled", "n"], ["Withdrawn", "n"], ["Open", "n"], ["Held, day", "n"], ["Held, week", "n"], ["Held, all", "n"], ["Pinball loss", "n"], ["Median bound", "n"]],
      scores.bounds.map(b => [name(called(b.predictor), 30), level(b.quantile), count(b.answers), count(b.settled), count(b.censored), count(b.open),
        percent(b.coverage.day), percent(b.coverage.week), percent(b.coverage.all), minutes(b.pinball_loss_min), minutes(b.bound_median_min)])),
    folded("What the words mean", facts("facts", words)));
}

// summary tells the highest bound of the recommended predictor.
function summary(scores) {
  const own = scores.bounds.filter(b => b.predictor === (scores.recommended || scores.bounds[0].predictor)).sort((a, b) => b.quantile - a.quantile)[0];
  if (!own?.settled) return el("p", {}, `No ${level(own?.quantile ?? .95)} bound has been settled yet.`);
  return el("p", {}, `${scores.since ? `Since ${clock(scores.since, scores.state.time)}, ` : ""}${percent(own.coverage.all)} of ${jobs(own.settled)} started within their ${level(own.quantile)} bound (${called(own.predictor)}).`);
}

const windows = { day: "last day", week: "last week", all: "all" };

function forecasts(all) {
  const whole = all.find(f => f.window === "all") ?? all[all.length - 1];
  if (!whole?.jobs) return el("p", { class: "about" }, "No job submitted since the service began has been seen waiting and then started yet.");
  const share = n => `${count(n)} (${percent(n / whole.jobs)})`;
  return [
    el("p", {}, `${jobs(whole.jobs)} seen waiting ${whole.jobs === 1 ? "has" : "have"} started. When first seen, ${share(whole.ours)} had a forecast of ours and ${share(whole.theirs)} one of the scheduler\u2019s.${whole.absolute_error_median_min == null ? "" : ` Half of ours were at most ${minutes(whole.absolute_error_median_min)} off.`}${whole.both ? ` Errors are compared on the ${count(whole.both)} that had both.` : whole.theirs ? " There is nothing to compare yet." : ""}`),
    whole.both ? table("Errors of expected starts", ["Window", ["Jobs", "n"], ["With ours", "n"], ["With the scheduler\u2019s", "n"], ["With both", "n"],
      ["Our median error", "n"], ["The scheduler\u2019s", "n"], ["Our mean error", "n"], ["The scheduler\u2019s", "n"], ["Ratio of medians", "n"]],
    all.map(f => [windows[f.window] ?? f.window, count(f.jobs), count(f.ours), count(f.theirs), count(f.both),
      minutes(f.ours_absolute_error_median_min), minutes(f.theirs_absolute_error_median_min),
      minutes(f.ours_absolute_error_mean_min), minutes(f.theirs_absolute_error_mean_min),
      f.median_error_ratio == null ? none : f.median_error_ratio.toFixed(2)])) : null,
  ];
}
