package slurm_test

import (
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
	"github.com/loadstone-hpc/loadstone/workload/slurm"
)

// sacctCases returns texts in sacct's format; the last has bars and line ends in its texts.
func sacctCases() logtest.Cases {
	const long = "JobID|User|Account|Partition|QOS|JobName|State|Submit|Start|End|ElapsedRaw|TimelimitRaw|NCPUS|ReqMem|TotalCPU|MaxRSS\n"
	texts := []string{
		"", "JobID|Submit", "JobID|Submit\n1|2021-06-01T10:00:00",
		long + "1|a|b|c|d|e|COMPLETED|2021-06-01T10:00:00|2021-06-01T10:05:00|2021-06-01T11:05:00|3600|60|4|4000Mc|01:00.5|\n1.batch||b|||batch|COMPLETED|||||||||4K\n",
		long + "1|a|b|c|d|e|f\n\n|g|PD|2021-10-31T02:30:00|Unknown|None|0|UNLIMITED|0|0n||\r\n12_[3-5]|a|b|c|d|e|RUNNING|2021-10-31T02:10:00||||||||\n",
		"JobID|JobName|JobIDRaw|\n7_1|a|b||8|\n7_2|c\nd|9|\n9+1|x|\n" + "JobID|JobName|JobIDRaw|\n",
		"JobID|Elapsed|State\n1|1-00:00:00|RQ\n1|00:10|CD\n1|x|CD\n",
		"Comment|JobID|SubmitLine|Start|Comment2\na|1|b\n|c|1622541600|x\n\n||\ny\n|2||2021-03-28T02:30:00|\n",
	}
	return logtest.Cases{
		Texts: append(texts, oddTexts()),
		Endless: map[string][2]string{
			"header": {"JobID|Submit|JobName", "|x"}, "line": {"JobID|Submit|JobName\n1|", "x"}, "bars": {"JobID|Submit|JobName\n1|", "|"},
			"lines": {"JobID|Submit|JobName|State|End\n1||a", "x\n"}, "lines with bars": {"JobID|Submit|JobName|State\n1||", "|\n"},
			"record": {"State|JobName|Submit|JobID\n|a", "|\n"}, "blank lines": {"JobID|Submit|JobName|State\n", "\n"},
		},
		Head: "JobID|JobName|Submit|ElapsedRaw|State\n",
		Line: func(n int) string {
			return fmt.Sprintf("%d|a_rather_long_name_of_a_job_that_nobody_else_has_%d|%d|%d|COMPLETED\n", n, n, 1600000000+n, n%1000)
		},
		Bound: 200 << 20, // of chunks of jobs of 304 bytes
	}
}

// oddTexts returns a log of 700 jobs with bars and line ends in its texts.
func oddTexts() string {
	rng := rand.New(rand.NewPCG(8, 0))
	var text strings.Builder
	text.WriteString("JobIDRaw|SubmitLine|State|Submit|Comment|Start|ElapsedRaw|JobName|NCPUS\n")
	for i := range 700 {
		odd := func() string {
			return []string{"", "plain", "a | b", "a\nb", "|", "x\n\n|y|\n", "12|COMPLETED"}[rng.IntN(7)]
		}
		fmt.Fprintf(&text, "%d|%s|COMPLETED|%d|%s|%d|60|%s|4\n", i+1, odd(), 1600000000+i, odd(), 1600000100+i, strings.ReplaceAll(odd(), "\n", " "))
	}
	return text.String()
}

func TestSacctConforms(t *testing.T) { logtest.Conform(t, slurm.OpenSacct, sacctCases()) }

func FuzzSacct(f *testing.F) { logtest.Fuzz(f, slurm.OpenSacct, sacctCases()) }

// Every job of a log with bars and line ends in its texts is found.
func TestSacctOddTexts(t *testing.T) {
	got, _ := outcome(oddTexts(), "UTC", []string{"job_id", "wait_time_s", "run_time_s", "allocated_processors"})
	for i := range 700 {
		if want := fmt.Sprint(i+1, " 100 60 4"); got[i] != want {
			t.Fatalf("job %d is %s, want %s", i+1, got[i], want)
		}
	}
}

// jsonCases returns documents of sacct --json; the long one has jobs of 28 steps.
func jsonCases() logtest.Cases {
	step := `{"time": {"elapsed": 1, "total": {"seconds": 1, "microseconds": 0}}, "tasks": {"count": 1}, "step": {"id": "1.0", "name": "x"}, "tres": {"requested": {"max": [{"type": "mem", "count": 40960}]}}}`
	steps := step + strings.Repeat(", "+step, 27)
	return logtest.Cases{
		Texts: []string{
			oldMeta + oldJobs + "]}", `{"jobs": [` + newJobs + newMeta, "", "{", `{"jobs":[{}]}`, oldMeta, oldMeta + oldJobs,
			`{"jobs":[{"job_id":1,"time":{"total":{"seconds":999999999999999,"microseconds":99999999}},"steps":[{"step":{"id":{"job_id":1,"step_id":"x"}},"tres":{"requested":{"max":[{"type":"mem","count":1e5}]}}}]}]}`,
		},
		Line: func(n int) string {
			return fmt.Sprintf(`{"job_id": %d, "name": "simulation_%d", "user": "user%d", "required": {"CPUs": 8}, "state": {"current": ["COMPLETED"]}, "time": {"submission": %d, "start": %d, "end": %d, "elapsed": 361}, "steps": [%s]}`,
				n, n%19, n%300, 1717200000+7*n, 1717200139+7*n, 1717200500+7*n, steps)
		},
		Bound: 120 << 20,
		Loose: true,
	}
}

func TestSacctJSONConforms(t *testing.T) { logtest.Conform(t, slurm.OpenSacct, jsonCases()) }

func FuzzForms(f *testing.F) { logtest.Fuzz(f, slurm.OpenSacct, jsonCases()) }

// FuzzListings reads a text as the output of each command that shows the current queue: no input
// panics, and every fault is an *InputError.
func FuzzListings(f *testing.F) {
	logtest.Fuzz(f, func(name string, r io.Reader, o workload.Options, _ int) (*workload.Log, error) {
		return logfile.OpenReader(name, r, o)
	}, logtest.Cases{Texts: []string{
		`{"jobs": [{"job_id": 1, "job_state": "RUNNING", "submit_time": 10, "start_time": 40, "end_time": 3640, "time_limit": 60, "cpus": 8, "nodes": "n1"}]}`,
		`{"jobs": [{"job_id": 1, "job_state": ["COMPLETED", "COMPLETING"], "submit_time": {"set": true, "number": 10}, "start_time": {"set": true, "number": 40}, "cpus": 8, "array_job_id": 5}], "last_update": 9, "meta": {"slurm": {}}}`,
		"JobId=1 ArrayJobId=1 ArrayTaskId=1-4%2 JobName=a b\n   UserId=a(1) JobState=PENDING Reason=Nodes_required\n   SubmitTime=2024-06-01T00:00:00 StartTime=Unknown RunTime=00:00:00 TimeLimit=UNLIMITED\n   NumCPUs=1-4\n\n",
		"No jobs in the system\n", logtest.SqueueBars, "JOBID ST SUBMIT_TIME START_TIME CPUS\n1 R 1700000000 1700000001 4\n",
	}})
}
