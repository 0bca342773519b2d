// The line below the title: the age of the state, and any faults.

import { byID, say } from "./dom.js";
import { clock, count, duration, name } from "./format.js";

let contact = null, shown = "";

// line sets the status. Screen readers announce a fault once.
function line(kind, text) {
  const at = byID("status");
  at.className = kind ? "remark " + kind : "remark";
  say(at, text);
  const news = kind || (shown ? "ok" : "");
  if (news !== shown) say(byID("announce"), kind ? text : "The state of the queue is up to date again.");
  shown = news;
}

export function showStatus(status) {
  contact = Date.now();
  const { state } = status;
  byID("learning").hidden = status.phase !== "learning";
  const at = `The queue as of ${clock(state.time, Date.now())}`, old = duration(state.age_s);
  if (status.phase === "learning") {
    line("learning", `Learning from the history: ${count(status.events_learned)} events so far. Answers follow when that is done.`);
  } else if (state.stale) {
    const polls = status.polls_failed_in_a_row, failed = polls === 1 ? "The latest poll of the scheduler has failed" : `The latest ${count(polls)} polls of the scheduler have failed`;
    line("warning", `${at}, ${old} old. ${polls > 0 ? failed : "The scheduler has not answered since"}${status.last_fault ? ": " + name(status.last_fault, 200) : ""}. Nothing is predicted from so old a state.`);
  } else if (status.phase === "ended") {
    line("", `${at}. The source has ended: nothing changes any more.`);
  } else {
    line("", `${at}, ${old} old, from ${name(status.source, 80)}.`);
  }
}

// showDead shows that the service itself does not answer.
export function showDead(fault) {
  byID("learning").hidden = true;
  const since = contact == null ? "" : ` It last did ${duration((Date.now() - contact) / 1000)} ago, and what you see is from then.`;
  line("warning", name(fault.message, 300) + since);
}
