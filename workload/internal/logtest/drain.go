package logtest

import (
	"github.com/loadstone-hpc/loadstone/workload"
)

// Drain reads a log to its end, looking at every value.
func Drain(l *workload.Log, err error) (rows int64, _ error) {
	if err != nil {
		return 0, err
	}
	defer l.Close()
	for b, err := range l.Batches() {
		if err != nil {
			return rows, err
		}
		for i := range b.Rows {
			b.Job(i, rows)
			rows++
		}
	}
	return rows, nil
}
