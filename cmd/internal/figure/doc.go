// Package figure draws the results of the commands with gonum/plot, in one style:
// a sans-serif font, room around the data, few ticks, colours that survive colour
// blindness and print, the legend off the data, and a line with the log and the
// number of jobs.
//
// A picture is a Spec, which is plain data: titles, two axes, and series of several kinds.
// OfRunTimes, OfWaits, OfFits and so on return the Specs of a result of the
// library. They are built from a few constructors: distributions, curve, cumulative, scatter,
// put (a value of a bar or a line, with its interval), halfHours and reference. Draw writes any
// Spec as SVG, PNG or PDF. The same numbers give the same bytes on any machine of one
// architecture; tests compare them with the pictures under testdata. The JSON of a Spec is the
// input of the chart of a page.
//
// Lines are reduced to about two thousand points, and curves over a log axis
// have log-spaced points. A line breaks where a number is missing, and no number
// makes an axis panic. If there is nothing to draw, Spec.Why or the error of
// Draw is the reason.
package figure
