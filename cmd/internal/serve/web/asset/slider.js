// A field and a slider for the same number. The slider has steps that grow with the
// number; the field takes any number up to the last step.

import { byID, say } from "./dom.js";

// sizeSteps returns 1, 2, 3, 4, 6, 8, 12 and so on below high, followed by high.
export function sizeSteps(high) {
  const steps = [];
  for (let n = 1; n < high; n *= 2) {
    steps.push(n);
    if (n > 1 && 1.5 * n < high) steps.push(1.5 * n);
  }
  return [...steps, high];
}

const min = 60, h = 3600, d = 86400;
const usual = [
  min, 2 * min, 5 * min, 10 * min, 15 * min, 20 * min, 30 * min, 45 * min, h, 1.5 * h, 2 * h, 2.5 * h, 3 * h, 4 * h, 5 * h, 6 * h, 8 * h, 10 * h,
  12 * h, 15 * h, 18 * h, d, 1.5 * d, 2 * d, 2.5 * d, 3 * d, 4 * d, 5 * d, 7 * d, 10 * d, 14 * d, 21 * d, 30 * d, 60 * d, 90 * d, 180 * d, 365 * d,
];

// timeSteps returns usual time limits, in seconds, below high, followed by high.
export const timeSteps = high => [...usual.filter(s => s < high), high];

// slide connects the field and the slider of an id.
export function slide(id, { read, write, spoken, fault, changed }) {
  const field = byID(id), slider = byID(id + "-slider"), told = byID(id + "-fault");
  let steps = [1], value = 1;

  const nearest = v => {
    let best = 0;
    steps.forEach((s, i) => { if (Math.abs(Math.log(s / v)) < Math.abs(Math.log(steps[best] / v))) best = i; });
    return best;
  };
  const place = () => {
    slider.value = nearest(value ?? steps[0]);
    slider.setAttribute("aria-valuetext", spoken(value ?? steps[slider.value]));
  };
  const show = words => { field.value = words.replaceAll("\u00a0", " "); };
  const accept = (v, words) => {
    value = v;
    if (words != null) show(words);
    field.removeAttribute("aria-invalid");
    say(told, "");
    place();
  };
  const refuse = () => {
    value = null;
    field.setAttribute("aria-invalid", "true");
    say(told, fault(steps[steps.length - 1]));
  };
  const check = v => Number.isFinite(v) && v >= 1 && v <= steps[steps.length - 1];

  slider.addEventListener("input", () => {
    const v = steps[slider.value];
    accept(v, write(v));
    changed();
  });
  field.addEventListener("input", () => {
    const v = read(field.value);
    if (!check(v)) return refuse();
    accept(v);
    changed();
  });
  field.addEventListener("change", () => { if (value != null) show(write(value)); });

  return {
    value: () => value,
    set: v => accept(v, write(v)),
    // limit sets the steps. A value beyond the last step becomes the last step.
    limit(to) {
      steps = to;
      slider.max = steps.length - 1;
      say(byID(id + "-low"), spoken(steps[0]));
      say(byID(id + "-high"), spoken(steps[steps.length - 1]));
      const v = value ?? read(field.value);
      if (!Number.isFinite(v)) return;
      if (v > steps[steps.length - 1]) {
        accept(steps[steps.length - 1], write(steps[steps.length - 1]));
        changed();
      } else if (check(v)) {
        accept(v);
      }
    },
  };
}
