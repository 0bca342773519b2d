package logtest

import (
	"iter"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// SmallLog is a hundred jobs, with a header of two lines.
func SmallLog() (workload.Header, iter.Seq2[arrow.Record, error]) {
	return workload.Header{Lines: []string{" Version: 2.2", " MaxProcs: 512"}}, Owned(MadeUpLog(9, 100, 30, memory.DefaultAllocator))
}

func MustCreate(t *testing.T, path string) {
	t.Helper()
	h, batches := SmallLog()
	o, err := logfile.Create(path, h, workload.WriteOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer o.Abort()
	if err := o.WriteAll(batches); err != nil {
		t.Fatal(err)
	}
	if err := o.Commit(); err != nil {
		t.Fatal(err)
	}
}
