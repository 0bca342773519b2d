package judge

import (
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/reallogs"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// Sites are the logs with users, and the processors that they are scheduled on.
var Sites = []struct {
	Name, File string
	Processors int64
}{
	{"KTH", "KTH-SP2-1996-2.1-cln.swf.gz", 100},
	{"SDSC-Par-96", "SDSC-Par-1996-3.1-cln.swf.gz", 400},
	{"CTC", "CTC-SP2-1996.simulated-waits.swf.gz", 338},
	{"SDSC-SP2", "SDSC-SP2-1998.simulated-waits.swf.gz", 128},
	{"Gaia", "UniLu-Gaia-2014-1.swf.gz", 2004},
	{"RICC", "RICC-2010-2.swf.gz", 8192},
}

// ReadLog returns the jobs of a log by submission, numbered from 1.
func ReadLog(t testing.TB, file string) ([]workload.Job, workload.Header) {
	log, err := logfile.Open(reallogs.Path(t, "swf/"+file), workload.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	var jobs []workload.Job
	for j, err := range workload.InOrder(log.Jobs(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		j.ID = int64(len(jobs) + 1)
		jobs = append(jobs, j)
	}
	return jobs, log.Header
}
