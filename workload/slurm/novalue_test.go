package slurm_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// NO_VAL and INFINITE, in 32 and 64 bits (slurm.h: 0xfffffffe, 0xffffffff, and with 16
// digits), mean the same in every form and field: the value is unknown.
func TestNoValues(t *testing.T) {
	const tail = `, "meta": {"Slurm": {}, "plugin": {"type": "openapi/v0.0.38"}}}`
	values := []string{"4294967294", "4294967295", "18446744073709551614", "18446744073709551615"}
	for _, v := range values {
		for form, text := range map[string]string{
			"squeue --json": fmt.Sprintf(`{"jobs": [{"job_id": 1, "job_state": "PENDING", "submit_time": 1717200000, "start_time": %[1]s, "eligible_time": %[1]s, "cpus": 4, "time_limit": %[1]s, "node_count": %[1]s, "priority": %[1]s, "restart_cnt": %[1]s, "array_job_id": %[1]s, "array_task_id": %[1]s, "het_job_id": %[1]s, "het_job_offset": %[1]s, "tres_req_str": "cpu=4,mem=%[1]s,gres/gpu=%[1]s"}]`+tail, v),
			"as objects":    fmt.Sprintf(`{"jobs": [{"job_id": 1, "job_state": ["PENDING"], "submit_time": {"set": true, "infinite": false, "number": 1717200000}, "cpus": {"set": true, "infinite": false, "number": 4}, "time_limit": {"set": true, "infinite": false, "number": %[1]s}, "priority": {"set": true, "infinite": false, "number": %[1]s}, "start_time": {"set": true, "infinite": false, "number": %[1]s}}]`+tail, v),
			"as texts":      fmt.Sprintf(`{"jobs": [{"job_id": "1", "job_state": "PENDING", "submit_time": "1717200000", "start_time": "%[1]s", "cpus": "4", "time_limit": "%[1]s", "priority": "%[1]s"}]`+tail, v),
			"scontrol":      fmt.Sprintf("JobId=1 JobName=a\n   Priority=%[1]s\n   JobState=PENDING Reason=None\n   RunTime=%[1]s TimeLimit=%[1]s\n   SubmitTime=1717200000 StartTime=%[1]s EligibleTime=%[1]s\n   NumNodes=%[1]s NumCPUs=4 Restarts=%[1]s\n   ReqTRES=cpu=4,mem=%[1]s\n", v),
			"squeue":        fmt.Sprintf("JOBID|STATE|SUBMIT_TIME|START_TIME|CPUS|TIME|TIME_LIMIT|PRIORITY|NODES|ELIGIBLE_TIME\n1|PENDING|1717200000|%[1]s|4|%[1]s|%[1]s|%[1]s|%[1]s|%[1]s\n", v),
			"sacct":         fmt.Sprintf("JobID|State|Submit|Start|End|Eligible|NCPUS|ReqCPUS|TimelimitRaw|ElapsedRaw|ReqMem|Priority|NNodes|TotalCPU|Suspended\n1|PENDING|1717200000|%[1]s|%[1]s|%[1]s|%[1]s|4|%[1]s|%[1]s|%[1]s|%[1]s|%[1]s|%[1]s|%[1]s\n", v),
			"sacct, times":  fmt.Sprintf("JobID|State|Submit|Start|End|NCPUS|ReqCPUS|Timelimit|Elapsed\n1|PENDING|1717200000|%[1]s|%[1]s|%[1]s|4|%[1]s|%[1]s\n", v),
			"sacct --json":  fmt.Sprintf(`{"jobs": [{"job_id": 1, "state": {"current": "PENDING"}, "time": {"submission": 1717200000, "start": %[1]s, "end": %[1]s, "eligible": %[1]s, "elapsed": %[1]s, "limit": %[1]s, "suspended": %[1]s, "total": {"seconds": %[1]s, "microseconds": 0}}, "required": {"CPUs": 4}, "allocation_nodes": %[1]s, "priority": %[1]s, "restart_cnt": %[1]s, "array": {"job_id": %[1]s, "task_id": %[1]s}, "tres": {"requested": [{"type": "mem", "name": "", "id": 2, "count": %[1]s}], "allocated": []}, "steps": []}]}`, v),
		} {
			l, err := logfile.OpenReader("x", strings.NewReader(text), workload.Options{TimeZone: "UTC"})
			if err != nil {
				t.Errorf("%s: %s: %v", form, v, err)
				continue
			}
			jobs := 0
			for j, err := range l.Jobs() {
				if err != nil {
					t.Errorf("%s: %s: %v", form, v, err)
					break
				}
				jobs++
				if start, _ := l.Header.Int("UnixStartTime"); j.ID != 1 || j.Submit+float64(start) != 1717200000 || j.Processors != 4 {
					t.Errorf("%s: %s: %+v", form, v, j)
				}
				for col := range workload.NumColumns {
					switch c := workload.ColumnAt(col); {
					case col == workload.ColJobID, col == workload.ColSubmitTime, col == workload.ColRequestedProcessors, c.NameKey != "":
					case c.Float() && !math.IsNaN(c.Number(&j)), !c.Float() && c.Int(&j) != workload.Unknown:
						t.Errorf("%s: %s: %s has a value", form, v, c.Name)
					}
				}
			}
			if jobs != 1 {
				t.Errorf("%s: %s: %d jobs", form, v, jobs)
			}
			l.Close()
		}
	}
}

// A job of a listing that cannot be read is left out and counted, if it is one among many.
func TestOneUnreadable(t *testing.T) {
	job := func(id int, cpus string) string {
		return fmt.Sprintf(`{"job_id": %d, "job_state": "PENDING", "submit_time": 1717200000, "cpus": %s}`, id, cpus)
	}
	line := func(id int, cpus string) string { return fmt.Sprintf("%d|PENDING|1717200000|N/A|%s", id, cpus) }
	shown := func(id int, cpus string) string {
		return fmt.Sprintf("JobId=%d JobName=a\n   JobState=PENDING SubmitTime=1717200000\n   StartTime=Unknown\n   NumCPUs=%s\n", id, cpus)
	}
	many := func(job func(int, string) string, between string) string {
		return strings.Join([]string{job(1, "4"), job(2, "18446744073709551615"), job(3, "4")}, between)
	}
	for form, text := range map[string]string{
		"JSON": `{"jobs": [` + many(job, ",\n") + `], "meta": {"Slurm": {}}}`, "text": "JOBID|STATE|SUBMIT_TIME|START_TIME|CPUS\n" + many(line, "\n") + "\n", "scontrol": many(shown, "\n"),
	} {
		l, err := logfile.OpenReader("x", strings.NewReader(text), workload.Options{TimeZone: "UTC"})
		if err != nil {
			t.Errorf("%s: %v", form, err)
			continue
		}
		var ids []int64
		for j, err := range l.Jobs() {
			if err != nil {
				t.Fatal(err)
			}
			ids = append(ids, j.ID)
		}
		found := false
		for _, w := range l.Warnings() {
			found = found || w.Rule == "unreadable-jobs" && w.Count == 1 && strings.Contains(w.Saw, "want a number of processors")
		}
		if len(ids) != 2 || ids[0] != 1 || ids[1] != 3 || !found {
			t.Errorf("%s: jobs %v, %v", form, ids, l.Warnings())
		}
	}
}
