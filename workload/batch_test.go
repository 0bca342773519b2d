package workload

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// A batch made of columns is the batch that the builder makes of the same
// jobs.
func TestRecordOf(t *testing.T) {
	const rows = 70 // more than a byte's and a word's worth of validity bits
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
	rec := RecordOf(rows, Values{Column: ColQueue, Ints: queues}, Values{Column: ColJobID, Ints: ids}, Values{Column: ColSubmitTime, Floats: submits})
	defer rec.Release()
	if !rec.Schema().Equal(Schema()) {
		t.Errorf("schema %v", rec.Schema())
	}
	var got []Job
	for j, err := range Jobs(one(rec)) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, j)
	}
	if diff := cmp.Diff(jobs, got, cmpopts.EquateNaNs()); diff != "" {
		t.Error(diff)
	}
	for col, nulls := range map[int]int{ColJobID: 0, ColSubmitTime: 10, ColQueue: 14, ColRunTime: rows, ColUser: rows} {
		if n := rec.Column(col).NullN(); n != nulls {
			t.Errorf("column %d: %d nulls, want %d", col, n, nulls)
		}
		n := 0
		for i := range rows {
			if rec.Column(col).IsNull(i) {
				n++
			}
		}
		if n != nulls {
			t.Errorf("column %d: %d rows are null, want %d", col, n, nulls)
		}
	}
}

func TestRecordOfMisuse(t *testing.T) {
	for name, values := range map[string][]Values{
		"short":      {{Column: ColRunTime, Floats: make([]float64, 2)}},
		"wrong kind": {{Column: ColRunTime, Ints: make([]int64, 3)}},
		"twice":      {{Column: ColUser, Ints: make([]int64, 3)}, {Column: ColUser, Ints: make([]int64, 3)}},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			RecordOf(3, values...)
		})
	}
}

func one(rec Batch) BatchSeq {
	return func(yield func(Batch, error) bool) { yield(rec, nil) }
}
