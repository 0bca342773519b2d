// Draws the charts of a report. Opens its sections for links to them, for printing, and all at once
// by a button.
(() => {
"use strict";

for (const figure of document.querySelectorAll("figure[data-chart]")) {
  const still = figure.querySelector(".still"), box = document.createElement("div");
  box.className = "plot";
  still.after(box);
  figure.classList.add("drawn");
  charts.draw(box, JSON.parse(document.getElementById(figure.dataset.chart).textContent), still.alt, true);
}

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
  const all = charts.button("Open all sections", () => {
    const open = [...sections].some(d => !d.open);
    sections.forEach(d => d.open = open);
    all.textContent = open ? "Close all sections" : "Open all sections";
  });
  all.className = "all";
  group.after(all);
}
})();
