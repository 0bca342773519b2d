// Draws the figures that have a chart with uPlot: drag across or press the
// buttons to zoom, double click for the whole, point or move the slider for the
// values.
(() => {
"use strict";

const color = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

const two = n => String(n).padStart(2, "0");
const short = v => String(+v.toPrecision(4));

// Times in the units people think in, as the pictures have them.
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
  processors: {
    scale: { time: false, distr: 3, log: 2 }, text: short,
    splits: (low, high) => {
      const all = [];
      for (let k = Math.ceil(Math.log2(low)); k <= Math.log2(high); k++) all.push(2 ** k);
      return all.length < 2 ? [low, high] : all;
    },
    ticks: short,
  },
};

const dashes = [[], [7, 4], [2, 3], [9, 3, 2, 3], [4, 4], [11, 3], [1, 3]];

function series(line, y) {
  const s = { label: line.name, value: (u, v) => v == null ? "\u2013" : y.text(v), spanGaps: false };
  const i = (line.color - 1) % 7, own = line.color ? color("--c" + (i + 1)) : color("--data");
  switch (line.kind) {
  case "identity":
    return { ...s, stroke: color("--data"), width: 1, points: { show: false } };
  case "step":
    return { ...s, stroke: own, width: 1, fill: color("--area"), paths: uPlot.paths.stepped({ align: 1 }), points: { show: false } };
  case "level":
    return { ...s, stroke: own, width: 1.5, dash: [], paths: uPlot.paths.stepped({ align: 1 }), points: { show: false } };
  case "limit":
    return { ...s, stroke: color("--ink"), width: 1.5, dash: [6, 4], points: { show: false } };
  case "points":
    return { ...s, stroke: own, paths: () => null, points: { show: true, size: 4, fill: own } };
  }
  return { ...s, stroke: own, width: line.color ? 1.5 : 3, dash: dashes[i] || [], points: { show: false } };
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
  // Labels that would run into each other are left out.
  if (side === 2 && kind.splits) {
    const all = a.values;
    a.values = (u, splits) => {
      let end = -1e9;
      return all(u, splits).map((text, i) => {
        const at = u.valToPos(splits[i], "x"), half = text.length * 3.2;
        if (at - half < end + 6) return "";
        end = at + half;
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
    width, height: Math.round(doc.cells ? Math.max(280, Math.min(420, width * .8)) : Math.max(230, Math.min(340, width * .5))),
    padding: [10, doc.x.kind === "clock" ? 34 : 14, 0, 0],
    tzDate: t => uPlot.tzDate(new Date(t * 1000), "Etc/UTC"),
    scales: {
      x: { ...x.scale, range: (u, min, max) => [min ?? low, max ?? high] },
      y: { ...y.scale, range: (u, min, max) => [doc.y.min ?? min, doc.y.max ?? (max > min ? max + .05 * (max - min) : min + 1)] },
    },
    axes: [axis(doc.x, 2, doc.x.kind === "clock" ? 46 : 34), axis(doc.y, 3, 48)],
    series: [
      { label: doc.x.title, value: (u, v) => v == null ? "\u2013" : x.text(v) },
      ...doc.lines.map(line => series(line, y)),
    ],
    hooks: {
      drawAxes: doc.cells ? [u => drawCells(u, doc.cells)] : [],
      draw: doc.y.max == null ? [] : [u => drawOff(u, doc)],
      setCursor: [values.pointed, u => u.root.classList.toggle("idle", u.cursor.idx == null)],
      setScale: [(u, scale) => scale === "x" && values.zoomed(u)],
    },
    legend: { live: true, markers: { width: 0, fill: "transparent" } }, // sampleLines draws them
    focus: { alpha: .75 }, // of the other lines and their names, which stay legible
    cursor: { drag: { x: true, y: false, setScale: true }, focus: { prox: 24 }, bind: { dblclick: u => () => whole(u, doc) } },
  };
}

// drawCells fills the squares of a scatter plot, darker for more jobs.
function drawCells(u, cells) {
  const at = (n, scale) => u.valToPos(cells.side ** n, scale, true);
  const most = Math.log(Math.max(2, ...cells.at.map(c => c[2])));
  const { left, top, width, height } = u.bbox;
  u.ctx.save();
  u.ctx.beginPath();
  u.ctx.rect(left, top, width, height);
  u.ctx.clip();
  u.ctx.fillStyle = color("--ink");
  for (const [i, j, jobs] of cells.at) {
    const x = at(i, "x"), y = at(j + 1, "y");
    u.ctx.globalAlpha = .16 + .74 * Math.log(jobs) / most;
    u.ctx.fillRect(x, y, at(i + 1, "x") - x + .5, at(j, "y") - y + .5);
  }
  u.ctx.restore();
}

// drawOff marks the values beyond the end of the vertical axis.
function drawOff(u, doc) {
  const { left, top, width } = u.bbox, r = 5 * devicePixelRatio;
  u.ctx.save();
  u.ctx.fillStyle = color("--ink");
  for (const values of u.data.slice(1)) {
    values.forEach((v, i) => {
      if (v == null || v <= doc.y.max) return;
      const x = u.valToPos(u.data[0][i], "x", true);
      if (x < left || x > left + width) return;
      u.ctx.beginPath();
      u.ctx.moveTo(x, top);
      u.ctx.lineTo(x - r, top + 1.5 * r);
      u.ctx.lineTo(x + r, top + 1.5 * r);
      u.ctx.fill();
    });
  }
  u.ctx.restore();
}

// zoom changes the range of X by a factor around its middle, within the whole.
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

// sampleLines puts a piece of each line before its name: colours alone do not
// tell the lines apart.
function sampleLines(u, doc) {
  const drawn = doc.lines.map((line, i) => ({ ...u.series[i + 1], dot: line.kind === "points" }));
  const markers = u.root.querySelectorAll(".u-legend .u-marker");
  for (const [i, s] of drawn.entries()) {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    const sample = document.createElementNS(svg.namespaceURI, s.dot ? "circle" : "line");
    const stroke = s.stroke(u, i + 1);
    const all = s.dot ? { cx: 14, cy: 6, r: 3, fill: stroke } : { x1: 0, y1: 6, x2: 28, y2: 6, stroke, "stroke-width": s.width, "stroke-dasharray": (s.dash || []).join(" ") };
    for (const [name, value] of Object.entries(all)) sample.setAttribute(name, value);
    svg.setAttribute("viewBox", "0 0 28 12");
    svg.append(sample);
    markers[i + 1].replaceChildren(svg);
  }
}

// slider moves the pointer along the places of the chart that are in view, one
// at a key press, and says the values there.
function slider(figure, doc) {
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
    const u = figure.chart;
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
      if (first < 0 || last < first) return; // between two places
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

function draw(figure) {
  const doc = JSON.parse(document.getElementById(figure.dataset.chart).textContent);
  const still = figure.querySelector(".still");
  const box = document.createElement("div");
  box.className = "plot";
  box.setAttribute("role", "img");
  box.setAttribute("aria-label", still.querySelector("svg").getAttribute("aria-label"));
  const tools = document.createElement("div");
  tools.className = "tools";
  const values = slider(figure, doc);
  tools.append(
    button("Zoom in", () => zoom(figure.chart, doc, .5)),
    button("Zoom out", () => zoom(figure.chart, doc, 2)),
    button("Reset", () => whole(figure.chart, doc)),
    values.label,
    "Drag across to zoom; point, tap or slide for values.",
  );
  still.after(box, tools);
  const make = () => {
    if (!box.clientWidth) return; // in a section that is not open
    const range = figure.chart && { min: figure.chart.scales.x.min, max: figure.chart.scales.x.max };
    if (figure.chart) figure.chart.destroy();
    figure.chart = new uPlot(options(doc, box.clientWidth, values), doc.data, box);
    // uPlot remembers where the chart is, but what opens above moves it.
    figure.chart.over.addEventListener("mousemove", () => figure.chart.syncRect(true), true);
    sampleLines(figure.chart, doc);
    figure.chart.root.classList.add("idle"); // no place is pointed at
    if (range) figure.chart.setScale("x", range);
    else whole(figure.chart, doc);
  };
  figure.classList.add("drawn");
  let width = box.clientWidth;
  make();
  new ResizeObserver(() => {
    if (box.clientWidth !== width && box.clientWidth > 0) {
      width = box.clientWidth;
      make();
    }
  }).observe(box);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", make);
}

for (const figure of document.querySelectorAll("figure[data-chart]")) draw(figure);

// Sections open for links to them, for print, and all at once.
const sections = document.querySelectorAll(".folded > details");
const reveal = () => {
  const target = location.hash && document.getElementById(location.hash.slice(1));
  const details = target && target.closest(".folded > details");
  if (!details || details.open) return;
  details.open = true;
  target.scrollIntoView();
};
addEventListener("hashchange", reveal);
addEventListener("beforeprint", () => sections.forEach(d => d.open = true));
reveal();
const group = document.querySelector(".group");
if (group) {
  const all = button("Open all sections", () => {
    const open = [...sections].some(d => !d.open);
    sections.forEach(d => d.open = open);
    all.textContent = open ? "Close all sections" : "Open all sections";
  });
  all.className = "all";
  group.after(all);
}
})();
