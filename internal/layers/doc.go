// Package layers has tests of the whole module and no other code. They check imports
// against a table of which package may import which, where Arrow may be named, that
// libraries neither print, log, read flags nor exit, the entries of the bibliography, the
// names and paths in the docs, that examples have an output, that the manual lists the
// warnings of readers, and plain words.
//
// A new package gets its entry in plan_test.go and its row in the table of
// docs/architecture.md. A package imports what its entry names, from lower layers but for the
// exceptions in sameLayer and in layer 0.
package layers
