package workload

import (
	"slices"
	"testing"
)

// A log of jobs in memory has the optional columns in which a job has a value, fills in
// what is derived, and leaves the caller's jobs and header as they are.
func TestLogOf(t *testing.T) {
	jobs := make([]Job, 3)
	for i := range jobs {
		jobs[i] = UnknownJob()
		jobs[i].Submit, jobs[i].Processors = float64(10*i), 4
	}
	jobs[1].AllocatedNodes = 2
	header := Header{Lines: []string{" MaxProcs: 8"}}
	log := LogOf("mine", header, jobs)
	if got, want := log.Optional(), ColumnSetOf(ColAllocatedNodes); got != want {
		t.Errorf("optional columns %b, want %b", got, want)
	}
	log.Header.Lines[0] = " MaxProcs: 16"
	if n, _ := header.Processors(); n != 8 {
		t.Errorf("the caller's header has %d processors, want 8", n)
	}
	jobs[0].Processors, jobs[0].Size = Unknown, 2 // only Size is set
	jobs[1].Size = 3                              // Processors says otherwise
	var sizes, rows []int64
	for j, err := range log.Jobs() {
		if err != nil {
			t.Fatal(err)
		}
		sizes, rows = append(sizes, j.Size), append(rows, j.Row)
	}
	if !slices.Equal(sizes, []int64{2, 4, 4}) || !slices.Equal(rows, []int64{0, 1, 2}) {
		t.Errorf("sizes %d of rows %d", sizes, rows)
	}
	if jobs[1].Size != 3 || jobs[2].Size != Unknown || jobs[0].Processors != Unknown {
		t.Errorf("the caller's jobs have the sizes %d and %d, the first %d processors", jobs[1].Size, jobs[2].Size, jobs[0].Processors)
	}
	for _, err := range LogOf("none", Header{}, nil).Jobs() {
		t.Errorf("a log of no jobs yields one, %v", err)
	}
}
