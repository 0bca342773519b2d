package cli

import (
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loadstone-hpc/loadstone/study/allocate"
)

// lShaped are the two jobs of figure 6 of Downey (1997), on four processors.
// avg runs the second on one processor from 1 to 81 s; opt has it wait until
// 10 s and run on four until 30 s.
const lShaped = "job_id,submit_time_s,sequential_time_s,average_parallelism,sigma\n1,0,30,3,0\n2,1,80,4,0\n"

func writeCSV(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "jobs.csv")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestAllocateByHand(t *testing.T) {
	log := writeCSV(t, lShaped)
	out := filepath.Join(t.TempDir(), "jobs.csv")
	var s allocate.Result
	decode(t, &s, "-q", "allocate", log, "--procs", "4", "--strategies", "avg,opt", "--per-job", out)
	if s.Schema != "loadstone.allocate/1" || s.Log == nil || s.Log.Jobs != 2 || s.Workload != nil || s.Machine.Processors != 4 || !s.Machine.Open || len(s.Settings) != 1 {
		t.Fatalf("got %+v", s)
	}
	opt := s.Settings[0].Strategies[1]
	for _, c := range []struct {
		name string
		got  allocate.Interval
		want float64
	}{
		{"jobs", s.Settings[0].Jobs, 2},
		{"avg's turnaround", s.Settings[0].AVG, 45},
		{"spoiled", opt.Application["spoiled_pct"], 50},
		{"rebels", opt.Application["rebels_pct"], 50},
		{"saved per job", opt.Application["saved_per_job_s"], 25.5},
		{"of opt", opt.Application["saved_of_opt_pct"], 100},
		{"losers", opt.Application["losers_pct"], 0},
		{"turnaround", opt.System["turnaround_mean_s"], 19.5},
		{"its change", opt.System["turnaround_change_pct"], 100 * (39.0/90 - 1)},
		{"utilisation", opt.System["utilisation"], 110.0 / 120},
		{"its change", opt.System["utilisation_change_pct"], 100 * (81.0/30 - 1)},
		{"sooner", opt.System["sooner_pct"], 50},
		{"end", opt.System["last_end_s"], 30},
	} {
		if !near(c.got.Mean, c.want) || !math.IsNaN(float64(c.got.Low)) || !math.IsNaN(float64(c.got.High)) { // null
			t.Errorf("%s is %+v, want %g and no interval", c.name, c.got, c.want)
		}
	}
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	want := `swept_value,seed,job_id,strategy,side,kind,sequential_time_s,average_parallelism,sigma,submit_time_s,wait_time_s,run_time_s,processors,offered_processors,chosen_processors,saved_s
,,1,avg,application,spoiled,30,3,0,0,0,10,3,3,3,0
,,2,avg,application,docile,80,4,0,1,0,80,1,1,1,0
,,1,avg,system,spoiled,30,3,0,0,0,10,3,3,3,0
,,2,avg,system,docile,80,4,0,1,0,80,1,1,1,0
,,1,opt,application,spoiled,30,3,0,0,0,10,3,3,3,0
,,2,opt,application,rebel,80,4,0,1,9,20,4,1,4,51
,,1,opt,system,spoiled,30,3,0,0,0,10,3,3,3,0
,,2,opt,system,rebel,80,4,0,1,9,20,4,1,4,51
`
	if string(text) != want {
		t.Errorf("got\n%s", text)
	}
}

// The tables of two seeds are the means of those of each, and what is written
// of every job adds up to them.
func TestAllocateSeeds(t *testing.T) {
	dir := t.TempDir()
	jobs := filepath.Join(dir, "jobs.csv")
	args := []string{"-q", "allocate", "--days", "3", "--strategies", "opt,bias"}
	var both, first, second allocate.Result
	decode(t, &both, append(args, "--seeds", "2", "--per-job", jobs)...)
	decode(t, &first, append(args, "--seeds", "1")...)
	decode(t, &second, append(args, "--seeds", "1", "--seed", "2")...)
	cut := 0 // of all, in units
	for i := range 2 {
		for name, v := range both.Settings[0].Strategies[i].System {
			a, b := first.Settings[0].Strategies[i].System[name], second.Settings[0].Strategies[i].System[name]
			// Two values a and b: the interval is 12.706 times |a-b|/2 wide.
			if math.IsNaN(float64(a.Mean)) && math.IsNaN(float64(b.Mean)) && math.IsNaN(float64(v.Mean)) {
				continue
			}
			mean, half := float64(a.Mean+b.Mean)/2, 12.706204736174707*math.Abs(float64(a.Mean-b.Mean))/2
			low, high := mean-half, mean+half
			switch { // what cannot be is cut off
			case strings.HasSuffix(name, "change_pct"):
				low = max(low, -100)
			case strings.HasSuffix(name, "_pct"):
				low, high = max(low, 0), min(high, 100)
			case strings.HasPrefix(name, "utilisation"):
				low, high = max(low, 0), min(high, 1)
			case name == "correlation_log":
				low, high = max(low, -1), min(high, 1)
			case !strings.HasPrefix(name, "bias_"):
				low = max(low, 0)
			}
			if !near(v.Mean, mean) || math.Abs(float64(v.High)-high) > 1e-6*(1+half) || math.Abs(float64(v.Low)-low) > 1e-6*(1+half) {
				t.Errorf("%s of both is %+v, of each %g and %g: want %g to %g", name, v, a.Mean, b.Mean, low, high)
			}
			cut += int(math.Round(half-(mean-low))) + int(math.Round(half-(high-mean)))
		}
	}
	if cut == 0 {
		t.Error("no interval was cut")
	}
	f, err := os.Open(jobs)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	saved, n := 0.0, 0.0
	for _, row := range rows[1:] {
		if row[1] == "1" && row[3] == "bias" && row[4] == "application" {
			x, err := strconv.ParseFloat(row[15], 64)
			if err != nil {
				t.Fatal(err)
			}
			saved += x
			n++
		}
	}
	if got := first.Settings[0].Strategies[1].Application["saved_per_job_s"].Mean; !near(got, saved/n) || n != float64(first.Settings[0].Jobs.Mean) {
		t.Errorf("saved per job %g, of %g jobs in the table %g", got, n, saved/n)
	}
	if want := 2 * 2 * float64(both.Settings[0].Jobs.Mean) * 2; float64(len(rows)-1) != want {
		t.Errorf("%d rows, want %g", len(rows)-1, want)
	}
	parquet := filepath.Join(dir, "jobs.parquet")
	if got := loadstone(t, "", append(args, "--seeds", "1", "--per-job", parquet)...); got.code != exitDone {
		t.Error(got.err)
	}
	if head, err := os.ReadFile(parquet); err != nil || string(head[:4]) != "PAR1" {
		t.Errorf("%s: %v", parquet, err)
	}
}

func TestAllocateSweepAndSearch(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "pictures")
	args := []string{"allocate", "--days", "2", "--seeds", "2", "--strategies", "avg,opt,pred", "--sweep", "load=0.75,0.5", "--plots", dir}
	got := loadstone(t, "", args...)
	if got.code != exitDone || !strings.Contains(got.out, "at load 0.75, 0.5 on 128 processors, 2 seeds from 1") {
		t.Fatalf("exit code %d, %s%s", got.code, got.out, got.err)
	}
	want := []string{"parallelism-profiles.svg", "sizes.svg", "speedup.svg", "sweep-savings.svg", "sweep-turnaround.svg", "waits-pred.svg", "work.svg"}
	if names := files(t, dir); !slices.Equal(names, want) {
		t.Errorf("drawn %v, want %v", names, want)
	}
	var s allocate.Result
	decode(t, &s, "-q", "allocate", "--days", "2", "--seeds", "1", "--strategies", "opt", "--sweep", "load=0.75,0.5")
	if len(s.Settings) != 2 || *s.Settings[0].Value != 0.75 || *s.Settings[1].Value != 0.5 || s.Parameter != "load" || s.Settings[1].Jobs.Mean >= s.Settings[0].Jobs.Mean {
		t.Errorf("got %+v", s)
	}
	decode(t, &s, "-q", "allocate", "--days", "2", "--seeds", "1", "--strategies", "heur", "--search")
	if len(s.Heuristics) != 720 || s.Heuristics[0].SavedPerJob < s.Heuristics[719].SavedPerJob || s.Heuristics[0].F <= 0 {
		t.Errorf("%d points, the first %+v", len(s.Heuristics), s.Heuristics[0])
	}
	if got := loadstone(t, "", "allocate", "--days", "2", "--seeds", "1", "--strategies", "heur", "--search"); !strings.Contains(got.out, "the best 5 of 720") {
		t.Errorf("no search in\n%s", got.out)
	}
}

// Jobs of a log that are not malleable are made so by --sigma alone.
func TestAllocateRigidLog(t *testing.T) {
	log := writeLog(t, tiny)
	var s allocate.Result
	decode(t, &s, "-q", "allocate", log, "--sigma", "0", "--strategies", "opt", "--format", "json")
	if s.Settings[0].Jobs.Mean != 4 || s.Machine.Processors != 4 {
		t.Errorf("got %+v", s)
	}
	got := loadstone(t, "", "allocate", log)
	if got.code != exitFailed || !strings.Contains(got.err, "no job of the log can be malleable, of 4,") || !strings.Contains(got.err, "'--sigma 1'") {
		t.Errorf("exit code %d, %s", got.code, got.err)
	}
	got = loadstone(t, "", "allocate", writeLog(t, strings.ReplaceAll(tiny, "MaxProcs: 4", "MaxProcs: 2000000")), "--sigma", "0")
	if got.code != exitFailed || !strings.Contains(got.err, "the machine has 2000000 processors, want at most 1048576") {
		t.Errorf("exit code %d, %s", got.code, got.err)
	}
	got = loadstone(t, "", "allocate", writeCSV(t, "job_id,submit_time_s,run_time_s,allocated_processors\n1,0,30,9\n"), "--procs", "4", "--sigma", "0")
	if got.code != exitFailed || !strings.Contains(got.err, "a size that fits") || strings.Contains(got.err, "'--sigma 1'") {
		t.Errorf("a sigma is given and another advised: exit code %d, %s", got.code, got.err)
	}
	decode(t, &s, "-q", "allocate", log, "--sigma", "0", "--strategies", "heur", "--search")
	if len(s.Heuristics) != 720 {
		t.Errorf("a log's search has %d points", len(s.Heuristics))
	}
	got = loadstone(t, "", "allocate", log, "--sigma", "0", "--procs", "2", "--strategies", "opt")
	if got.code != exitDone || !strings.Contains(got.err, "larger than the machine; 2 times, first: job 1 (too-large)") {
		t.Errorf("exit code %d, %s", got.code, got.err)
	}
	got = loadstone(t, "", "allocate", writeCSV(t, lShaped), "--strategies", "opt")
	if got.code != exitFailed || !strings.Contains(got.err, "give --procs") {
		t.Errorf("exit code %d, %s", got.code, got.err)
	}
	// A generated log of the model is one of days.
	downey := filepath.Join(t.TempDir(), "downey.parquet")
	if got := loadstone(t, "", "generate", "--model", "downey1997", "--days", "3", "-o", downey); got.code != exitDone {
		t.Fatal(got.err)
	}
	decode(t, &s, "-q", "allocate", downey, "--log-days", "--strategies", "opt,bias")
	if s.Machine.Open || s.Settings[0].Jobs.Mean < 600 || s.Settings[0].Strategies[1].System["rebels_pct"].Mean <= 0 {
		t.Errorf("got %+v", s)
	}
}

// Nothing is left where there is nothing to draw yet, and pictures say what
// they show as the text does.
func TestAllocatePlots(t *testing.T) {
	dir := t.TempDir()
	folder := filepath.Join(dir, "new", "pictures")
	log := writeCSV(t, lShaped)
	if got := loadstone(t, "", "allocate", log, "--strategies", "opt", "--plots", folder); got.code != exitFailed {
		t.Fatalf("exit code %d without a machine's size", got.code)
	}
	if names := files(t, dir); len(names) > 0 {
		t.Errorf("left %v", names)
	}
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	got := loadstone(t, "", "allocate", "--plots", filepath.Join(file, "x"))
	if got.code != exitFailed || !strings.Contains(got.err, "cannot be a folder: "+file+" is a file") {
		t.Errorf("exit code %d, %s", got.code, got.err)
	}
	args := []string{"allocate", "--days", "1", "--seeds", "2", "--strategies", "opt", "--sweep", "load=0.75,0.5", "--plots", folder}
	if got := loadstone(t, "", args...); got.code != exitDone {
		t.Fatal(got.err)
	}
	for name, want := range map[string][]string{
		"work":          {"downey1997, 1 day at load 0.75 on 128 processors, seed 1: ", "jobs under avg"},
		"sizes":         {"downey1997, 1 day at load 0.75 on 128 processors, seed 1: ", "jobs under avg"},
		"sweep-savings": {"bars are 95 % intervals; downey1997, 1 day at load 0.75, 0.5 on 128 processors, 2 seeds from 1"},
	} {
		text, err := os.ReadFile(filepath.Join(folder, name+".svg"))
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range want {
			if !strings.Contains(string(text), w) {
				t.Errorf("%s: no %q", name, w)
			}
		}
		if strings.Contains(string(text), "the log") {
			t.Errorf("%s speaks of the log", name)
		}
	}
}

// Every quantity of the result is in the table's rows, and none else.
func TestAllocateColumns(t *testing.T) {
	args := []string{"-q", "allocate", "--days", "2", "--seeds", "1", "--strategies", "opt"}
	var r allocate.Result
	decode(t, &r, args...)
	var want, rows []string
	for _, s := range r.Settings[0].Strategies {
		for side, of := range map[string]map[string]allocate.Interval{"application": s.Application, "system": s.System} {
			for quantity := range of {
				want = append(want, s.Name+" "+side+" "+quantity)
			}
		}
	}
	table, err := csv.NewReader(strings.NewReader(loadstone(t, "", append(args, "--format", "csv")...).out)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range table[1:] {
		rows = append(rows, strings.Join(row[2:5], " "))
	}
	slices.Sort(want)
	slices.Sort(rows)
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Error(diff)
	}
}
