package logtest

import (
	"github.com/loadstone-hpc/loadstone/workload"
)

// SmallLog is a hundred jobs, with a header of two lines.
func SmallLog() (workload.Header, workload.BatchSeq) {
	return workload.Header{Lines: []string{" Version: 2.2", " MaxProcs: 512"}}, MadeUpLog(9, 100, 30)
}
