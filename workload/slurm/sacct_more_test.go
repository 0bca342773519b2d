package slurm_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// more reads the optional columns of a log: of each job "column=value" of those that are
// known, and the columns that the log declares.
func more(t *testing.T, text string) (jobs []string, declared []string) {
	t.Helper()
	l, err := logfile.OpenReader("log", strings.NewReader(text), workload.Options{TimeZone: "UTC"})
	if err != nil {
		t.Fatal(err)
	}
	has := l.Optional()
	for col := workload.FirstOptional; col < workload.NumColumns; col++ {
		if has.Has(col) {
			declared = append(declared, workload.ColumnAt(col).Name)
		}
	}
	for j, err := range l.Jobs() {
		if err != nil {
			t.Fatal(err)
		}
		values := []string{fmt.Sprint(j.ID)}
		for col := workload.FirstOptional; col < workload.NumColumns; col++ {
			switch c := workload.ColumnAt(col); {
			case c.Float() && !math.IsNaN(c.Number(&j)):
				values = append(values, fmt.Sprintf("%s=%.0f", c.Name, c.Number(&j)))
			case !c.Float() && c.Int(&j) != workload.Unknown:
				values = append(values, fmt.Sprintf("%s=%d", c.Name, c.Int(&j)))
			}
		}
		jobs = append(jobs, strings.Join(values, " "))
	}
	return jobs, declared
}

// The same jobs as text and as JSON in the old form and the new. Job 1 has 2 nodes with
// 4 A100 each, was eligible 10 s after its submission and used 5,000 J; job 2 is a task
// that failed, with 4 GB for each of its 3 processors, and steps of 700 and 900 J,
// of which the larger counts; job 3 waits; job 4 failed, and asked for no
// GPUs, which the log counts; job 5 was cancelled before it started.
const moreText = `JobID|JobIDRaw|User|Account|QOS|State|Submit|Eligible|Start|End|ElapsedRaw|NNodes|AllocCPUS|ReqCPUS|ReqMem|ReqTRES|AllocTRES|NTasks|MaxRSS|ConsumedEnergyRaw|NodeList
1|1|ann|phys|high|COMPLETED|2024-06-01T00:00:00|2024-06-01T00:00:10|2024-06-01T00:01:00|2024-06-01T00:02:00|60|2|16|16|32G|billing=16,cpu=16,gres/gpu:a100=8,gres/gpu=8,mem=32G,node=2|billing=16,cpu=16,energy=5000,gres/gpu:a100=8,gres/gpu=8,mem=32G,node=2||||n[1-2]
1.0|1.0||phys||COMPLETED|2024-06-01T00:01:00||2024-06-01T00:01:00|2024-06-01T00:02:00|60|2|16|16|||cpu=16|4|1024K|10|
7_3|2|bob|chem|low|FAILED|2024-06-01T00:00:05|2024-06-01T00:00:05|2024-06-01T00:01:00|2024-06-01T00:02:00|60|1|3|3|4Gc|cpu=3,mem=12G,node=1,gres/gpu:v100=1|cpu=3,mem=12G,node=1,gres/gpu:v100=1||||n3
7_3.batch|2.batch||chem||FAILED|2024-06-01T00:01:00||2024-06-01T00:01:00|2024-06-01T00:02:00|60|1|3|3|||cpu=3|1|2048K|700|
7_3.0|2.0||chem||FAILED|2024-06-01T00:01:00||2024-06-01T00:01:00|2024-06-01T00:02:00|60|1|3|3|||cpu=3|3|1024K|900|
3|3|bob|chem|low|PENDING|2024-06-01T00:00:06|Unknown|Unknown|Unknown|0|1|2|2|1G|cpu=2,mem=1G,node=1,gres/gpu=2|||||None assigned
4|4|bob|chem|low|FAILED|2024-06-01T00:00:07|2024-06-01T00:00:07|2024-06-01T00:01:00|2024-06-01T00:02:00|60|1|2|2|1G|cpu=2,mem=1G,node=1|cpu=2,mem=1G,node=1|||0|n3
5|5|bob|chem|low|CANCELLED by 0|2024-06-01T00:00:08|2024-06-01T00:00:08|None|2024-06-01T00:02:00|0|1|2|2|1G|cpu=2,mem=1G,node=1|||||None assigned
`

// moreJSON is the same in JSON. num writes a number that may be missing, -1 for one that
// is not there.
func moreJSON(old bool) string {
	num := func(n int64) string {
		switch {
		case old && n < 0:
			return "null"
		case old:
			return fmt.Sprint(n)
		case n < 0:
			return unset
		}
		return num(n)
	}
	state := func(s string) string {
		if old {
			return `"` + s + `"`
		}
		return `["` + s + `"]`
	}
	tres := func(list string) string {
		var items []string
		for item := range strings.SplitSeq(list, ",") {
			if key, count, ok := strings.Cut(item, "="); ok {
				kind, name, _ := strings.Cut(key, "/")
				items = append(items, fmt.Sprintf(`{"type": "%s", "name": "%s", "id": 1, "count": %s}`, kind, name, count))
			}
		}
		return "[" + strings.Join(items, ",") + "]"
	}
	step := func(job int64, name string, tasks, bytes, joules int64) string {
		id := fmt.Sprintf(`{"id": "%d.%s", "name": "x"}`, job, name)
		if old {
			id = fmt.Sprintf(`{"job_id": %d, "id": "%s", "name": "x"}`, job, name)
		}
		return fmt.Sprintf(`{"step": %s, "tasks": {"count": %d}, "statistics": {"energy": {"consumed": %s}}, "tres": {"requested": {"max": [{"type": "mem", "name": "", "id": 2, "count": %d}]}}}`, id, tasks, num(joules), bytes)
	}
	job := func(id int64, array, user, account, qos, status string, submit, eligible, start, end, elapsed, nodes, cpus int64, asked, given, list string, steps ...string) string {
		return fmt.Sprintf(`{"job_id": %d, "array": %s, "user": "%s", "account": "%s", "qos": "%s", "state": {"current": %s}, "time": {"submission": %d, "eligible": %d, "start": %d, "end": %d, "elapsed": %d},
 "allocation_nodes": %d, "required": {"CPUs": %d}, "tres": {"requested": %s, "allocated": %s}, "nodes": "%s", "steps": [%s]}`,
			id, array, user, account, qos, state(status), submit, eligible, start, end, elapsed, nodes, cpus, tres(asked), tres(given), list, strings.Join(steps, ","))
	}
	const z = 1717200000
	none := `{"job_id": 0, "task_id": ` + num(-1) + `}`
	return `{"jobs": [` + strings.Join([]string{
		job(1, none, "ann", "phys", "high", "COMPLETED", z, z+10, z+60, z+120, 60, 2, 16, "cpu=16,mem=32768,node=2,gres/gpu:a100=8,gres/gpu=8", "cpu=16,mem=32768,energy=5000,node=2,gres/gpu:a100=8,gres/gpu=8", "n[1-2]",
			step(1, "0", 4, 1024*1024, 10)),
		job(2, `{"job_id": 7, "task_id": `+num(3)+`}`, "bob", "chem", "low", "FAILED", z+5, z+5, z+60, z+120, 60, 1, 3, "cpu=3,mem=12288,node=1,gres/gpu:v100=1", "cpu=3,mem=12288,energy=-2,node=1,gres/gpu:v100=1", "n3",
			step(2, "batch", 1, 2048*1024, 700), step(2, "0", 3, 1024*1024, 900)),
		job(3, none, "bob", "chem", "low", "PENDING", z+6, 0, 0, 0, 0, 0, 2, "cpu=2,mem=1024,node=1,gres/gpu=2", "", "None assigned"),
		job(4, none, "bob", "chem", "low", "FAILED", z+7, z+7, z+60, z+120, 60, 1, 2, "cpu=2,mem=1024,node=1", "cpu=2,mem=1024,node=1", "n3"),
		job(5, none, "bob", "chem", "low", "CANCELLED", z+8, z+8, 0, z+120, 0, 0, 2, "cpu=2,mem=1024,node=1", "", "None assigned"),
	}, ",\n") + `], "meta": {"Slurm": {}}}`
}

func TestSacctMore(t *testing.T) {
	want := []string{
		"1 requested_nodes=2 allocated_nodes=2 requested_gpus=8 allocated_gpus=8 gpu_type_id=1 requested_memory_total_kb=33554432 used_memory_total_kb=4096 energy_j=5000 account_id=1 qos_id=1 eligible_time_s=10",
		"2 requested_nodes=1 allocated_nodes=1 requested_gpus=1 allocated_gpus=1 gpu_type_id=2 requested_memory_total_kb=12582912 used_memory_total_kb=3072 energy_j=900 account_id=2 qos_id=2 array_id=7 eligible_time_s=5",
		"3 requested_nodes=1 requested_gpus=2 requested_memory_total_kb=1048576 account_id=2 qos_id=2",
		"4 requested_nodes=1 allocated_nodes=1 requested_gpus=0 allocated_gpus=0 requested_memory_total_kb=1048576 account_id=2 qos_id=2 eligible_time_s=7",
		"5 requested_nodes=1 requested_gpus=0 requested_memory_total_kb=1048576 account_id=2 qos_id=2 eligible_time_s=8",
	}
	const declared = "requested_nodes allocated_nodes requested_gpus allocated_gpus gpu_type_id requested_memory_total_kb used_memory_total_kb energy_j account_id qos_id array_id eligible_time_s"
	for form, text := range map[string]string{"text": moreText, "old JSON": moreJSON(true), "new JSON": moreJSON(false)} {
		got, has := more(t, text)
		wanted := append([]string(nil), want...)
		if form == "old JSON" { // which says 0 of exit codes
			wanted[3] = strings.Replace(wanted[3], "", "", 1)
		}
		if d := cmp.Diff(wanted, got); d != "" {
			t.Errorf("%s: %s", form, d)
		}
		if strings.Join(has, " ") != declared {
			t.Errorf("%s declares %q", form, has)
		}
	}
	// Without GPUs in the log nothing says that they are counted.
	got, _ := more(t, strings.ReplaceAll(strings.ReplaceAll(moreText, "gres/gpu", "gres/fpga"), "energy=5000", "energy=0"))
	if strings.Contains(strings.Join(got, " "), "gpu") || strings.Contains(got[0], "energy_j=5000") {
		t.Errorf("%q", got)
	}
	// A log of few columns declares few.
	if _, has := more(t, "JobIDRaw|Submit|ElapsedRaw\n1|2024-06-01T00:00:00|5\n"); len(has) > 0 {
		t.Errorf("declares %q", has)
	}
}

// TestBadAmounts has lists of resources, in four forms, of which two amounts can be no
// job's, and shards: job 1 asked for -5 GPUs and 2^62 MB, job 2 for 2 GPUs, job 3 for 4
// shards of GPUs, whose number is not known then.
func TestBadAmounts(t *testing.T) {
	const z = 1717200000
	lists := []string{"cpu=2,mem=4611686018427387904M,gres/gpu=-5", "cpu=2,gres/gpu=2", "cpu=2,gres/shard=4"}
	text := "JobIDRaw|Submit|Start|ElapsedRaw|ReqCPUS|ReqTRES\n"
	var jobs, queued []string
	scontrol := ""
	for i, list := range lists {
		id := int64(i + 1)
		text += fmt.Sprintf("%d|2024-06-01T00:00:00|Unknown|0|2|%s\n", id, list)
		var items []string
		for item := range strings.SplitSeq(list, ",") {
			key, count, _ := strings.Cut(item, "=")
			kind, name, _ := strings.Cut(key, "/")
			items = append(items, fmt.Sprintf(`{"type": "%s", "name": "%s", "count": %s}`, kind, name, strings.TrimSuffix(count, "M")))
		}
		jobs = append(jobs, fmt.Sprintf(`{"job_id": %d, "allocation_nodes": 0, "time": {"submission": %d}, "state": {"current": "PENDING"}, "required": {"CPUs": 2}, "tres": {"requested": [%s]}}`, id, z, strings.Join(items, ",")))
		queued = append(queued, squeueJob(true, id, "PENDING", "Priority", z, 0, 0, 60, 2, "", `, "tres_req_str": "`+list+`"`))
		scontrol += fmt.Sprintf("JobId=%d JobName=n\n   UserId=a(1) JobState=PENDING Reason=Priority SubmitTime=2024-06-01T00:00:00 StartTime=Unknown NumCPUs=2 ReqTRES=%s\n", id, list)
	}
	for form, text := range map[string]string{"text": text, "sacct JSON": `{"jobs": [` + strings.Join(jobs, ",") + "]}", "squeue JSON": `{"jobs": [` + strings.Join(queued, ",") + "]}", "scontrol": scontrol} {
		l, err := logfile.OpenReader("log", strings.NewReader(text), workload.Options{})
		if err != nil {
			t.Fatal(form, err)
		}
		var got []int64
		for j, err := range l.Jobs() {
			if err != nil {
				t.Fatal(form, err)
			}
			got = append(got, j.Asked.Value().GPUs)
			if j.ID == 1 && !math.IsNaN(j.Asked.Value().Memory) {
				t.Errorf("%s: memory %g", form, j.Asked.Value().Memory)
			}
		}
		if d := cmp.Diff([]int64{workload.Unknown, 2, workload.Unknown}, got); d != "" {
			t.Errorf("%s: GPUs %s", form, d)
		}
		if n := logtest.Warned(l, "bad-amount"); n != 2 {
			t.Errorf("%s: %d amounts counted, want 2", form, n)
		}
	}
}

// TestListingMore has the same of the queue, in three forms: job 1 runs, 2 waits, and 3
// ended.
func TestListingMore(t *testing.T) {
	const z = 1717200000
	list := func(old bool) string {
		n := func(x int64) string {
			if old {
				return fmt.Sprint(x)
			}
			return num(x)
		}
		more := func(nodes, eligible int64, asked, given string) string {
			return fmt.Sprintf(`, "node_count": %s, "eligible_time": %s, "tres_req_str": "%s", "tres_alloc_str": "%s"`, n(nodes), n(eligible), asked, given)
		}
		return `{"jobs": [` + strings.Join([]string{
			squeueJob(old, 1, "RUNNING", "None", z, z+60, z+160, 60, 8, "n1", more(1, z+9, "cpu=8,mem=16G,node=1,gres/gpu:a100=2", "cpu=8,mem=16G,node=1,gres/gpu=2")),
			squeueJob(old, 2, "PENDING", "Priority", z+1, 0, 0, 60, 8, "", more(3, 0, "cpu=8,mem=0,node=3", "")),
			squeueJob(old, 3, "FAILED", "None", z+2, z+60, z+70, 60, 8, "n1", more(1, z+2, "cpu=8,node=1", "cpu=8,node=1")),
		}, ",") + "], " + squeueMeta
	}
	scontrol := `JobId=1 JobName=n
   UserId=ann(7) GroupId=g(1) Priority=70 Account=phys QOS=q JobState=RUNNING Reason=None RunTime=00:01:00 TimeLimit=01:00:00
   SubmitTime=2024-06-01T00:00:00 EligibleTime=2024-06-01T00:00:09 StartTime=2024-06-01T00:01:00 EndTime=Unknown Partition=p NodeList=n1 NumNodes=1 NumCPUs=8
   ReqTRES=cpu=8,mem=16G,node=1,gres/gpu:a100=2
   AllocTRES=cpu=8,mem=16G,node=1,gres/gpu=2

JobId=2 JobName=n
   UserId=ann(7) GroupId=g(1) Priority=71 Account=phys QOS=q JobState=PENDING Reason=Priority RunTime=00:00:00 TimeLimit=01:00:00
   SubmitTime=2024-06-01T00:00:01 EligibleTime=Unknown StartTime=Unknown EndTime=Unknown Partition=p NodeList= NumNodes=3-3 NumCPUs=8 ReqTRES=cpu=8,mem=0,node=3 AllocTRES=(null)

JobId=3 JobName=n
   UserId=ann(7) GroupId=g(1) Priority=72 Account=phys QOS=q JobState=FAILED Reason=None RunTime=00:00:10 TimeLimit=01:00:00
   SubmitTime=2024-06-01T00:00:02 EligibleTime=2024-06-01T00:00:02 StartTime=2024-06-01T00:01:00 EndTime=2024-06-01T00:01:10 Partition=p NodeList=n1 NumNodes=1 NumCPUs=8 ReqTRES=cpu=8,node=1 AllocTRES=cpu=8,node=1
`
	want := []string{
		"1 requested_nodes=1 allocated_nodes=1 requested_gpus=2 allocated_gpus=2 gpu_type_id=1 requested_memory_total_kb=16777216 account_id=1 qos_id=1 eligible_time_s=9",
		"2 requested_nodes=3 requested_gpus=0 account_id=1 qos_id=1",
		"3 requested_nodes=1 allocated_nodes=1 requested_gpus=0 allocated_gpus=0 account_id=1 qos_id=1 eligible_time_s=2",
	}
	for form, text := range map[string]string{"old JSON": list(true), "new JSON": list(false), "scontrol": scontrol} {
		got, has := more(t, text)
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: %s", form, d)
		}
		if strings.Join(has, " ") != "requested_nodes allocated_nodes requested_gpus allocated_gpus gpu_type_id requested_memory_total_kb account_id qos_id eligible_time_s" {
			t.Errorf("%s declares %q", form, has)
		}
	}
}
