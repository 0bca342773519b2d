// Shows the answer to a question.

import { boundsChart } from "./boundschart.js";
import { byID, el, facts, folded, keepOpen, say, table } from "./dom.js";
import { bound, clock, count, duration, jobs, level, name, percent } from "./format.js";
import { called, grouped, restsOn } from "./predictors.js";

// recommended returns the recommended prediction; undefined if there is none.
export const recommended = answer => answer.predictions.find(p => p.recommended);

// headline returns the answer in a sentence. It states only a bound of the recommended
// predictor, with the share of jobs for which that bound has held.
export function headline(answer) {
  const { withheld, state } = answer;
  if (withheld?.reason === "stale") return `No prediction: the state of the queue is ${duration(state.age_s)} old, too old to rely on.`;
  if (withheld) return `No such job can start now: ${name(withheld.text, 200)}.`;
  const best = recommended(answer)?.bounds.filter(b => b.bound_s != null).sort((a, b) => a.quantile - b.quantile).pop();
  if (best) return `Starts within ${bound(best.bound_s)}: the ${level(best.quantile)} bound, which has held for ${percent(best.coverage)} of ${jobs(best.coverage_jobs)}.`;
  return "No tested prediction yet: see the details.";
}

export function showAnswer(answer) {
  const now = answer.state.time, best = recommended(answer);
  say(byID("headline"), headline(answer));
  keepOpen(byID("answer-body"),
    (answer.warnings ?? []).map(w => el("p", { class: "remark warning" }, name(w.text, 300) + ".")),
    best ? facts("key", best.bounds.filter(b => b.start_by).map(b => [`${level(b.quantile)} start by`, clock(b.start_by, now), `held for ${percent(b.coverage)}`])) : null,
    best ? boundsChart(answer.predictions) : null,
    el("p", { class: "about" }, `The state of the queue is ${duration(answer.state.age_s)} old.`),
    details(answer, best));
}

function details(answer, best) {
  const all = answer.predictions;
  if (!all.length && !answer.left_out.length) return null;
  return folded("Details, and other predictors",
    all.length && !best ? [el("p", { class: "about" }, "These predictors have not been tested on enough jobs here."), boundsChart(all)] : null,
    all.length ? table("All predictors", ["Predictor", ["Asked", "n"], ["Bound", "n"], ["Held for", "n"], ["Of jobs", "n"]],
      all.flatMap(o => o.bounds.map((b, i) => [i ? "" : name(called(o.predictor), 30), level(b.quantile), bound(b.bound_s), percent(b.coverage), count(b.coverage_jobs)]))) : null,
    el("ul", {},
      all.map(o => el("li", {}, `${name(called(o.predictor), 30)} rests on ${rests(o)}.${o.recommended ? " It is recommended, by its scores on this machine." : ""}`)),
      best ? null : el("li", {}, "No predictor is recommended yet: a recommendation needs a bound for such a job, and fifty answers whose outcome is known."),
      answer.left_out.map(l => el("li", {}, `${name(called(l.predictor), 30)} has no answer: ${name(l.why, 200)}.`))));
}

// rests describes the observations on which a prediction rests.
function rests(p) {
  const group = p.group && grouped(p.predictor) ? `, in the group ${name(p.group, 80)}` : "";
  return `${restsOn(p.predictor) || "observations"} (${count(p.observations)}${group})`;
}
