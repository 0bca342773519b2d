package snapshots

import (
	"math"
	"sort"
)

// Table contains the rows of snapshots: the jobs that waited at each moment,
// with what was known of them then, and how much longer they waited.
type Table struct {
	Mapping *Mapping
	Rows    []Row // by time; those of one moment in the order of the files
	Groups  []string
}

// Row is a job that waits at the moment of a snapshot.
type Row struct {
	Time     float64   // s, of the snapshot
	Wait     float64   // s, from the snapshot to the start; NaN if unknown
	Group    int       // index in Table.Groups
	Features []float64 // in the order of Mapping.Features; NaN if missing
}

// Known reports whether the wait of a row is known at a time: whether the job has started
// by then.
func (r *Row) Known(time float64) bool { return r.Time+r.Wait <= time }

// Elapsed returns how long, in seconds, the job has waited since the snapshot,
// as far as is known at the given time in seconds.
func (r *Row) Elapsed(time float64) float64 { return time - r.Time }

// Log returns the logarithm to the base 10 of a wait, s; a wait below 1 s counts as 1 s.
func Log(seconds float64) float64 { return math.Log10(max(seconds, 1)) }

// Snapshots returns the rows of each moment, in the order of time.
func (t *Table) Snapshots() [][]Row {
	var all [][]Row
	for rows := t.Rows; len(rows) > 0; {
		n := sort.Search(len(rows), func(i int) bool { return rows[i].Time > rows[0].Time })
		all, rows = append(all, rows[:n:n]), rows[n:]
	}
	return all
}
