package workload

import (
	"errors"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// sameJob takes two unknown times for equal.
var sameJob = cmp.Comparer(func(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || math.IsNaN(a) && math.IsNaN(b)
})

func drawJob(t *rapid.T) Job {
	float := rapid.OneOf(rapid.Just(math.NaN()), rapid.Float64())
	whole := rapid.OneOf(rapid.Just(Unknown), rapid.Int64(), rapid.Int64Range(-2, 5))
	j := UnknownJob()
	for i := range columns {
		if c := &columns[i]; c.float {
			c.SetNumber(&j, float.Draw(t, c.Name))
		} else {
			c.SetInt(&j, whole.Draw(t, c.Name))
		}
	}
	j.Derive()
	return j
}

// TestJobsGoThroughBatchesUnchanged appends every field and reads it again.
func TestJobsGoThroughBatchesUnchanged(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		jobs := rapid.SliceOfN(rapid.Custom(drawJob), 0, 20).Draw(t, "jobs")
		for i := range jobs {
			jobs[i].Row = int64(i)
		}
		var got []Job
		for j, err := range Jobs(Batches(jobsOf(jobs))) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, j)
		}
		if len(got) != len(jobs) {
			t.Fatalf("%d jobs of %d", len(got), len(jobs))
		}
		for i := range got {
			if d := cmp.Diff(jobs[i], got[i], sameJob); d != "" {
				t.Fatal(d)
			}
		}
	})
}

func TestBatchesCountRowsAcross(t *testing.T) {
	times := make([]float64, 2*DefaultBatchRows+5)
	sizes := []int{}
	for b, err := range Batches(jobsAt(times, nil)) {
		if err != nil {
			t.Fatal(err)
		}
		sizes = append(sizes, b.Rows)
	}
	if d := cmp.Diff([]int{DefaultBatchRows, DefaultBatchRows, 5}, sizes); d != "" {
		t.Error(d)
	}
	row := int64(0)
	for j, err := range Jobs(Batches(jobsAt(times, nil))) {
		if err != nil {
			t.Fatal(err)
		}
		if j.Row != row {
			t.Fatalf("row %d in place %d", j.Row, row)
		}
		row++
	}
	// Stopping early and errors free what is held.
	for range Jobs(Batches(jobsAt(times, nil))) {
		break
	}
	failure := errors.New("failure")
	var last error
	for _, err := range Jobs(Batches(jobsAt(times[:3], failure))) {
		last = err
	}
	if !errors.Is(last, failure) {
		t.Errorf("error %v", last)
	}
}

func TestStartAndEnd(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct{ submit, wait, run, start, end float64 }{
		{10, 5, 100, 15, 115}, {10, nan, 100, nan, nan}, {10, 5, nan, 15, nan}, {nan, 5, 5, nan, nan},
	} {
		j := job(c.submit, c.wait, c.run)
		if d := cmp.Diff([]float64{c.start, c.end}, []float64{j.Start(), j.End()}, sameJob); d != "" {
			t.Errorf("%v: %s", c, d)
		}
	}
}
