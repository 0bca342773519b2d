// Draws the JSON of package figure with uPlot, in the report and on the page of the live service:
// drag across to zoom, double-click to see the whole chart, point to see values. In a document
// made by a page, a value of undefined is missing and does not break its line; null breaks it.
const charts = (() => {
"use strict";

const color = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

const two = n => String(n).padStart(2, "0");
const short = v => String(+v.toPrecision(4));

// Ticks of time axes, in familiar units, as in the pictures of package figure.
const times = [
  [.001, "1 ms"], [.01, "10 ms"], [.1, "0.1 s"], [1, "1 s"], [10, "10 s"], [60, "1 min"], [600, "10 min"],
  [3600, "1 h"], [36000, "10 h"], [86400, "1 d"], [864000, "10 d"], [8640000, "100 d"], [86400000, "1000 d"],
];
const finer = [
  [2, "2 s"], [5, "5 s"], [20, "20 s"], [30, "30 s"], [120, "2 min"], [300, "5 min"], [1200, "20 min"], [1800, "30 min"],
  [7200, "2 h"], [18000, "5 h"], [172800, "2 d"], [432000, "5 d"],
];
const duration = s => {
  for (const [unit, name] of [[86400, "d"], [3600, "h"], [60, "min"]]) {
    if (s >= 2 * unit) return short(s / unit) + " " + name;
  }
  return short(s) + " s";
};

const kinds = {
  clock: {
    scale: { time: true },
    text: v => {
      const t = new Date(v * 1000);
      return `${t.getUTCFullYear()}-${two(t.getUTCMonth() + 1)}-${two(t.getUTCDate())} ${two(t.getUTCHours())}:${two(t.getUTCMinutes())}`;
    },
  },
  days: { scale: { time: false }, text: short },
  number: { scale: { time: false }, text: short },
  share: { scale: { time: false }, text: v => (100 * v).toFixed(1) + " %", ticks: v => short(100 * v) + " %" },
  duration: {
    scale: { time: false, distr: 3 }, text: duration,
    splits: (low, high) => {
      const inside = all => all.filter(t => t[0] >= low && t[0] <= high);
      let at = inside(times);
      if (at.length < 4) at = inside(times.concat(finer)).sort((a, b) => a[0] - b[0]);
      if (at.length < 2) return [low, high];
      return at.map(t => t[0]);
    },
    ticks: v => (times.concat(finer).find(t => t[0] === v) || [0, duration(v)])[1],
  },
};

const dashes = [[], [7, 4], [2, 3], [9, 3, 2, 3], [4, 4], [11, 3], [1, 3]];

function series(line, y, places) {
  const i = (line.color - 1) % 7, own = line.color ? color("--c" + (i + 1)) : color("--data");
  const dash = line.dash === "dashed" ? [6, 4] : line.dash === "solid" || !line.color ? [] : dashes[i];
  const s = {
    label: line.name, value: (u, v) => v == null ? "\u2013" : y.text(v), spanGaps: false,
    stroke: own, width: line.color ? 1.5 : 3, dash, points: { show: places <= 40 && line.dash !== "dashed", size: 5, fill: own },
  };
  if (line.kind === "step" || line.kind === "level") {
    Object.assign(s, { paths: uPlot.paths.stepped({ align: 1 }), points: { show: false } });
    if (line.kind === "step") Object.assign(s, { width: 1, fill: color("--area") });
  }
  if (line.kind === "points") Object.assign(s, { value: () => "", paths: () => null, points: { show: drawMarks } });
  return s;
}

function axis(of, side, size) {
  const kind = kinds[of.kind];
  const a = {
    label: of.title, labelSize: 20, labelFont: "12px system-ui, sans-serif", font: "11px system-ui, sans-serif",
    stroke: color("--ink"), grid: { stroke: color("--grid"), width: 1 }, ticks: { stroke: color("--grid"), width: 1, size: 5 },
    side, size, gap: 4,
  };
  if (kind.splits) {
    a.splits = (u, n, low, high) => kind.splits(low, high);
    a.filter = (u, splits) => splits;
  }
  if (of.kind === "clock") {
    a.space = 72;
    a.values = (u, splits, i, space, step) => {
      let day = "";
      return splits.map(v => {
        const [date, time] = kind.text(v).split(" ");
        if (step >= 360 * 86400) return date.slice(0, 4);
        if (step >= 28 * 86400) return date.slice(0, 7);
        if (step >= 86400 || date !== day) { day = date; return step >= 86400 ? date : time + "\n" + date; }
        return time;
      });
    };
  }
  if (kind.ticks) a.values = (u, splits) => splits.map(kind.ticks);
  // Labels that would overlap are left out.
  if (kind.splits) {
    const all = a.values, isX = side === 2;
    a.values = (u, splits) => {
      let last = null;
      return all(u, splits).map((text, i) => {
        const at = u.valToPos(splits[i], isX ? "x" : "y"), half = isX ? text.length * 3.2 + 3 : 6;
        if (last && Math.abs(at - last.at) < half + last.half) return "";
        last = { at, half };
        return text;
      });
    };
  }
  return a;
}

function options(doc, width, values) {
  const x = kinds[doc.x.kind], y = kinds[doc.y.kind];
  const at = doc.data[0], low = doc.x.min ?? at[0], high = doc.x.max ?? at[at.length - 1];
  return {
    width, height: doc.height ?? Math.round(Math.max(230, Math.min(340, width * .5))),
    padding: [10, doc.x.kind === "clock" ? 34 : 20, 0, 0],
    tzDate: t => uPlot.tzDate(new Date(t * 1000), "Etc/UTC"),
    scales: {
      x: { ...x.scale, range: (u, min, max) => [min ?? low, max ?? high] },
      y: { ...y.scale, range: (u, min, max) => [doc.y.min ?? min, doc.y.max ?? (max > min ? max + .05 * (max - min) : min + 1)] },
    },
    axes: [axis(doc.x, 2, doc.x.kind === "clock" ? 46 : 34), axis(doc.y, 3, 48)],
    series: [
      { label: doc.x.title, value: (u, v) => v == null ? "\u2013" : x.text(v) },
      ...doc.lines.map(line => series(line, y, at.length)),
    ],
    hooks: {
      setCursor: [u => values?.pointed(u), u => u.root.classList.toggle("idle", u.cursor.idx == null)],
      setScale: [(u, scale) => scale === "x" && values?.zoomed(u)],
    },
    legend: { live: true, markers: { width: 0, fill: "transparent" } }, // sampleLines draws the markers
    focus: { alpha: .75 }, // of the other lines and their names, which stay legible
    cursor: { drag: { x: true, y: false, setScale: true }, focus: { prox: 24 }, bind: { dblclick: u => () => whole(u, doc) } },
  };
}

// drawMarks draws triangles with their tips at the points.
function drawMarks(u, k) {
  const r = 5 * devicePixelRatio;
  u.ctx.fillStyle = color("--ink");
  u.data[k].forEach((v, i) => {
    const x = u.valToPos(u.data[0][i], "x", true), top = u.valToPos(v, "y", true);
    if (v == null || x < u.bbox.left || x > u.bbox.left + u.bbox.width) return;
    u.ctx.beginPath();
    u.ctx.moveTo(x, top);
    u.ctx.lineTo(x - r, top + 1.5 * r);
    u.ctx.lineTo(x + r, top + 1.5 * r);
    u.ctx.fill();
  });
}

// zoom changes the range of X by a factor, around the pointer or else its middle, within the whole
// range.
function zoom(u, doc, factor) {
  const log = kinds[doc.x.kind].scale.distr === 3;
  const to = log ? Math.log : v => v, from = log ? Math.exp : v => v;
  const at = doc.data[0];
  const first = to(doc.x.min ?? at[0]), last = to(doc.x.max ?? at[at.length - 1]);
  const low = to(u.scales.x.min), high = to(u.scales.x.max);
  const cursor = u.cursor.left >= 0 ? to(u.posToVal(u.cursor.left, "x")) : (low + high) / 2;
  const f = (cursor - low) / (high - low);
  const span = Math.min(last - first, (high - low) * factor);
  let start = cursor - f * span;
  start = Math.max(first, Math.min(last - span, start));
  u.setScale("x", { min: from(start), max: from(start + span) });
}

function whole(u, doc) {
  const at = doc.data[0];
  u.setScale("x", { min: doc.x.min ?? at[0], max: doc.x.max ?? at[at.length - 1] });
}

// sampleLines draws a piece of each line before its name in the legend, since colours
// alone do not distinguish lines.
function sampleLines(u, doc) {
  const markers = u.root.querySelectorAll(".u-legend .u-marker");
  for (const [i, line] of doc.lines.entries()) {
    const s = u.series[i + 1], canvas = document.createElement("canvas"), ctx = canvas.getContext("2d");
    canvas.width = 28 * devicePixelRatio;
    canvas.height = 12 * devicePixelRatio;
    ctx.scale(devicePixelRatio, devicePixelRatio);
    ctx.beginPath();
    if (line.kind === "points") {
      ctx.moveTo(14, 1);
      ctx.lineTo(9, 10);
      ctx.lineTo(19, 10);
      ctx.fillStyle = color("--ink");
      ctx.fill();
    } else {
      ctx.strokeStyle = s.stroke(u, i + 1);
      ctx.lineWidth = s.width;
      ctx.setLineDash(s.dash || []);
      ctx.moveTo(0, 6);
      ctx.lineTo(28, 6);
      ctx.stroke();
    }
    markers[i + 1].replaceChildren(canvas);
  }
}

// slider returns a slider that moves the pointer along the visible points of the chart,
// one per key press, and announces the values there.
function slider(box, doc) {
  const x = doc.data[0];
  const input = document.createElement("input");
  input.type = "range";
  input.max = x.length - 1;
  input.value = x.length >> 1;
  const said = i => [kinds[doc.x.kind].text(x[i]), ...doc.lines.flatMap((line, k) => {
    const y = doc.data[k + 1][i];
    return y == null ? [] : line.name + " " + kinds[doc.y.kind].text(y);
  })].join(", ");
  const name = () => input.setAttribute("aria-valuetext", said(+input.value));
  const point = () => {
    const u = box.chart;
    u.setCursor({ left: u.valToPos(x[+input.value], "x"), top: u.over.clientHeight / 2 });
    name();
  };
  input.addEventListener("input", point);
  input.addEventListener("focus", point);
  name();
  const label = document.createElement("label");
  label.append("Values", input);
  return {
    label,
    pointed: u => {
      if (u.cursor.idx == null) return;
      input.value = u.cursor.idx;
      name();
    },
    zoomed: u => {
      const { min, max } = u.scales.x;
      const first = x.findIndex(v => v >= min), last = x.findLastIndex(v => v <= max);
      if (first < 0 || last < first) return; // no point is visible
      input.min = first;
      input.max = last;
      name();
    },
  };
}

function button(text, click) {
  const b = document.createElement("button");
  b.type = "button";
  b.textContent = text;
  b.addEventListener("click", click);
  return b;
}

// draw draws a document in a box, and redraws it whenever the width or the colours change. With
// tools, it adds buttons and a slider after the box.
function draw(box, doc, label, tools) {
  box.setAttribute("role", "img");
  box.setAttribute("aria-label", label);
  const values = tools && slider(box, doc);
  if (tools) {
    const row = document.createElement("div");
    row.className = "tools";
    row.append(
      button("Zoom in", () => zoom(box.chart, doc, .5)),
      button("Zoom out", () => zoom(box.chart, doc, 2)),
      button("Reset", () => whole(box.chart, doc)),
      values.label,
      "Drag across to zoom; point, tap or slide for values.",
    );
    box.after(row);
  }
  const make = () => {
    if (!box.clientWidth) return; // in a collapsed section
    const range = box.chart && { min: box.chart.scales.x.min, max: box.chart.scales.x.max };
    if (box.chart) box.chart.destroy();
    box.chart = new uPlot(options(doc, box.clientWidth, values), doc.data, box);
    // uPlot caches the chart's position, which changes when something above is opened.
    box.chart.over.addEventListener("mousemove", () => box.chart.syncRect(true), true);
    sampleLines(box.chart, doc);
    box.chart.root.classList.add("idle"); // the pointer is not on a point
    if (range) box.chart.setScale("x", range);
    else whole(box.chart, doc);
  };
  let width = 0;
  const resized = () => {
    if (box.clientWidth === width || !box.clientWidth) return;
    width = box.clientWidth;
    make();
  };
  resized();
  new ResizeObserver(resized).observe(box);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => box.isConnected && make());
}

return { draw, button };
})();
