// For a batch connect app of Open OnDemand: copy this file as form.js to the folder of form.yml.
// Below the form, it shows how long such a session would wait. The portal must forward
// /loadstone/ to the service: see apache.conf.
"use strict";

(() => {
  const field = (name) => document.getElementById("batch_connect_session_context_" + name);
  const cores = field("num_cores"), hours = field("bc_num_hours"), queue = field("bc_queue");
  const form = (cores || hours || queue || {}).form;
  if (!form) return;

  const hint = document.createElement("p");
  hint.setAttribute("role", "status");
  form.append(hint);

  const words = (seconds) => {
    if (seconds < 90) return "a minute";
    if (seconds < 5400) return Math.round(seconds / 60) + " minutes";
    return Math.round(seconds / 3600) + " hours";
  };

  let asked = 0;
  const ask = async () => {
    const query = new URLSearchParams({ size: (cores && cores.value) || "1" });
    if (hours && hours.value) query.set("time", String(3600 * Number(hours.value)));
    if (queue && queue.value) query.set("partition", queue.value);
    const turn = ++asked;
    let text = "";
    try {
      const response = await fetch("/loadstone/v1/wait?" + query);
      const answer = await response.json();
      const best = (answer.predictions || []).find((p) => p.recommended);
      const bound = best && best.bounds.find((b) => b.quantile === 0.95);
      if (answer.withheld) {
        if (answer.withheld.reason !== "stale") text = "Such a session cannot start now: " + answer.withheld.text + ".";
      } else if (bound && bound.bound_s !== null) {
        text = "Such a session starts within " + words(bound.bound_s) + ": such answers have held for " + (100 * bound.coverage).toFixed(0) + " % of " + bound.coverage_jobs + " jobs.";
      } else if (response.status === 422) {
        text = answer.detail; // such as a size that is too large for the partition
      }
    } catch {
      text = ""; // the form works without the hint
    }
    if (turn === asked) hint.textContent = text;
  };

  let timer;
  form.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(ask, 300);
  });
  ask();
})();
