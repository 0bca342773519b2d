package logtest

import (
	"errors"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
)

// FuzzColumnar holds a reader to its promise: values or one input error.
func FuzzColumnar(f *testing.F, open func([]byte) (*workload.Log, error), seeds ...[]byte) {
	for _, b := range seeds {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		l, err := open(b)
		if err == nil {
			defer l.Close()
			rows := int64(0)
			for batch, e := range l.Batches() {
				if err = e; err != nil {
					break
				}
				if batch.Rows > workload.DefaultBatchRows {
					t.Errorf("a batch of %d rows", batch.Rows)
				}
				for i := range batch.Rows {
					batch.Job(i, rows)
				}
				// A few bytes can stand for very many nulls.
				if rows += int64(batch.Rows); rows > 1<<22 {
					return
				}
			}
		}
		var input *workload.InputError
		if err != nil && !errors.As(err, &input) {
			t.Errorf("%T %v", err, err)
		}
	})
}
