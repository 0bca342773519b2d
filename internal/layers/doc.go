// Package layers contains tests of the whole module and no other code. They check that imports
// agree with a table of the permitted ones, that Arrow is named only where it may be, that
// libraries do not print, log, read flags or exit, that the bibliography and the names and paths
// in the docs are correct, that examples have an output, and that the text uses plain words.
//
// A new package needs a row in the table of docs/architecture.md, which lists its imports from
// its own layer or lower ones.
package layers
