// Checks called by scripts. Lists of faults are empty if there are none.
globalThis.checks = (() => {
  const all = selector => [...document.querySelectorAll(selector)];
  const parts = c => c.match(/[\d.]+/g).map(Number);
  const light = c => parts(c).slice(0, 3).map(v => v / 255).map(v => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)
    .reduce((s, v, i) => s + v * [.2126, .7152, .0722][i], 0);
  const behind = e => {
    for (; e; e = e.parentElement) {
      const c = getComputedStyle(e).backgroundColor;
      if ((parts(c)[3] ?? 1) > 0) return c;
    }
    return "rgb(255, 255, 255)";
  };
  return {
    // faint returns texts with too little contrast to their background, by the WCAG's formula
    // of relative luminance.
    faint: () => all("body *").filter(e => e.checkVisibility() && [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim())).filter(e => {
      const s = getComputedStyle(e), a = light(s.color), b = light(behind(e));
      return (Math.max(a, b) + .05) / (Math.min(a, b) + .05) < 4.5;
    }).map(e => e.textContent.slice(0, 40)),
    // unnamed returns fields and pictures without a name.
    unnamed: () => all("input, select, button, progress, .plot, .scroll")
      .filter(e => !(e.labels?.length || e.getAttribute("aria-label") || e.textContent)).map(e => e.outerHTML),
    // bare returns charts without a table or a legend.
    bare: () => all("figure").filter(f => !f.querySelector("details table td") || !f.querySelector(".u-legend")).map(f => f.outerHTML.slice(0, 200)),
    drawn: () => all(".plot").every(p => !p.clientWidth || Math.abs(p.chart.width - p.clientWidth) < 1),
    details: open => all("details").every(d => { d.open = open; return true; }),
    width: () => Math.max(document.documentElement.scrollWidth, document.body.scrollWidth),
    // moved returns the elements that have moved if the total layout shift exceeds most.
    moved: most => new Promise(done => {
      let sum = 0, what = [];
      new PerformanceObserver(list => list.getEntries().forEach(e => {
        sum += e.value;
        what.push(...e.sources.map(s => s.node?.id || s.node?.className || s.node?.nodeName || ""));
      })).observe({ type: "layout-shift", buffered: true });
      setTimeout(() => done(sum > most ? sum + ": " + what : ""), 200);
    }),
  };
})();
