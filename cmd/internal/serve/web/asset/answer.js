// Shows the answer to a question.

import { boundsChart } from "./boundschart.js";
import { byID, el, facts, folded, keepOpen, say, table } from "./dom.js";
import { bound, clock, count, duration, jobs, level, name, percent } from "./format.js";
import { called, grouped, restsOn } from "./predictors.js";

const first = answer => answer.predictions.find(p => p.recommended) ?? answer.predictions[0];

// headline is the answer in a sentence.
export function headline(answer) {
  const p = first(answer);
  const known = (p?.bounds ?? []).filter(b => b.bound_s != null).sort((a, b) => a.quantile - b.quantile);
  if (!known.length) {
    return answer.expected_wait_s == null
      ? "There is no bound for such a job yet."
      : `Starts in about ${duration(answer.expected_wait_s)}, without a bound yet.`;
  }
  const last = known.pop(), half = known.find(b => b.quantile === .5) ?? known[0];
  const sure = `Starts within ${bound(last.bound_s)} with ${level(last.quantile)} probability`;
  if (!half) return sure + ".";
  const part = half.quantile === .5 ? "half" : level(half.quantile);
  return `${sure}; ${part} of such jobs start within ${bound(half.bound_s)}.`;
}

export function showAnswer(answer) {
  const now = answer.state.time, p = first(answer);
  say(byID("headline"), headline(answer));
  const starts = [];
  if (answer.expected_start) starts.push(["Expected start", clock(answer.expected_start, now), answer.expected_by ? "by " + name(called(answer.expected_by), 30).toLowerCase() : null]);
  for (const b of p?.bounds ?? []) {
    if (b.start_by) starts.push([b.quantile === .5 ? "Half start by" : `${level(b.quantile)} start by`, clock(b.start_by, now)]);
  }
  keepOpen(byID("answer-body"),
    starts.length ? facts("key", starts) : null,
    p ? el("div", { class: "pair" }, boundsChart([p, ...answer.predictions.filter(o => o !== p)]), held(answer, p)) : null,
    details(answer, p));
}

// held says how often such bounds have held here, and how old the state is.
function held(answer, p) {
  const settled = Math.max(0, ...p.bounds.map(b => b.coverage.settled));
  return el("div", { class: "held" },
    el("h3", {}, "How often such bounds have held here"),
    settled
      ? table("How often such bounds have held here", ["Asked", ["Last day", "n"], ["Last week", "n"], ["All", "n"]],
        p.bounds.map(b => [level(b.quantile), percent(b.coverage.day), percent(b.coverage.week), percent(b.coverage.all)]))
      : el("p", { class: "about" }, "No job with such a bound has started yet."),
    el("p", { class: "about" }, settled ? `Based on ${jobs(settled)}. ` : "",
      `The state of the queue is ${duration(answer.state.age_s)} old${answer.state.stale ? ", which is too old to rely on" : ""}.`));
}

function details(answer, p) {
  const all = p ? [p, ...answer.predictions.filter(o => o !== p)] : [];
  return folded("Details, and other predictors",
    all.length ? table("All predictors", ["Predictor", ["Asked", "n"], ["Bound", "n"], ["Held, last day", "n"], ["Last week", "n"], ["All", "n"]],
      all.flatMap(o => o.bounds.map((b, i) => [i ? "" : name(called(o.predictor), 30), level(b.quantile), bound(b.bound_s), percent(b.coverage.day), percent(b.coverage.week), percent(b.coverage.all)]))) : null,
    el("ul", {},
      all.map(o => el("li", {}, `${name(called(o.predictor), 30)} rests on ${rests(o, answer.state)}.${o.recommended ? " It is recommended, by its scores on this machine." : ""}`)),
      all.some(o => o.recommended) ? null : el("li", {}, "None is recommended before more answers have been settled."),
      answer.left_out.map(l => el("li", {}, `${name(called(l.predictor), 30)} has no answer: ${name(l.why, 200)}.`)),
      (answer.warnings ?? []).map(w => el("li", {}, name(w.text, 300) + "."))));
}

// rests says what a prediction is made of, and its age if the state is newer.
function rests(p, state) {
  const group = p.group && grouped(p.predictor) ? `, in the group ${name(p.group, 80)}` : "";
  const old = p.age_s > (state.age_s ?? 0) + 1 ? `, ${duration(p.age_s)} old` : "";
  return `${restsOn(p.predictor) || "observations"} (${count(p.observations)}${group}${old})`;
}
