// The names of predictors, what they rest on, and the colour and dash of each.

const known = {
  combined: ["Combined", "earlier waits and the state of the queue, by what has held best"],
  conformal: ["Conformal", "a forest that has learned from the state of the queue"],
  bmbp: ["BMBP", "the waits of earlier jobs", "group"],
  qbets: ["QBETS", "the waits of earlier jobs with a similar time limit", "group"],
  drawn: ["Simulation", "simulated schedules of the jobs that run and wait"],
};

export const called = predictor => known[predictor]?.[0] ?? predictor;

export const restsOn = predictor => known[predictor]?.[1] ?? "";

// grouped reports whether the group of a prediction is meaningful to users.
export const grouped = predictor => known[predictor]?.[2] != null;

const seen = Object.keys(known);

// look returns the number of a predictor's colour, from 1 to 7, which is the same in all charts.
export function look(predictor) {
  if (!seen.includes(predictor)) seen.push(predictor);
  return seen.indexOf(predictor) % 7 + 1;
}
