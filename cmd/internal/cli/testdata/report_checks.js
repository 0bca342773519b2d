// The checks of TestReportInBrowser. Each returns a list of faults, as text.
"use strict";
const checks = (() => {
  const all = (selector, of = document) => [...of.querySelectorAll(selector)];
  const frame = () => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
  const pause = ms => new Promise(done => setTimeout(done, ms));
  const charts = ["load-and-use", "run-times-distribution", "queue-jobs"];
  const chart = id => document.querySelector(`#${id} .plot`).chart;
  const press = async (id, button) => {
    all(`#${id} .tools button`).find(x => x.textContent === button).click();
    await frame();
  };
  const near = (x, want, tolerance) => Math.abs(x - want) <= tolerance;

  // point dispatches a mouse event over a chart. A drag is a sequence of events.
  let at = [0, 0];
  const point = (id, kind, x, y) => {
    const over = document.querySelector(`#${id} .u-over`);
    const target = kind === "mouseup" ? document : over;
    target.dispatchEvent(new MouseEvent(kind, {
      bubbles: true, clientX: x, clientY: y, movementX: x - at[0], movementY: y - at[1], button: 0, buttons: 1,
    }));
    at = [x, y];
  };
  // place scrolls a chart into view and returns its rectangle. It repeats the scroll until the position
  // is stable, since a smooth scroll that began earlier continues after an instant one.
  const place = async id => {
    const over = document.querySelector(`#${id} .u-over`);
    let last, now = NaN;
    do {
      over.scrollIntoView({ block: "center", behavior: "instant" });
      last = now;
      await pause(50);
      now = over.getBoundingClientRect().top;
    } while (now !== last);
    return over.getBoundingClientRect();
  };

  return {
    // When the page opens, the sections for computing centres are shown. A link opens its section.
    async folded() {
      const faults = [], open = all("section:not(.folded) > h2").map(h => h.id).join(" ");
      if (open !== "summary load waiting shares caveats") faults.push(`open sections: ${open}`);
      location.hash = "#model";
      await pause(200);
      if (!document.getElementById("model").closest("details").open) faults.push("a link does not open its section");
      all(".folded > details").forEach(d => d.open = true); // for the checks below
      await frame();
      return faults;
    },

    // Each figure has a canvas of some size that is not empty.
    drawn() {
      const faults = [], figures = all("figure");
      for (const f of figures) {
        const canvas = f.querySelector("canvas");
        if (!canvas || !f.dataset.chart) {
          faults.push(`${f.id} cannot be zoomed`);
          continue;
        }
        const box = canvas.getBoundingClientRect(), seen = new Set();
        const pixels = new Uint32Array(canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.buffer);
        for (const p of pixels) seen.add(p);
        if (box.width < 100 || box.height < 100 || seen.size < 3) faults.push(`${f.id} is not drawn: ${box.width}x${box.height}, ${seen.size} colours`);
      }
      if (figures.length !== charts.length) faults.push(`${figures.length} figures`);
      return faults;
    },

    legends() {
      return all(".u-legend .u-value, .u-legend .u-series:first-child")
        .filter(e => getComputedStyle(e).visibility === "visible")
        .map(e => `before a place is pointed at: ${e.textContent}`);
    },

    // Dragging across the second quarter of each chart zooms in, and the buttons work.
    async zoom() {
      const faults = [];
      for (const id of charts) {
        const r = await place(id), u = chart(id), y = r.top + r.height / 2;
        const { min: low, max: high } = u.scales.x, few = 0.02 * (high - low);
        const want = [4, 2].map(part => u.posToVal(u.over.clientWidth / part, "x"));
        const fault = what => faults.push(`${id}: ${what}: ${u.scales.x.min} to ${u.scales.x.max} of ${low} to ${high}, want ${want}`);
        for (const [kind, part] of [["mousemove", 4], ["mousedown", 4], ["mousemove", 3], ["mousemove", 2], ["mouseup", 2]]) {
          point(id, kind, r.left + r.width / part, y);
        }
        await frame();
        if (!near(u.scales.x.min, want[0], few) || !near(u.scales.x.max, want[1], few)) fault("dragged");
        await press(id, "Reset");
        if (!near(u.scales.x.min, low, few) || !near(u.scales.x.max, high, few)) fault("whole");
        await press(id, "Zoom in");
        if (!(u.scales.x.max - u.scales.x.min < 0.95 * (high - low))) fault("closer");
        await press(id, "Zoom out");
        await press(id, "Zoom out");
        if (!near(u.scales.x.min, low, few) || !near(u.scales.x.max, high, few)) fault("farther");
      }
      return faults;
    },

    // The legend shows the values at the pointer.
    async hover() {
      const faults = [];
      for (const id of charts) {
        const r = await place(id), u = chart(id);
        point(id, "mousemove", r.left + r.width / 2, r.top + r.height / 2);
        await frame();
        const said = all(".u-legend .u-value", u.root).map(v => v.textContent);
        if (u.cursor.idx == null || said.length !== u.data.length) faults.push(`${id}: nothing under the pointer`);
        said.forEach((text, i) => {
          const value = u.data[i][u.cursor.idx];
          if ((value == null) !== (text === "–") || !text) faults.push(`${id}: series ${i} is said to be ${text}, and is ${value}`);
        });
      }
      return faults;
    },

    // If a chart moves under the pointer, for example when a table above it is opened, the pointer's
    // position is relative to the chart's new position. The window is high enough that nothing scrolls.
    async moved() {
      const faults = [], id = "queue-jobs";
      scrollTo({ top: 0, behavior: "instant" });
      await pause(200);
      const box = () => document.querySelector(`#${id} .u-over`).getBoundingClientRect();
      const before = box(), x = before.left + before.width / 2, y = before.top + 0.9 * before.height;
      point(id, "mousemove", x, y);
      await frame();
      if (!near(chart(id).cursor.top, y - before.top, 2)) faults.push(`the pointer is put ${chart(id).cursor.top} below the top, want ${y - before.top}`);
      document.getElementById("load-and-use").style.marginBottom = "60px";
      await frame();
      if (!near(box().top, before.top + 60, 1)) faults.push(`the chart is at ${box().top}, was at ${before.top}`);
      point(id, "mousemove", x + 5, y);
      await frame();
      if (!near(chart(id).cursor.top, y - before.top - 60, 2)) faults.push(`the pointer is put ${chart(id).cursor.top} below the top, want ${y - before.top - 60}`);
      document.getElementById("load-and-use").style.marginBottom = "";
      return faults;
    },

    // Tables are not cut off, figures have text alternatives, links have targets, and the model can be
    // saved from the page.
    whole() {
      return [
        ...all("figure .scroll").filter(e => e.clientWidth > 0 && e.scrollWidth > e.clientWidth + 1).map(e => `a table is cut off in ${e.closest("figure").id}`),
        ...all("figure").filter(f => !f.querySelector(".plot[role=img][aria-label]") || !f.querySelector("img[alt]") || !f.querySelector("details table") || !f.querySelector("figcaption").textContent).map(f => `${f.id} has no text, table or caption`),
        ...all("nav a").filter(a => !document.querySelector(a.getAttribute("href"))).map(a => `${a.href} leads nowhere`),
        ...[JSON.parse(atob(document.querySelector("a.file").href.split(",")[1])).schema].filter(s => !s.startsWith("loadstone.population/")),
      ];
    },

    // Neither the page nor, on a phone, a table is wider than the window.
    fits(width) {
      const wide = document.documentElement.scrollWidth;
      return [
        ...(wide > width ? [`the page is ${wide} pixels wide of ${width}`] : []),
        ...all(".scroll").filter(s => width < 500 && s.clientWidth && s.scrollWidth > s.clientWidth + 1).map(s => `${s.getAttribute("aria-label")} scrolls sideways`),
      ];
    },

    // Wait until the charts have been redrawn for the width of the window.
    async fitted() {
      while (!all("figure.drawn").every(f => !f.querySelector(".plot").clientWidth || Math.abs(f.querySelector(".plot").chart.width - f.querySelector(".plot").clientWidth) < 2)) await pause(20);
      return [];
    },

    // heard checks that the slider of a chart, after a key press, announces the chart's values there.
    slider: id => document.querySelector(`#${id} .tools input`).focus(),
    async heard(id, key) {
      await frame();
      const faults = [], u = chart(id), slider = document.activeElement, index = +slider.value;
      const values = u.data.slice(1).filter(d => d[index] != null).length;
      const said = (slider.getAttribute("aria-valuetext").match(/, /g) || []).length;
      if (u.cursor.idx !== index) faults.push(`${id}: ${key}: the chart is at ${u.cursor.idx}, the slider at ${index}`);
      if (said !== values) faults.push(`${id}: ${key}: ${slider.getAttribute("aria-valuetext")} has ${said} values, want ${values}`);
      if (key === "Home" && index !== 0 || key === "ArrowRight" && index !== 1) faults.push(`${id}: ${key}: at ${index}`);
      if (key === "End" && (u.data[0][index] < u.scales.x.min || u.data[0][index] > u.scales.x.max || index <= 1)) faults.push(`${id}: zoomed, the keys go to ${u.data[0][index]}`);
      return faults;
    },
    press,
  };
})();
