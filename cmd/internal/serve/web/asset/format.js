// Formats numbers, times and names for people, and parses times written by people.

export const none = "\u2013";

const unit = (n, name) => n + "\u00a0" + name;

const two = n => String(n).padStart(2, "0");

// duration formats seconds with at most two units. Bounds are rounded up, so that the result
// is still a bound.
export function duration(seconds, round = Math.round) {
  if (seconds == null) return none;
  if (seconds < 0) return "\u2212" + duration(-seconds, round);
  const s = round(seconds);
  if (s < 60) return unit(s, "s");
  if (s < 600) return pair(s, 60, "min", "s");
  const min = round(seconds / 60);
  if (min < 60) return unit(min, "min");
  if (min < 1440) return pair(min, 60, "h", "min");
  const h = round(seconds / 3600);
  if (h < 240) return pair(h, 24, "d", "h");
  return unit(round(seconds / 86400), "d");
}

function pair(n, per, big, small) {
  const rest = n % per;
  return unit(Math.floor(n / per), big) + (rest ? "\u00a0" + unit(rest, small) : "");
}

export const bound = seconds => duration(seconds, Math.ceil);

const units = { d: 86400, day: 86400, days: 86400, h: 3600, hour: 3600, hours: 3600, m: 60, min: 60, minute: 60, minutes: 60, s: 1, sec: 1, second: 1, seconds: 1 };

// readDuration parses "2 h 30 min", "90m", and the forms of sbatch's --time: minutes,
// minutes:seconds, hours:minutes:seconds, days-hours, days-hours:minutes and
// days-hours:minutes:seconds. It returns seconds, or NaN.
export function readDuration(text) {
  text = text.trim().toLowerCase();
  if (/^\d+$/.test(text)) return 60 * text;
  let m = /^(\d+)-(\d+)(?::(\d+))?(?::(\d+))?$/.exec(text);
  if (m) return 86400 * m[1] + 3600 * m[2] + 60 * (m[3] ?? 0) + +(m[4] ?? 0);
  m = /^(?:(\d+):)?(\d+):(\d+)$/.exec(text);
  if (m) return 3600 * (m[1] ?? 0) + 60 * m[2] + +m[3];
  let sum = 0;
  const rest = text.replace(/(\d+(?:\.\d+)?)\s*([a-z]+)[\s,]*/g, (all, n, of) => {
    sum += n * (units[of] ?? NaN);
    return "";
  });
  return rest === "" && text !== "" ? Math.round(sum) : NaN;
}

const days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

export const day = t => `${days[t.getDay()]} ${t.getDate()} ${months[t.getMonth()]}`;

// clock formats a moment, with its date if it is not on the same day as from.
export function clock(moment, from) {
  if (!moment) return none;
  const t = new Date(moment), now = new Date(from);
  const time = two(t.getHours()) + ":" + two(t.getMinutes());
  if (t.getFullYear() !== now.getFullYear()) return `${day(t)} ${t.getFullYear()}, ${time}`;
  return t.toDateString() === now.toDateString() ? time : `${day(t)}, ${time}`;
}

export const count = n => n == null ? none : String(n).replace(/\B(?=(\d{3})+$)/g, ",");

export const jobs = n => count(n) + (n === 1 ? " job" : " jobs");

export const percent = share => share == null ? none : unit(+(100 * share).toFixed(1), "%");

export const level = quantile => unit(+(100 * quantile).toFixed(4), "%");

// lost lists the processors that are not available, such as "64 drained".
export const lost = unavailable => Object.entries(unavailable ?? {}).filter(([, n]) => n > 0).map(([why, n]) => `${count(n)} ${why}`).join(", ");

// configured returns the number of processors of a machine or a partition, available or not.
export const configured = m => m.processors + Object.values(m.unavailable_processors ?? {}).reduce((a, b) => a + b, 0);

export const minutes = m => m == null ? none : duration(60 * m);

// name makes text from outside safe to show: it replaces control characters and characters
// that change the direction of writing, and cuts the text to most characters.
export function name(text, most = 60) {
  const all = [...String(text ?? "").slice(0, 4 * most)];
  const safe = all.slice(0, most).join("").replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "\ufffd");
  return safe + (all.length > most ? "\u2026" : "");
}
