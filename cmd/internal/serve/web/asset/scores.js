// How often the answers have held.

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
    el("h3", {}, "Scores of all predictors"),
    table("Scores of all predictors",
      ["Predictor", ["Asked", "n"], ["Answers", "n"], ["Settled", "n"], ["Withdrawn", "n"], ["Open", "n"], ["Held", "n"], ["Pinball loss", "n"], ["Median bound", "n"]],
      scores.bounds.map(b => [name(called(b.predictor), 30), level(b.quantile), count(b.answers), count(b.coverage_jobs), count(b.censored), count(b.open),
        percent(b.coverage), minutes(b.pinball_loss_min), minutes(b.bound_median_min)])),
    folded("What the words mean", facts("facts", words)));
}

// summary returns a sentence on the recommended predictor's bound with the highest quantile.
function summary(scores) {
  const own = scores.bounds.filter(b => b.predictor === (scores.recommended || scores.bounds[0].predictor)).sort((a, b) => b.quantile - a.quantile)[0];
  if (!own?.coverage_jobs) return el("p", {}, `No ${level(own?.quantile ?? .95)} bound has been settled yet.`);
  return el("p", {}, `${scores.since ? `Since ${clock(scores.since, scores.state.time)}, ` : ""}${percent(own.coverage)} of ${jobs(own.coverage_jobs)} started within their ${level(own.quantile)} bound (${called(own.predictor)}).`);
}
