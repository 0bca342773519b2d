// Keeps the page up to date: polls the service every 30 s, with one request after the other,
// but not while the page is hidden.

import { get, hasToken, setToken } from "./api.js";
import { askNow, limits, startAsking } from "./ask.js";
import { byID, say } from "./dom.js";
import { configured, name } from "./format.js";
import { refreshMine, startMine } from "./mine.js";
import { showQueue, shownJobs } from "./queue.js";
import { showScores } from "./scores.js";
import { showDead, showStatus } from "./status.js";

const period = 30000, scorePeriod = 300000;
let timer, busy = false, last = -Infinity, scored = -Infinity, denied = false;

async function refresh() {
  clearTimeout(timer);
  if (busy || document.hidden) return;
  busy = true;
  last = Date.now();
  denied = false;
  try {
    const status = await get("status");
    showStatus(status);
    if (status.phase !== "learning" || status.state.processors > 0) await all();
  } catch (fault) {
    if (!denied) showDead(fault);
  }
  busy = false;
  timer = setTimeout(refresh, period);
}

// all updates each part, even if another one fails.
async function all() {
  await part("queue-fault", async () => {
    const queue = await get("jobs", { limit: shownJobs });
    limits(queue.partitions, configured(queue.state));
    showQueue(queue);
  });
  await askNow();
  await refreshMine();
  if (Date.now() - scored < scorePeriod) return;
  await part("scores-fault", async () => {
    showScores(await get("scores"));
    scored = Date.now();
  });
}

async function part(fault, work) {
  try {
    await work();
    say(byID(fault), "");
  } catch (e) {
    say(byID(fault), name(e.message, 300));
  }
}

document.addEventListener("unauthorized", () => {
  denied = true;
  const form = byID("token");
  say(byID("status"), hasToken() ? "The service refuses this token." : "The service asks for a token.");
  byID("status").className = "remark warning";
  if (!form.hidden) return;
  form.hidden = false;
  byID("token-value").focus();
});

byID("token").addEventListener("submit", e => {
  e.preventDefault();
  setToken(byID("token-value").value.trim());
  byID("token-value").value = "";
  byID("token").hidden = true;
  refresh();
});

document.addEventListener("visibilitychange", () => {
  clearTimeout(timer);
  if (document.hidden) return;
  timer = setTimeout(refresh, Math.max(0, last + period - Date.now()));
});

startAsking();
startMine();
refresh();
