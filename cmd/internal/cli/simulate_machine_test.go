package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/stats"
)

// gpuJobs has job 1 on all processors and GPUs of the pool of GPUs until 100, where job
// 2 waits for it. Jobs 3 and 4 run among the thin nodes at once. Jobs 5 and 6 fit in no
// pool that they may use.
const gpuJobs = `job_id,submit_time_s,run_time_s,requested_processors,requested_time_s,requested_gpus,requested_memory_total_kb,requested_nodes,partition_id
1,0,100,8,100,4,,1,1
2,10,100,4,100,1,,1,1
3,20,50,2,50,0,1048576,1,2
4,30,400,2,400,0,,,2
5,40,10,1,10,9,,1,1
6,50,10,99,10,,,,2
`

const gpuMachine = `{"schema": "loadstone.machine/1",
 "pools": [
   {"name": "thin", "nodes": 2, "processors": 4, "memory_gb": 1},
   {"name": "gpu", "nodes": 1, "processors": 8, "gpus": 4, "memory_gb": 4}],
 "partitions": [
   {"name": "1", "pools": ["gpu"]},
   {"name": "2", "pools": ["thin", "gpu"]}]}
`

func gpuSite(t *testing.T) (jobs, machine string) {
	return writeFile(t, "jobs.csv", gpuJobs), writeMachine(t, gpuMachine)
}

func writeMachine(t *testing.T, text string) string { return writeFile(t, "machine.json", text) }

// The schedule ends at 430, with job 4. The machine has 16 processors, 4 GPUs and 6 GB.
func TestSimulateMachineByHand(t *testing.T) {
	jobs, machine := gpuSite(t)
	for _, policy := range []string{"easy", "conservative"} {
		var s evaluate.ScheduleResult
		decode(t, &s, "-q", "simulate", jobs, "--machine", machine, "--policy", policy)
		if s.Whole.Jobs != 4 || s.Whole.Processors != 16 || s.Whole.Wait.Max != 90 || len(s.Resources) != 3 || len(s.Partitions) != 2 {
			t.Fatalf("%s: got %+v", policy, s)
		}
		processors, gpus, memory := s.Resources[0], s.Resources[1], s.Resources[2]
		for _, c := range []struct {
			name string
			got  stats.Number
			want float64
		}{
			{"processors", processors.Utilisation, (8*100 + 4*100 + 2*50 + 2*400) / (16 * 430.0)},
			{"GPUs", gpus.Utilisation, (4*100 + 1*100) / (4 * 430.0)},
			{"memory", memory.Utilisation, 1 * 50 / (6 * 430.0)},
			{"processors held", processors.Held, (8*100 + 4*100 + 2*50 + 2*400) / (16 * 430.0)},
			{"memory held", memory.Held, 1 * 50 / (6 * 430.0)},
			{"job 2 waits for processors", processors.HeadShort, 90 / 430.0},
			{"and for GPUs", gpus.HeadShort, 90 / 430.0},
			{"but not for memory", memory.HeadShort, 0},
			{"capacity", stats.Number(gpus.Capacity + memory.Capacity), 4 + 6<<20},
			{"partition 1", s.Partitions[0].Wait.Mean, 45},
			{"partition 2", s.Partitions[1].Wait.Mean, 0},
		} {
			if !near(c.got, c.want) {
				t.Errorf("%s: %s is %g, want %g", policy, c.name, c.got, c.want)
			}
		}
		var rules []string
		for _, w := range s.Warnings {
			rules = append(rules, w.Rule)
		}
		if got := strings.Join(rules, " "); got != "larger-than-machine-gpus larger-than-machine-processors" {
			t.Errorf("%s: warnings %s", policy, got)
		}
	}
}

// Jobs take whole nodes of 4 processors and a GPU, of which there are 2: job 1 asks for
// 3 processors to 100, job 2 for a processor and 2 GPUs.
func TestSimulateWholeNodesByHand(t *testing.T) {
	log := filepath.Join(t.TempDir(), "jobs.csv")
	text := "job_id,submit_time_s,run_time_s,requested_processors,requested_gpus\n1,0,100,3,\n2,0,100,1,2\n3,0,100,1,3\n"
	if err := os.WriteFile(log, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var s evaluate.ScheduleResult
	machine := writeMachine(t, `{"schema": "loadstone.machine/1", "whole_nodes": true, "pools": [{"name": "all", "nodes": 2, "processors": 4, "gpus": 1}]}`)
	decode(t, &s, "-q", "simulate", log, "--machine", machine)
	if s.Whole.Jobs != 2 || s.Whole.Wait.Max != 100 || len(s.Resources) != 3 {
		t.Fatalf("got %+v", s)
	}
	// For 200 s: 8 processors, 2 GPUs, 2 nodes; held are one node, then two.
	for i, want := range [][2]float64{{400.0 / 1600, .75}, {.5, .75}, {.75, .75}} {
		if r := s.Resources[i]; !near(r.Utilisation, want[0]) || !near(r.Held, want[1]) {
			t.Errorf("got %+v, want %g", r, want)
		}
	}
	csv := loadstone(t, "", "simulate", log, "--machine", machine, "--format", "csv").out
	if !strings.Contains(csv, ",0.75,,,,,,,nodes,2,0.75,0.5\n") { // too few are free until 100
		t.Errorf("no row of nodes in\n%s", csv)
	}
}

func TestSimulateMachineFaults(t *testing.T) {
	jobs, machine := gpuSite(t)
	bad := writeMachine(t, strings.Replace(gpuMachine, `"nodes": 2`, `"nods": 2`, 1))
	elsewhere := writeMachine(t, `{"schema": "loadstone.machine/1", "pools": [{"name": "all", "processors": 64}], "partitions": [{"name": "elsewhere", "pools": ["all"]}]}`)
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"--machine", machine, "--procs", "4"}, exitUsage, "--procs 4: want no --procs with --machine"},
		{[]string{"--machine", machine, "--sites", "1=4"}, exitUsage, "want no --sites with --machine"},
		{[]string{"--machine", bad}, exitFailed, bad + `:3: pools[0].nods: saw an unknown key, want one of name, nodes`},
		{[]string{"--machine", elsewhere}, exitFailed, "nothing to simulate on the machine: no jobs with a submission time, a run time, a partition that it has and a size that fits (6 no-partition, first job 1 of \"1\", and the machine has \"elsewhere\")"},
	} {
		got := loadstone(t, "", append([]string{"simulate", jobs}, c.args...)...)
		if got.code != c.code || got.out != "" || !strings.Contains(got.err, c.want) {
			t.Errorf("%q: exit code %d, output %q, error %q; want %d, none and %q", c.args, got.code, got.out, got.err, c.code, c.want)
		}
	}
}

// The machine that the manual describes is one.
func TestManualMachine(t *testing.T) {
	text, err := os.ReadFile("../../../docs/reference/simulator.md")
	if err != nil {
		t.Fatal(err)
	}
	_, block, ok := strings.Cut(string(text), "```json\n{\"schema\": \"loadstone.machine/1\"")
	block, _, _ = strings.Cut(`{"schema": "loadstone.machine/1"`+block, "```")
	if c, err := sched.DecodeCluster("simulator.md", []byte(block)); !ok || err != nil || len(c.Partitions) != 3 {
		t.Errorf("%+v, %v", c, err)
	}
	_, help, _ := strings.Cut(loadstone(t, "", "simulate", "--help-all").out, "partitions:\n\n")
	help, _, _ = strings.Cut(help, "\n\n")
	if c, err := sched.DecodeCluster("help", []byte(help)); err != nil || len(c.Partitions) != 3 {
		t.Errorf("%+v, %v", c, err)
	}
}

// A machine of GPUs alone has their utilisation: 2 GPUs of which 1 is held until 100, and
// 2 from then until 300.
func TestSimulateGPUsAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "gpus.csv")
	const jobs = "job_id,submit_time_s,run_time_s,requested_gpus,user_id\n1,0,100,1,1\n2,10,200,2,1\n"
	if err := os.WriteFile(path, []byte(jobs), 0o600); err != nil {
		t.Fatal(err)
	}
	var s evaluate.ScheduleResult
	machine := writeMachine(t, `{"schema": "loadstone.machine/1", "pools": [{"name": "all", "gpus": 2}]}`)
	decode(t, &s, "-q", "simulate", path, "--machine", machine)
	const want = 500.0 / (300 * 2)
	mean := 0.0
	for _, p := range s.Line {
		mean += float64(p.Utilisation) * (p.To - p.From) / 300
	}
	if s.UtilisationOf != "gpus" || !close9(float64(s.Whole.Utilisation), want) || !close9(mean, want) {
		t.Errorf("utilisation %g of %q, over time %g, want %g of gpus", s.Whole.Utilisation, s.UtilisationOf, mean, want)
	}
	got := loadstone(t, "", "simulate", path, "--machine", machine, "--feedback")
	for _, text := range []string{"  83.3%", "throughput: 576 jobs a day"} {
		if !strings.Contains(got.out, text) {
			t.Errorf("no %q in\n%s%s", text, got.out, got.err)
		}
	}
	if strings.Contains(got.out, "NaN") {
		t.Error(got.out)
	}
	if got := loadstone(t, "", "simulate", path); got.code != exitFailed || !strings.Contains(got.err, "--machine") {
		t.Errorf("%d, %s", got.code, got.err)
	}
}

func close9(x, y float64) bool { return x-y < 1e-9 && y-x < 1e-9 }

func writeFile(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}
