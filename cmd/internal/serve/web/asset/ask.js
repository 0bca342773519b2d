// The question: its fields and sliders, and requests when they change.

import { showAnswer } from "./answer.js";
import { latest } from "./api.js";
import { byID, el, say } from "./dom.js";
import { configured, count, duration, name, readDuration } from "./format.js";
import { sizeSteps, slide, timeSteps } from "./slider.js";

const ask = latest();
const pause = 250; // ms without a change before a request
let partitions = [], processors = 0, timer;

const size = slide("size", {
  read: t => /^[\d,\s]+$/.test(t) ? +t.replace(/[,\s]/g, "") : NaN,
  write: count, spoken: n => count(n) + (n === 1 ? " processor" : " processors"),
  fault: high => `Enter a whole number from 1 to ${count(high)}.`, changed: soon,
});
const time = slide("time", {
  read: readDuration, write: duration, spoken: duration,
  fault: high => `Enter a time of at most ${duration(high)}, such as 2 h 30 min.`, changed: soon,
});
const partition = byID("partition");

// limits sets the machine's partitions and size, which limit the sliders.
export function limits(all, machine) {
  if (JSON.stringify([all.map(p => [p.name, configured(p), p.max_size, p.max_time_s]), machine]) === limits.last) return;
  limits.last = JSON.stringify([all.map(p => [p.name, configured(p), p.max_size, p.max_time_s]), machine]);
  partitions = all;
  processors = machine;
  const chosen = partition.value, named = all.filter(p => p.name);
  partition.replaceChildren(el("option", { value: "" }, "default"), ...named.map(p => el("option", { value: p.name }, name(p.name, 40))));
  partition.value = all.some(p => p.name === chosen) ? chosen : "";
  byID("partition-field").hidden = all.length < 2;
  byID("partition-field").classList.remove("unknown");
  reach();
}

function reach() {
  const of = partitions.find(p => p.name === partition.value && p.name !== "") ?? (partitions.length === 1 ? partitions[0] : null);
  const some = of ? [of] : partitions;
  const longest = some.length && some.every(p => p.max_time_s != null) ? Math.max(...some.map(p => p.max_time_s)) : 7 * 86400;
  const widest = of ? of.max_size || configured(of) || processors : processors;
  size.limit(sizeSteps(widest || 1024));
  time.limit(timeSteps(longest || 7 * 86400));
}

function soon() {
  clearTimeout(timer);
  timer = setTimeout(askNow, pause);
}

// askNow requests an answer for the values of the fields, unless one of them is invalid.
export async function askNow() {
  clearTimeout(timer);
  if (size.value() == null || time.value() == null) return;
  const answer = byID("answer"), fault = byID("answer-fault");
  answer.setAttribute("aria-busy", "true");
  try {
    const got = await ask("wait", { size: size.value(), time: time.value(), partition: partition.value });
    if (!got) return; // superseded by a later request
    fault.hidden = true;
    answer.classList.remove("old");
    showAnswer(got);
  } catch (e) {
    fault.hidden = false;
    say(fault, name(e.message, 300));
    answer.classList.add("old");
    if (byID("headline").textContent === "\u2026") say(byID("headline"), "There is no answer yet.");
  }
  answer.setAttribute("aria-busy", "false");
}

export function startAsking() {
  size.limit(sizeSteps(1024));
  time.limit(timeSteps(7 * 86400));
  size.set(64);
  time.set(7200);
  partition.addEventListener("change", () => { reach(); soon(); });
  byID("ask").addEventListener("submit", e => { e.preventDefault(); askNow(); });
}
