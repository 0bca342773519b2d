package workload

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// A batch made of columns is the one that Append makes of the same jobs.
func TestBatch(t *testing.T) {
	const rows = 70
	ids := make([]int64, rows)
	submits := make([]float64, rows)
	queues := make([]int64, rows)
	var jobs []Job
	for i := range rows {
		ids[i], submits[i], queues[i] = int64(i+1), float64(10*i), int64(i%3)
		if i%7 == 2 {
			submits[i] = math.NaN()
		}
		if i%5 == 1 {
			queues[i] = Unknown
		}
		j := UnknownJob()
		j.ID, j.Submit, j.Queue, j.Row = ids[i], submits[i], queues[i], int64(i)
		jobs = append(jobs, j)
	}
	batch := &Batch{Rows: rows}
	batch.Ints[ColQueue], batch.Ints[ColJobID], batch.Floats[ColSubmitTime] = queues, ids, submits
	var got []Job
	for j, err := range Jobs(one(batch)) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, j)
	}
	if diff := cmp.Diff(jobs, got, cmpopts.EquateNaNs()); diff != "" {
		t.Error(diff)
	}
	for col, known := range map[int]int{ColJobID: rows, ColSubmitTime: 60, ColQueue: 56, ColRunTime: 0, ColUser: 0} {
		if n := batch.Known(col); n != known {
			t.Errorf("column %d: %d known values, want %d", col, n, known)
		}
	}
	built := &Batch{}
	for i := range jobs {
		built.Append(&jobs[i])
	}
	if diff := cmp.Diff(batch, built, cmpopts.EquateNaNs()); diff != "" {
		t.Errorf("appended: %s", diff)
	}
	part := batch.Slice(3, 10)
	if diff := cmp.Diff(jobs[4].Submit, part.Job(1, 0).Submit, cmpopts.EquateNaNs()); diff != "" || part.Rows != 7 || part.Ints[ColUser] != nil {
		t.Errorf("a part of it: %s", diff)
	}
}

// The bits of a column are its values.
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

func one(b *Batch) BatchSeq {
	return func(yield func(*Batch, error) bool) { yield(b, nil) }
}
