package slurm_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loadstone-hpc/loadstone/internal/longtest"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/slurm"
)

// TestSqueueTextsWithSeparators has names, reasons and comments that contain the separator, for
// each separator.
func TestSqueueTextsWithSeparators(t *testing.T) {
	const text = `JOBID|USER|ACCOUNT|PARTITION|QOS|NAME|STATE|SUBMIT_TIME|START_TIME|TIME|TIME_LIMIT|CPUS|COMMENT|REASON
1|u1|lab|batch|normal|a|RUNNING|2025-11-07T10:00:00|2025-11-07T10:10:00|50:00|1-00:00:00|60|b|None
2|u2|lab|batch|normal|crazy|name|PENDING|2025-11-07T10:05:00|N/A|0:00|1-00:00:00|60-70|b|Priority
3|u3|lab|batch|normal|x|PENDING|y|PENDING|2025-11-07T10:06:00|N/A|0:00|NOT_SET|4|b|Nodes required for job are DOWN|DRAINED
4|u4|lab|batch|normal||b|PENDING|2025-11-07T10:07:00|N/A|0:00|UNLIMITED|4|a|b|Resources
`
	want := []string{"1 60 86400", "2 60 86400", "3 4 -1", "4 4 -1"}
	for _, separator := range []string{"|", "\t", ",", ";"} {
		got, header := outcome(strings.ReplaceAll(text, "|", separator), "UTC", strings.Fields("job_id requested_processors requested_time_s"))
		isTold := slices.ContainsFunc(got, func(line string) bool { return strings.HasPrefix(line, "warning separator-in-text 3 3 ") })
		if d := cmp.Diff(want, got[:min(4, len(got))]); d != "" || !slices.Contains(header, " Format: squeue") || !isTold {
			t.Errorf("%q: %s, of %q, header %q", separator, d, got, header)
		}
	}
	q, err := slurm.ReadQueue("q", strings.NewReader(text), workload.Options{TimeZone: "UTC"})
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range []string{"a", "crazy|name", "x|PENDING|y", "|b"} {
		if got, _ := q.Names.Text(workload.ColApplication, q.Jobs[i].Application); got != name {
			t.Errorf("job %d: name %q, want %q", i+1, got, name)
		}
	}
	// Blanks.
	rows, _ := jobsAndRules(`JOBID USER ST NAME SUBMIT_TIME START_TIME CPUS REASON
1 u1 PD my own job 2025-11-07T10:00:00 N/A 60 Priority
`, []string{"job_id", "requested_processors"})
	if d := cmp.Diff([]string{"1 60"}, rows); d != "" {
		t.Error(d)
	}
}

// forms are the output formats in which Slurm shows a job, from accounting and from the queue.
var forms = []string{"sacct", "sacct JSON", "squeue", "squeue JSON", "scontrol"}

// TestFields has one job in each form that has the fields: 1704103200 is 2024-01-01T10:00:00Z. By
// default the job waits and requests 8 processors.
func TestFields(t *testing.T) {
	const memory, small = "requested_memory_kb requested_memory_total_kb", "3072000 24576000" // 3000 MB for each processor, with MEM_PER_CPU
	const ran = "State=COMPLETED Start=1704103800 End=1704107400 ElapsedRaw=3600 NCPUS=8 Elapsed=01:00:00 AllocTRES=cpu=8 NodeList=n1 Reason=None"
	const backwards = ran + " Start=1704106800 End=1704106200 ElapsedRaw=0 Elapsed=0:00"
	names := strings.NewReplacer("MEMORY", memory, "SMALL", small, "RAN", ran, "BACKWARDS", backwards)
	// What is tested, the forms that have the fields, the fields, the columns, their values (empty
	// for no job), and the rule of the only warning apart from that of waiting. 631360192512 is
	// 4816896 * 2^20, divided by 8.
	for _, c := range longtest.Rows(names.Replace(`
memory of each node, 32 bits | sacct | ReqMem=2147486648Mn NNodes=1 | MEMORY | SMALL |
of several nodes | sacct | ReqMem=2147486648Mn NNodes=4 | MEMORY | SMALL |
of each processor | sacct | ReqMem=2147486648Mc NNodes=4 | MEMORY | SMALL |
of the job | sacct | ReqMem=2147486648M NNodes=1 | MEMORY | SMALL |
without a unit | sacct | ReqMem=2147486648 NNodes=1 | MEMORY | SMALL |
64 bits | sacct | ReqMem=9223372036854778808Mn NNodes=1 | MEMORY | SMALL |
64 bits, no unit | sacct | ReqMem=9223372036854778808 NNodes=2 | MEMORY | SMALL |
the flag alone | sacct | ReqMem=2147483648Mn NNodes=1 | MEMORY | -1 -1 | bad-amount
no value | sacct | ReqMem=4294967294Mn NNodes=1 | MEMORY | -1 -1 |
no value, 64 bits | sacct | ReqMem=18446744073709551614Mn NNodes=1 | MEMORY | -1 -1 |
rounded | sacct | ReqMem=2.00Pn NNodes=1 | MEMORY | -1 -1 | bad-amount
4096 nodes of 512 GiB | sacct | ReqMem=2147483648M NNodes=4096 | MEMORY | 274877906944 2199023255552 |
9408 nodes of 512 GiB | sacct | ReqMem=4816896G NNodes=9408 | MEMORY | 631360192512 5050881540096 |
list, 32 bits | sacct sacct_JSON squeue_JSON scontrol | ReqTRES=cpu=8,mem=2147486648M,node=1 | MEMORY | SMALL |
list, 64 bits | sacct sacct_JSON squeue_JSON scontrol | ReqTRES=cpu=8,mem=9223372036854778808M,node=1 | MEMORY | SMALL |
list without processors | squeue_JSON | ReqTRES=mem=2147486648M,node=1 | MEMORY | SMALL |
negative amounts | sacct sacct_JSON squeue_JSON scontrol | ReqTRES=cpu=8,mem=4611686018427387904M,gres/gpu=-5 | requested_gpus requested_memory_total_kb | -1 -1 | bad-amount
GPUs | sacct sacct_JSON squeue_JSON scontrol | ReqTRES=cpu=8,gres/gpu=2 | requested_gpus | 2 |
one list, of what a job waits for | scontrol | TRES=cpu=8,mem=24000M,gres/gpu=2 | requested_gpus requested_memory_total_kb allocated_gpus | 2 24576000 -1 |
one list, of what a job has had | scontrol | RAN AllocTRES= TRES=cpu=4,gres/gpu=2 | requested_gpus allocated_gpus | -1 2 |
shards of GPUs | sacct sacct_JSON squeue_JSON scontrol | ReqTRES=cpu=8,gres/shard=4 | requested_gpus | -1 |
rounded counts | sacct squeue | ReqNodes=1.50K ReqCPUS=96K | requested_nodes requested_processors | 1536 98304 | rounded-count
ranges | squeue | ReqNodes=1K-2K ReqCPUS=2k-4k | requested_nodes requested_processors | 1024 2048 |
365 days | all | Timelimit=365-00:00:00 TimelimitRaw=525600 | requested_time_s | -1 | year-limit
31 bits of seconds | all | Timelimit=24855-03:14:07 TimelimitRaw=35791395 | requested_time_s | -1 | year-limit
a minute less | all | Timelimit=364-23:59:00 TimelimitRaw=525599 | requested_time_s | 31535940 |
held | squeue squeue_JSON scontrol | Reason=JobHeldUser | job_id |  | held-jobs
ran | all | RAN | wait_time_s allocated_processors status | 600 8 1 |
end before start | all | BACKWARDS | wait_time_s run_time_s allocated_processors | 3600 -1 8 | end-before-start
end before start, wrapped | sacct | BACKWARDS ElapsedRaw=4294966696 | run_time_s | -1 | end-before-start
end before start, Elapsed | sacct | BACKWARDS ElapsedRaw= Elapsed=INVALID | run_time_s | -1 | end-before-start
`)) {
		name, formsOf, fields, columns, want, rule := c[0], c[1], c[2], strings.Fields(c[3]), c[4], c[5]
		for _, form := range forms {
			if formsOf != "all" && !slices.Contains(strings.Fields(formsOf), strings.ReplaceAll(form, " ", "_")) {
				continue
			}
			rows, rules := jobsAndRules(slurm.Render(form, fieldsOf(fields)), columns)
			rules = slices.DeleteFunc(rules, func(rule string) bool { return rule == "waiting" || rule == "missing-column" })
			if strings.Join(rows, ";") != want || strings.Join(rules, " ") != rule {
				t.Errorf("%s, %s: %v, want %s; warnings %v, want %s", name, form, rows, want, rules, rule)
			}
		}
	}
}

// fieldsOf returns the fields of a waiting job with their values, some of which are replaced by
// others.
func fieldsOf(others string) map[string]string {
	fields := map[string]string{}
	for _, field := range strings.Fields("JobID=1 JobIDRaw=1 JobName=a State=PENDING Reason=Priority Submit=1704103200 Start=Unknown ReqCPUS=8 " + others) {
		name, value, _ := strings.Cut(field, "=")
		fields[name] = value
	}
	return fields
}

// NO_VAL and INFINITE, in 32 and 64 bits (slurm.h: 0xfffffffe, 0xffffffff, and with 16 digits),
// mean the same in every form and field: the value is unknown.
func TestNoValues(t *testing.T) {
	var columns []string
	for col := range workload.NumColumns {
		if c := workload.ColumnAt(col); c.NameKey == "" {
			columns = append(columns, c.Name)
		}
	}
	for _, v := range []string{"4294967294", "4294967295", "18446744073709551614", "18446744073709551615"} {
		fields := fieldsOf("ReqTRES=cpu=8,mem=" + v + ",gres/gpu=" + v)
		for _, name := range strings.Fields("Start Eligible End Timelimit TimelimitRaw Elapsed ElapsedRaw Suspended Priority ReqNodes NNodes NCPUS ArrayID ArrayTask HetID HetOffset TotalCPU ReqMem") {
			fields[name] = v
		}
		for _, form := range forms {
			if form == "scontrol" { // omits these
				for _, name := range strings.Fields("ArrayID ArrayTask HetID HetOffset") {
					delete(fields, name)
				}
			}
			rows, _ := jobsAndRules(slurm.Render(form, fields), columns)
			if got := strings.Fields(strings.ReplaceAll(strings.Join(rows, ";"), "-1", "")); !slices.Equal(got, []string{"1", "36000", "8"}) {
				t.Errorf("%s: %s: %v", form, v, rows)
			}
		}
	}
}
