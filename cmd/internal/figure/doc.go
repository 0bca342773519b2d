// Package figure draws what the commands find, in one house style over
// gonum/plot: sans serif, room around the data, few ticks, colours that
// survive colour blindness and print, the legend off the data, and a line that
// says which log and how many jobs.
//
// A figure is a function named after what it shows. It turns numbers into the
// series that are drawn (tested by their numbers) and writes SVG or PNG. Curves
// are cut down to about two thousand points, and curves over a log axis have
// log-spaced points: plotter.NewFunction would draw chords.
//
// It stands under cmd and beside nothing: whoever has a number to show passes
// it in.
package figure
