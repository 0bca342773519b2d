package workload

import (
	"errors"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// A column has no slice before its first known value, nor in a part of the batch without one.
func TestBatch(t *testing.T) {
	b := &Batch{}
	for i := range int64(70) {
		j := UnknownJob()
		if j.ID = i; i >= 3 {
			j.Queue, j.Submit = i%2, float64(i)
		}
		b.Append(&j)
	}
	for col, known := range map[int]int{ColJobID: 70, ColSubmitTime: 67, ColQueue: 67, ColRunTime: 0, ColUser: 0} {
		if n := b.Known(col); n != known {
			t.Errorf("column %d: %d known values, want %d", col, n, known)
		}
	}
	part := b.Slice(2, 10)
	if j := part.Job(1, 5); part.Rows != 8 || part.Ints[ColUser] != nil || j.ID != 3 || j.Queue != 1 || j.Submit != 3 || j.Row != 5 || part.Int(ColQueue, 0) != Unknown {
		t.Errorf("a part of it: %+v", j)
	}
}

// SetBits sets the values of a column from their bits, and Bits returns them.
func TestBits(t *testing.T) {
	b := &Batch{Rows: 2}
	b.SetBits(ColRunTime, []uint64{math.Float64bits(1.5), UnknownBits(ColRunTime)})
	b.SetBits(ColUser, []uint64{7, UnknownBits(ColUser)})
	if b.Float(ColRunTime, 0) != 1.5 || b.Int(ColUser, 0) != 7 || b.Known(ColRunTime) != 1 || b.Known(ColUser) != 1 {
		t.Errorf("%v, %v", b.Floats[ColRunTime], b.Ints[ColUser])
	}
	if b.Bits(ColUser)[0] != 7 || b.Bits(ColStatus) != nil {
		t.Errorf("bits %v and %v", b.Bits(ColUser), b.Bits(ColStatus))
	}
}

// sameJob treats two unknown times as equal.
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

// TestJobsGoThroughBatchesUnchanged appends every field and reads it back.
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
	// Stopping early and errors release all resources.
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
