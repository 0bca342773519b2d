// The queue now: running and pending jobs, free processors, and a table of the pending jobs.

import { byID, el, facts, keepOpen, table } from "./dom.js";
import { clock, count, duration, jobs, lost, name, none, percent } from "./format.js";

export const shownJobs = 200;

export function showQueue(queue) {
  const { state, partitions } = queue;
  keepOpen(byID("queue-list"),
    facts("key", [
      ["Running", count(state.running), "jobs"],
      ["Pending", count(state.pending), "jobs"],
      ["Processors", count(state.processors), ["available to jobs", lost(state.unavailable_processors)].filter(Boolean).join("; ")],
      ["Free", count(state.free_processors), state.processors > 0 ? percent(state.free_processors / state.processors) : null],
    ]),
    capacity(state),
    partitions.length > 1 || partitions[0]?.name ? byPartition(partitions) : null,
    pending(queue));
}

function capacity(state) {
  if (!(state.processors > 0)) return null;
  const used = Math.max(0, Math.min(state.processors, state.processors - state.free_processors));
  const words = `${count(used)} of ${count(state.processors)} processors are in use (${percent(used / state.processors)})`;
  return el("div", { class: "capacity" },
    el("progress", { "aria-label": words, max: state.processors, value: used }),
    el("p", { class: "about" }, words));
}

const byPartition = partitions => [
  el("h3", {}, "By partition"),
  table("The queue by partition", ["Partition", "State", ["Running", "n"], ["Pending", "n"], ["Processors", "n"], ["Largest job", "n"], ["Longest time limit", "n"]],
    partitions.map(p => [label(p.name), [name(p.state, 20), lost(p.unavailable_processors)].filter(Boolean).join("; "), count(p.running), count(p.pending), count(p.processors), p.max_size ? count(p.max_size) : none, duration(p.max_time_s)])),
];

const label = (text, most = 60) => el("span", { class: "cut", title: text ? name(text, 200) : null }, name(text, most) || none);

// columns of the table of pending jobs: heading, kind, function for the cell and, optionally, a
// predicate: the column is left out if it holds for no job.
const columns = [
  ["Job", null, j => name(j.label || j.id, 30)],
  ["Partition", null, j => label(j.partition, 30), j => j.partition],
  ["Processors", "n", j => count(j.size)],
  ["Time limit", "n", j => duration(j.time_s)],
  ["Waited", "n", j => duration(j.waited_s)],
  ["Place", "n", j => j.place ? count(j.place) : none],
  ["Simulated start", null, (j, now) => clock(j.expected_start, now)],
  ["The scheduler\u2019s forecast", null, (j, now) => clock(j.scheduler_own_start, now), j => j.scheduler_own_start],
  ["Reason", null, j => label(j.reason), j => j.reason],
];

function pending(queue) {
  const listed = queue.jobs.filter(j => j.state !== "running"), waiting = listed.filter(j => j.state === "pending");
  const held = listed.length - waiting.length, more = queue.state.pending - listed.length;
  const others = held > 0 ? el("p", { class: "about" }, `${jobs(held)} held, or waiting for something other than processors.`) : null;
  if (!waiting.length) return [el("h3", {}, "Pending jobs"), others ?? el("p", { class: "about" }, "No job is waiting.")];
  const shown = columns.filter(([, , , needed]) => !needed || waiting.some(needed));
  return [
    el("h3", {}, "Pending jobs"),
    el("div", { class: "tall" }, table("Pending jobs", shown.map(([heading, kind]) => kind ? [heading, kind] : heading),
      waiting.map(j => shown.map(([, , cell]) => cell(j, queue.state.time))))),
    more > 0 ? el("p", { class: "about" }, `${jobs(waiting.length)} of ${count(waiting.length + more)} are shown.`) : null,
    others,
  ];
}
