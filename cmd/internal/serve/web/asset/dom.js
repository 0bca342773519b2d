// Makes elements. Text becomes text nodes; nothing here parses HTML.

export function el(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === true) node.setAttribute(name, "");
    else if (value !== false && value != null) node.setAttribute(name, value);
  }
  node.append(...children.flat().filter(c => c != null && c !== false));
  return node;
}

export const byID = id => document.getElementById(id);

// say sets the text of a node only if it has changed, so that screen readers announce only changes.
export function say(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

// facts returns a list of names and values, with an optional smaller text below each value.
export const facts = (kind, rows) => el("dl", { class: kind }, rows.map(([name, value, more]) =>
  el("div", {}, el("dt", {}, name), el("dd", {}, value, more ? el("small", {}, " ", more) : null))));

// table returns a table. head has the names of columns, those of numbers as [name, "n"]; the
// first cell of a row is its name.
export function table(caption, head, rows) {
  const kind = head.map(h => Array.isArray(h) ? h[1] : null);
  return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
    el("table", {},
      el("caption", { class: "hidden" }, caption),
      el("thead", {}, el("tr", {}, head.map((h, i) => el("th", { scope: "col", class: kind[i] }, Array.isArray(h) ? h[0] : h)))),
      el("tbody", {}, rows.map(row => el("tr", {}, row.map((cell, i) => i === 0 && cell !== ""
        ? el("th", { scope: "row", class: kind[i] }, cell)
        : el("td", { class: kind[i] }, cell)))))));
}

export const folded = (summary, ...children) => el("details", {}, el("summary", {}, summary), ...children);

// keepOpen replaces children, and keeps the details that the user has opened, the scroll positions
// and the focus.
export function keepOpen(node, ...children) {
  const open = [...node.querySelectorAll("details")].filter(d => d.open).map(d => d.firstChild.textContent);
  const at = [...node.querySelectorAll(".scroll")].map(s => [s.getAttribute("aria-label"), s.scrollLeft, s.scrollTop]);
  const active = document.activeElement;
  const focus = node.contains(active) && active !== node ? [active.tagName, active.getAttribute("aria-label") ?? active.textContent] : null;
  node.replaceChildren(...children.flat().filter(c => c != null && c !== false));
  for (const d of node.querySelectorAll("details")) d.open = open.includes(d.firstChild.textContent);
  for (const s of node.querySelectorAll(".scroll")) {
    const was = at.find(a => a[0] === s.getAttribute("aria-label"));
    if (was) [, s.scrollLeft, s.scrollTop] = was;
  }
  if (!focus) return;
  const again = [...node.querySelectorAll(focus[0])].find(e => (e.getAttribute("aria-label") ?? e.textContent) === focus[1]);
  again?.focus({ preventScroll: true });
}
