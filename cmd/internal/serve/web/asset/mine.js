// The user's own jobs: by number, or by user where the service shows users. What was
// asked for stays in the page's address and in the browser.

import { recommended } from "./answer.js";
import { get } from "./api.js";
import { byID, el, facts, keepOpen, say } from "./dom.js";
import { bound, clock, count, duration, level, name, none, percent } from "./format.js";
import { called } from "./predictors.js";

const key = "loadstone-jobs", most = 20;
let asked = { jobs: [], user: "" }, turn = 0;

const numbers = text => text.split(/[\s,;]+/).filter(Boolean);

function remember(from) {
  const p = new URLSearchParams(from);
  return { jobs: numbers(p.get("jobs") ?? ""), user: p.get("user") ?? "" };
}

const written = () => new URLSearchParams([["jobs", asked.jobs.join(",")], ["user", asked.user]].filter(p => p[1])).toString();

function take(from) {
  asked = from;
  byID("mine-jobs").value = asked.jobs.join(", ");
  byID("mine-user").value = asked.user;
  if (asked.user) byID("mine-by-user").hidden = false;
}

export function startMine() {
  let kept = "";
  try { kept = localStorage.getItem(key) ?? ""; } catch {}
  take(remember(location.hash.length > 1 ? location.hash.slice(1) : kept));
  addEventListener("hashchange", () => { take(remember(location.hash.slice(1))); refreshMine(); });
  byID("mine").addEventListener("submit", e => {
    e.preventDefault();
    take({ jobs: numbers(byID("mine-jobs").value), user: byID("mine-user").value.trim() });
    history.replaceState(null, "", written() ? "#" + written() : location.pathname + location.search);
    try { localStorage.setItem(key, written()); } catch {}
    refreshMine();
  });
}

// showUsers lets the user ask by user.
export function showUsers() {
  byID("mine-by-user").hidden = false;
}

// refreshMine asks for each job in turn.
export async function refreshMine() {
  const own = ++turn, fault = byID("mine-fault");
  const wrong = asked.jobs.filter(j => !/^\d{1,18}([_+]\d+)?$/.test(j));
  if (wrong.length) return say(fault, `${name(wrong[0], 30)} is not a job number. Write numbers such as 12345, with commas between them.`);
  say(fault, "");
  if (!asked.jobs.length && !asked.user) return;
  let ids = [...new Set(asked.jobs)], more = 0;
  try {
    if (asked.user) {
      const found = await get("jobs", { user: asked.user, limit: 2 * most }); // pending ones first
      const waiting = found.jobs.filter(j => j.state === "pending" || j.state === "held");
      ids = [...new Set([...ids, ...waiting.map(j => j.label || String(j.id))])];
      if (waiting.length === found.jobs.length) more = found.more;
    }
    more += Math.max(0, ids.length - most);
    const cards = [];
    for (const id of ids.slice(0, most)) {
      if (own !== turn) return;
      cards.push(await card(id));
    }
    if (own !== turn) return;
    keepOpen(byID("mine-list"), cards.length ? el("div", { class: "cards" }, cards) : el("p", { class: "about" }, "No pending job was found."),
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
    el("p", { class: "about cut" }, [`${count(job.size)} processors`, job.time_s == null ? "" : duration(job.time_s), name(job.partition, 30), name(job.user, 30)].filter(Boolean).join(", ")),
    facts("facts", [...rows.filter(Boolean), [waits ? "Waiting since" : "Submitted", clock(job.submitted, now), job.waited_s == null ? null : `${duration(job.waited_s)}${waits ? " so far" : " waited"}`]]));
}

// bounds are those of the recommended predictor, as moments, with how often they hold.
function bounds(got, now) {
  const p = recommended(got);
  if (!p) return [["Our bound", none, "no predictor has been tested on enough jobs"]];
  return p.bounds.filter(b => b.quantile >= .5).reverse().map(b => {
    const past = b.start_by && new Date(b.start_by) < new Date(now), term = `${level(b.quantile)} start by`;
    if (b.bound_s == null) return [term, none, "no bound yet"];
    return [term, past ? "missed" : clock(b.start_by, now), past ? `it has waited longer than ${bound(b.bound_s)}` : `${bound(b.bound_s)} from its submission; held for ${percent(b.coverage.all)}`];
  });
}
