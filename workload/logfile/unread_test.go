package logfile_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// TestOtherBatchSystems has outputs of batch systems for people: the error names them, and the
// file to read.
func TestOtherBatchSystems(t *testing.T) {
	for name, c := range map[string]struct{ text, saw, want string }{
		"qacct":          {"==============================================================\nqname        all.q\nhostname     n1\n", "qacct -j", "accounting"},
		"qstat":          {"job-ID  prior   name       user         state submit/start at     queue\n----\n", "Grid Engine's qstat", "CSV"},
		"LSF, new":       {"\"JOB_NEW\" \"10.1\" 1705306300 7 1001 33554482 2 1705305600\n", "LSF's lsb.events", "lsb.acct"},
		"bhist -l":       {"\nJob <7>, User <u1>, Project <default>, Command <sleep 600>\nMon Jan 15 08:00:00: Submitted from host <login>\n", "bhist", "lsb.acct"},
		"bhist":          {"Summary of time in seconds spent in various states:\nJOBID   USER    JOB_NAME  PEND    PSUSP   RUN\n", "bhist", "lsb.acct"},
		"bjobs":          {"JOBID   USER    STAT  QUEUE      FROM_HOST   EXEC_HOST   JOB_NAME   SUBMIT_TIME\n7       u1      RUN   normal     login       n1          a          Jan 15 08:00\n", "LSF", "lsb.acct"},
		"qstat -f":       {"Job Id: 7.srv\n    Job_Name = a\n    Job_Owner = u1@srv\n", "qstat", "server_priv"},
		"qstat of PBS":   {"Job id            Name             User              Time Use S Queue\n----------------  ---------------- ----------------  -------- - -----\n", "qstat", "server_priv"},
		"condor_history": {" ID     OWNER          SUBMITTED   RUN_TIME     ST COMPLETED   CMD\n   7.0   u1              1/15 08:00   0+00:10:00 C   1/15 08:11 /a\n", "HTCondor", "condor_history"},
		"events":         {"000 (7.000.000) 2024-01-15 08:00:00 Job submitted from host: <10.0.0.1>\n", "HTCondor", "condor_history"},
	} {
		for _, file := range []string{"x", "x.csv"} {
			_, err := logfile.OpenReader(file, strings.NewReader(c.text), workload.Options{})
			var e *workload.InputError
			if !errors.As(err, &e) || e.Line == 0 || !strings.Contains(e.Saw, c.saw) || !strings.Contains(e.Want, c.want) {
				t.Errorf("%s: error %v, want one of %s with %s", name, err, c.saw, c.want)
			}
		}
	}
}
