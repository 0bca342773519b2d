package slurm_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loadstone-hpc/loadstone/workload"
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

// Job 1 has 2 nodes with 4 A100 each, was eligible 10 s after its submission and used
// 5,000 J; job 2 is a task that failed, with 4 GB for each of its 3 processors, and steps
// of 700 and 900 J, of which the larger counts; job 3 waits; job 4 failed, and asked for
// no GPUs, which the log counts; job 5 was cancelled before it started.
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

func TestSacctMore(t *testing.T) {
	want := []string{
		"1 requested_nodes=2 allocated_nodes=2 requested_gpus=8 allocated_gpus=8 gpu_type_id=1 requested_memory_total_kb=33554432 used_memory_total_kb=4096 energy_j=5000 account_id=1 qos_id=1 eligible_time_s=10",
		"2 requested_nodes=1 allocated_nodes=1 requested_gpus=1 allocated_gpus=1 gpu_type_id=2 requested_memory_total_kb=12582912 used_memory_total_kb=3072 energy_j=900 account_id=2 qos_id=2 array_id=7 eligible_time_s=5",
		"3 requested_nodes=1 requested_gpus=2 requested_memory_total_kb=1048576 account_id=2 qos_id=2",
		"4 requested_nodes=1 allocated_nodes=1 requested_gpus=0 allocated_gpus=0 requested_memory_total_kb=1048576 account_id=2 qos_id=2 eligible_time_s=7",
		"5 requested_nodes=1 requested_gpus=0 requested_memory_total_kb=1048576 account_id=2 qos_id=2 eligible_time_s=8",
	}
	const declared = "requested_nodes allocated_nodes requested_gpus allocated_gpus gpu_type_id requested_memory_total_kb used_memory_total_kb energy_j account_id qos_id array_id eligible_time_s"
	got, has := more(t, moreText)
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if strings.Join(has, " ") != declared {
		t.Errorf("declares %q", has)
	}
	// Without GPUs in the log nothing says that they are counted.
	got, _ = more(t, strings.ReplaceAll(strings.ReplaceAll(moreText, "gres/gpu", "gres/fpga"), "energy=5000", "energy=0"))
	if strings.Contains(strings.Join(got, " "), "gpu") || strings.Contains(got[0], "energy_j=5000") {
		t.Errorf("%q", got)
	}
	// A log of few columns declares few.
	if _, has := more(t, "JobIDRaw|Submit|ElapsedRaw\n1|2024-06-01T00:00:00|5\n"); len(has) > 0 {
		t.Errorf("declares %q", has)
	}
}
