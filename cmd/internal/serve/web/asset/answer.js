// Shows the answer to a question.

import { boundsChart } from "./boundschart.js";
import { byID, el, facts, folded, keepOpen, say, table } from "./dom.js";
import { bound, clock, count, duration, jobs, level, name, percent } from "./format.js";
import { called, grouped, restsOn } from "./predictors.js";

// recommended is the prediction that is the answer; undefined where there is none.
export const recommended = answer => answer.predictions.find(p => p.recommended);

// headline is the answer in a sentence. It promises what the recommended predictor does,
// with how often that has held; nothing else is a promise.
export function headline(answer) {
  const { withheld, state, past_waits: past } = answer;
  if (withheld?.reason === "stale") return `No prediction: the state of the queue is ${duration(state.age_s)} old, too old to rely on.`;
  if (withheld) return `No such job can start now: ${name(withheld.text, 200)}.`;
  const best = recommended(answer)?.bounds.filter(b => b.bound_s != null).sort((a, b) => a.quantile - b.quantile).pop();
  if (best) return `Starts within ${bound(best.bound_s)}: the ${level(best.quantile)} bound, which has held for ${percent(best.coverage.all)} of ${jobs(best.coverage.settled)}.`;
  if (!past) return "No tested prediction yet, and no job has started that could be compared.";
  return `No tested prediction yet. Of the latest ${like(past)}, ${waited(past)}.`;
}

const like = p => `${jobs(p.jobs)}${p.sizes ? ` with ${p.sizes} processors` : " of all sizes"}${p.partition ? ` in ${name(p.partition, 40)}` : ""}`;

const waited = past => past.waits.map((w, i) => `${level(w.quantile)} ${i ? "" : "waited "}at most ${duration(w.wait_s)}`).join(", ");

export function showAnswer(answer) {
  const now = answer.state.time, best = recommended(answer);
  say(byID("headline"), headline(answer));
  keepOpen(byID("answer-body"),
    (answer.warnings ?? []).map(w => el("p", { class: "remark warning" }, name(w.text, 300) + ".")),
    best ? facts("key", best.bounds.filter(b => b.start_by).map(b => [`${level(b.quantile)} start by`, clock(b.start_by, now), `held for ${percent(b.coverage.all)}`])) : past(answer),
    best ? el("div", { class: "pair" }, boundsChart(answer.predictions), held(best)) : null,
    el("p", { class: "about" }, `The state of the queue is ${duration(answer.state.age_s)} old.`),
    details(answer, best));
}

// past shows what earlier jobs have waited, which is no prediction.
function past({ past_waits: p, state }) {
  if (!p) return null;
  return [
    el("h3", {}, "What earlier jobs have waited"),
    facts("key", p.waits.map(w => [`${level(w.quantile)} waited at most`, duration(w.wait_s)])),
    el("p", { class: "about" }, `The latest ${like(p)}, since ${clock(p.since, state.time)}. This is the past, not a prediction.`),
  ];
}

// held says how often such bounds have held here.
function held(p) {
  const settled = Math.max(0, ...p.bounds.map(b => b.coverage.settled));
  return el("div", { class: "held" },
    el("h3", {}, "How often such bounds have held here"),
    table("How often such bounds have held here", ["Asked", ["Last day", "n"], ["Last week", "n"], ["All", "n"]],
      p.bounds.map(b => [level(b.quantile), percent(b.coverage.day), percent(b.coverage.week), percent(b.coverage.all)])),
    el("p", { class: "about" }, `Based on ${jobs(settled)}.`));
}

function details(answer, best) {
  const all = answer.predictions;
  if (!all.length && !answer.left_out.length) return null;
  return folded("Details, and other predictors",
    all.length && !best ? [el("p", { class: "about" }, "These predictors have not been tested on enough jobs here."), boundsChart(all)] : null,
    all.length ? table("All predictors", ["Predictor", ["Asked", "n"], ["Bound", "n"], ["Held, last day", "n"], ["Last week", "n"], ["All", "n"]],
      all.flatMap(o => o.bounds.map((b, i) => [i ? "" : name(called(o.predictor), 30), level(b.quantile), bound(b.bound_s), percent(b.coverage.day), percent(b.coverage.week), percent(b.coverage.all)]))) : null,
    el("ul", {},
      all.map(o => el("li", {}, `${name(called(o.predictor), 30)} rests on ${rests(o, answer.state)}.${o.recommended ? " It is recommended, by its scores on this machine." : ""}`)),
      best ? null : el("li", {}, "None is recommended: that takes a bound for such a job, and a hundred answers whose outcome is known."),
      answer.left_out.map(l => el("li", {}, `${name(called(l.predictor), 30)} has no answer: ${name(l.why, 200)}.`))),
    best ? past(answer) : null);
}

// rests says what a prediction is made of, and its age if the state is newer.
function rests(p, state) {
  const group = p.group && grouped(p.predictor) ? `, in the group ${name(p.group, 80)}` : "";
  const old = p.age_s > (state.age_s ?? 0) + 1 ? `, ${duration(p.age_s)} old` : "";
  return `${restsOn(p.predictor) || "observations"} (${count(p.observations)}${group}${old})`;
}
