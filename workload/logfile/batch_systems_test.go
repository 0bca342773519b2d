package logfile_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

const (
	pbsLog = `01/15/2024 10:30:00;E;7.srv;user=u1 group=g1 jobname=a queue=batch ctime=1705305600 qtime=1705305600 etime=1705305600 start=1705305700 owner=u1@srv exec_host=n1/0+n1/1 Resource_List.nodect=1 Resource_List.nodes=1:ppn=2 Resource_List.walltime=01:00:00 session=1 end=1705306300 Exit_status=0 resources_used.cput=00:18:00 resources_used.mem=1024kb resources_used.walltime=00:10:00
`
	sgeLog = `q1:n1:g1:u1:a:7:sge:0:1705305600:1705305700:1705306300:0:0:600:590.0:1.0:1024.0:0:0:0:0:1:0:0:0.0:0:0:0:0:1:1:NONE:defaultdepartment:mpi:2:0:591.0:1.0:0.1:-l h_rt=3600,s_rt=3600 -pe mpi 2:0.0:NONE:1024.0:0:0
`
	lsfLog = `"JOB_FINISH" "10.1" 1705306300 7 1001 33554482 2 1705305600 0 0 1705305700 "u1" "normal" "" "" "" "login" "/users/u1" "" "a.out" "a.err" "1705305600.7" 0 2 "n1" "n1" 64 60.0 "a" "sleep 600" 1.0 1.0 1024
`
)

// TestOtherBatchSystems has files of batch systems that are not read: the error names them,
// and what can be done.
func TestOtherBatchSystems(t *testing.T) {
	for name, c := range map[string]struct{ text, saw, want string }{
		"PBS":          {pbsLog, "PBS", "CSV"},
		"PBS, queued":  {"01/15/2024 10:30:00;Q;7.srv;queue=batch\n" + pbsLog, "PBS", "CSV"},
		"PBS, license": {"01/15/2024 00:00:01;L;license;floating license hour:0\n", "PBS", "CSV"},
		"Grid Engine":  {sgeLog, "Grid Engine", `mapping with the separator ":"`},
		"Grid Engine, comments and a colon in a name": {"# Version: 8.1.9\n#\n" + strings.Replace(sgeLog, ":a:", ":a:b:", 1), "Grid Engine", "mapping"},
		"Univa":          {strings.NewReplacer("1705305600", "1705305600000", "1705305700", "1705305700000").Replace(sgeLog), "Grid Engine", "mapping"},
		"qacct":          {"==============================================================\nqname        all.q\nhostname     n1\n", "qacct -j", "mapping"},
		"qstat":          {"job-ID  prior   name       user         state submit/start at     queue\n----\n", "Grid Engine's qstat", "CSV"},
		"LSF":            {lsfLog, "LSF's lsb.acct", "bjobs"},
		"LSF, new":       {strings.Replace(lsfLog, "JOB_FINISH", "JOB_NEW", 1), "LSF's lsb.acct or lsb.events", "bjobs"},
		"bhist -l":       {"\nJob <7>, User <u1>, Project <default>, Command <sleep 600>\nMon Jan 15 08:00:00: Submitted from host <login>\n", "bhist -l", "bjobs"},
		"bhist":          {"Summary of time in seconds spent in various states:\nJOBID   USER    JOB_NAME  PEND    PSUSP   RUN\n", "bhist", "bjobs"},
		"bjobs":          {"JOBID   USER    STAT  QUEUE      FROM_HOST   EXEC_HOST   JOB_NAME   SUBMIT_TIME\n7       u1      RUN   normal     login       n1          a          Jan 15 08:00\n", "bjobs", "bjobs"},
		"qstat -f":       {"Job Id: 7.srv\n    Job_Name = a\n    Job_Owner = u1@srv\n", "qstat -f", "CSV"},
		"qstat of PBS":   {"Job id            Name             User              Time Use S Queue\n----------------  ---------------- ----------------  -------- - -----\n", "qstat of PBS", "CSV"},
		"condor_history": {" ID     OWNER          SUBMITTED   RUN_TIME     ST COMPLETED   CMD\n   7.0   u1              1/15 08:00   0+00:10:00 C   1/15 08:11 /a\n", "HTCondor", "condor_history"},
		"history":        {"ClusterId = 7\nProcId = 0\nOwner = \"u1\"\n*** Offset = 0\n", "HTCondor", "condor_history"},
		"events":         {"000 (7.000.000) 2024-01-15 08:00:00 Job submitted from host: <10.0.0.1>\n", "HTCondor", "condor_history"},
	} {
		for _, file := range []string{"x", "x.csv"} {
			_, err := logfile.OpenReader(file, strings.NewReader(c.text), workload.Options{})
			var e *workload.InputError
			if !errors.As(err, &e) || e.Line == 0 || !strings.Contains(e.Saw, c.saw) || !strings.Contains(e.Saw, "not read yet") || !strings.Contains(e.Want, c.want) {
				t.Errorf("%s: error %v, want one of %s with %s", name, err, c.saw, c.want)
			}
		}
	}
}
