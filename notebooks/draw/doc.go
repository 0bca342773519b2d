// Package draw shows pictures in the Go notebooks: those that the command drew
// (Files), and a notebook's own (Figure), drawn with gonum/plot in the command's
// style.
//
// A cell has nobody to hand an error to, so what cannot be shown stops it by a
// panic with the reason.
package draw
