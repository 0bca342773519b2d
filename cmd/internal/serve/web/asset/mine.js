// The user's own jobs, by number. The numbers are kept in the page's address and in the browser.

import { recommended } from "./answer.js";
import { get } from "./api.js";
import { byID, el, facts, keepOpen, say } from "./dom.js";
import { bound, clock, count, duration, level, name, none, percent } from "./format.js";
import { called } from "./predictors.js";

const key = "loadstone-jobs", most = 20;
let asked = [], turn = 0;

const numbers = text => text.split(/[\s,;]+/).filter(Boolean);

const remember = from => numbers(new URLSearchParams(from).get("jobs") ?? "");

const written = () => asked.length ? new URLSearchParams({ jobs: asked.join(",") }).toString() : "";

function take(from) {
  asked = from;
  byID("mine-jobs").value = asked.join(", ");
}

export function startMine() {
  let kept = "";
  try { kept = localStorage.getItem(key) ?? ""; } catch {}
  take(remember(location.hash.length > 1 ? location.hash.slice(1) : kept));
  addEventListener("hashchange", () => { take(remember(location.hash.slice(1))); refreshMine(); });
  byID("mine").addEventListener("submit", e => {
    e.preventDefault();
    take(numbers(byID("mine-jobs").value));
    history.replaceState(null, "", written() ? "#" + written() : location.pathname + location.search);
    try { localStorage.setItem(key, written()); } catch {}
    refreshMine();
  });
}

// refreshMine requests the jobs one after the other.
export async function refreshMine() {
  const own = ++turn, fault = byID("mine-fault");
  const wrong = asked.filter(j => !/^\d{1,18}([_+]\d+)?$/.test(j));
  if (wrong.length) return say(fault, `${name(wrong[0], 30)} is not a job number. Write numbers such as 12345, with commas between them.`);
  say(fault, "");
  if (!asked.length) return;
  const ids = [...new Set(asked)], more = Math.max(0, ids.length - most);
  try {
    const cards = [];
    for (const id of ids.slice(0, most)) {
      if (own !== turn) return;
      cards.push(await card(id));
    }
    if (own !== turn) return;
    keepOpen(byID("mine-list"), el("div", { class: "cards" }, cards),
      more > 0 ? el("p", { class: "about" }, `${count(more)} more are not shown.`) : null);
  } catch (e) {
    if (own === turn) say(fault, name(e.message, 300));
  }
}

async function card(id) {
  let got;
  try {
    got = await get("jobs/" + encodeURIComponent(id));
  } catch (e) {
    if (e.status !== 404 && e.status !== 400) throw e;
    return el("article", { class: "card" }, el("h3", {}, "Job " + name(id, 30)), el("p", { class: "about" }, name(e.message, 200)));
  }
  const { job } = got, now = got.state.time, waits = job.state === "pending" || job.state === "held";
  const rows = waits ? [
    ...got.withheld ? [["No start is predicted", name(got.withheld.text, 200)]] : bounds(got, now),
    job.expected_start ? ["Simulated start", clock(job.expected_start, now), "by the jobs that run and wait now"] : null,
    ["The scheduler\u2019s own forecast", clock(job.scheduler_own_start, now)],
    ["Place in the queue", job.place ? `${count(job.place)} of ${count(job.place_of)}` : none],
    job.reason ? ["Reason", name(job.reason, 60)] : null,
  ] : [["Started", clock(job.started, now)]];
  return el("article", { class: "card" },
    el("h3", {}, `Job ${name(job.label || job.id, 30)}: ${name(job.state, 20)}`),
    el("p", { class: "about cut" }, [`${count(job.size)} processors`, job.time_s == null ? "" : duration(job.time_s), name(job.partition, 30)].filter(Boolean).join(", ")),
    facts("facts", [...rows.filter(Boolean), [waits ? "Waiting since" : "Submitted", clock(job.submitted, now), job.waited_s == null ? null : `${duration(job.waited_s)}${waits ? " so far" : " waited"}`]]));
}

// bounds returns the bounds of the recommended predictor as moments, with the share of jobs for
// which they have held.
function bounds(got, now) {
  const p = recommended(got);
  if (!p) return [["Our bound", none, "no predictor has been tested on enough jobs"]];
  return p.bounds.filter(b => b.quantile >= .5).reverse().map(b => {
    const past = b.start_by && new Date(b.start_by) < new Date(now), term = `${level(b.quantile)} start by`;
    if (b.bound_s == null) return [term, none, "no bound yet"];
    return [term, past ? "missed" : clock(b.start_by, now), past ? `it has waited longer than ${bound(b.bound_s)}` : `${bound(b.bound_s)} from its submission; held for ${percent(b.coverage)}`];
  });
}
