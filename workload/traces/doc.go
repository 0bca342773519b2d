// Package traces reads the Parquet files of the Workflow Trace Archive and of
// OpenDC, and the folders that hold such traces. They are read only.
//
// It knows their columns (wta.go, opendc.go) and their folders; workload/columnar
// reads the files by the Mapping that it is given.
package traces
