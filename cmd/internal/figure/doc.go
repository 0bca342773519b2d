// Package figure draws the results of the commands, in one style over
// gonum/plot: sans serif, room around the data, few ticks, colours that
// survive colour blindness and print, the legend off the data, and a line with
// the log and the number of jobs.
//
// A picture is a Spec, plain data: titles, two axes and series, each of a kind.
// OfRunTimes, OfWaits, OfFits and so on return the Specs of a result of the
// library; they are made of a few constructors: distributions, curve, cumulative, scatter,
// put (a value of a bar or a line, with its interval), halfHours and reference. Draw writes any Spec as SVG, PNG or PDF, with the same bytes for the same
// numbers on any machine of one architecture, which pictures under testdata hold.
// Its JSON is what the chart of a page reads.
//
// Lines are cut down to about two thousand points, and curves over a log axis
// have log-spaced points. A line breaks where it has no number, and no number
// makes an axis panic. If there is nothing to draw, Spec.Why or the error of
// Draw is the reason.
package figure
