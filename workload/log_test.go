package workload

import (
	"fmt"
	"slices"
	"testing"
)

// A log of jobs in memory has those optional columns in which some job has a value, fills in
// derived values, and leaves the caller's jobs and header unchanged.
func TestLogOf(t *testing.T) {
	jobs := []Job{jobOf(t, "submit=0 size=2"), jobOf(t, "submit=10 requested=4 size=3 allocated_nodes=2"), jobOf(t, "submit=20 requested=4")}
	before := fmt.Sprint(jobs)
	header := Header{Lines: []string{" MaxProcs: 8"}}
	log := LogOf("mine", header, jobs)
	if got, want := log.Optional(), ColumnSetOf(ColAllocatedNodes); got != want {
		t.Errorf("optional columns %b, want %b", got, want)
	}
	log.Header.Lines[0] = " MaxProcs: 16"
	if n, _ := header.Processors(); n != 8 {
		t.Errorf("the caller's header has %d processors, want 8", n)
	}
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
	if after := fmt.Sprint(jobs); after != before {
		t.Errorf("the caller's jobs are %s, were %s", after, before)
	}
	for _, err := range LogOf("none", Header{}, nil).Jobs() {
		t.Errorf("a log of no jobs yields one, %v", err)
	}
}

// A log in a file format can be read once, one in memory repeatedly.
func TestLogIsReadOnce(t *testing.T) {
	jobs := []Job{UnknownJob()}
	l, from := NewLog("x.swf", "swf")
	from.Batches = Batches(JobsOf(jobs))
	for _, c := range []struct {
		log  *Log
		want string
	}{{l, "x.swf: a log can be read only once: open it again"}, {LogOf("memory", Header{}, jobs), ""}} {
		for reading := range 2 {
			got := ""
			for _, err := range c.log.Jobs() {
				if err != nil {
					got = err.Error()
				}
			}
			if want := []string{"", c.want}[reading]; got != want {
				t.Errorf("%s, reading %d: %q, want %q", c.log.Name, reading+1, got, want)
			}
		}
	}
}
