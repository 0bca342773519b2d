// Package gwf reads and writes the text form of the Grid Workload Format (GWF) of the
// Grid Workloads Archive.
//
// Its first sixteen fields are those of the standard workload format, but users,
// groups, executables, queues and sites are texts: they are numbered in the
// order in which they appear and their names go to the header. site.go says how
// the format's three fields of a place meet the table's one.
package gwf
