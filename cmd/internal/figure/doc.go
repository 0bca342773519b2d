// Package figure draws what the commands find, in one style over
// gonum/plot: sans serif, room around the data, few ticks, colours that
// survive colour blindness and print, the legend off the data, and a line that
// says which log and how many jobs.
//
// A figure is a function named after what it shows, such as Distribution, QQ,
// RemainingLifetime, DailyCycle or WaitScatter. It takes plain numbers, turns them
// into the series that are drawn (tested by their numbers) and writes SVG, PNG or
// PDF; the same numbers give the same bytes on any machine of one architecture, which pictures under
// testdata hold. Lines are cut down to about two thousand points, and curves over
// a log axis have log-spaced points: plotter.NewFunction would draw chords.
//
// What cannot be drawn is an error, never a panic of the library: its log
// axes panic at numbers that are not positive. A curve breaks where it has no
// number.
//
// The pictures of a result of the library are listed by a function of its own:
// OfRunTimes, OfWaits, OfFits and so on return Pictures, which are drawn by name.
package figure
