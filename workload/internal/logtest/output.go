package logtest

import (
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// SmallLog is a hundred jobs, with a header of two lines.
func SmallLog() (workload.Header, workload.BatchSeq) {
	return workload.Header{Lines: []string{" Version: 2.2", " MaxProcs: 512"}}, MadeUpLog(9, 100, 30)
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
