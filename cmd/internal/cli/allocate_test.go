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
	var s allocateJSON
	decode(t, &s, "-q", "allocate", log, "--procs", "4", "--strategies", "avg,opt", "--per-job", out)
	if s.Schema != "loadstone.allocate/1" || s.Log == nil || s.Log.Jobs != 2 || s.Workload != nil || s.Machine.Processors != 4 || !s.Machine.Open || len(s.Settings) != 1 {
		t.Fatalf("got %+v", s)
	}
	opt := s.Settings[0].Strategies[1]
	for _, c := range []struct {
		name string
		got  seedsJSON
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
	var both, first, second allocateJSON
	decode(t, &both, append(args, "--seeds", "2", "--per-job", jobs)...)
	decode(t, &first, append(args, "--seeds", "1")...)
	decode(t, &second, append(args, "--seeds", "1", "--seed", "2")...)
	for i := range 2 {
		for name, v := range both.Settings[0].Strategies[i].System {
			a, b := first.Settings[0].Strategies[i].System[name], second.Settings[0].Strategies[i].System[name]
			// Two values a and b: the interval is 12.706 times |a-b|/2 wide.
			if math.IsNaN(float64(a.Mean)) && math.IsNaN(float64(b.Mean)) && math.IsNaN(float64(v.Mean)) {
				continue
			}
			half := 12.706204736174707 * math.Abs(float64(a.Mean-b.Mean)) / 2
			if !near(v.Mean, float64(a.Mean+b.Mean)/2) || math.Abs(float64(v.High-v.Mean)-half) > 1e-6*(1+half) {
				t.Errorf("%s of both is %+v, of each %g and %g", name, v, a.Mean, b.Mean)
			}
		}
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
	var s allocateJSON
	decode(t, &s, "-q", "allocate", "--days", "2", "--seeds", "1", "--strategies", "opt", "--sweep", "load=0.75,0.5")
	if len(s.Settings) != 2 || *s.Settings[0].Value != 0.75 || *s.Settings[1].Value != 0.5 || s.Parameter != "load" || s.Settings[1].Jobs.Mean >= s.Settings[0].Jobs.Mean {
		t.Errorf("got %+v", s)
	}
	decode(t, &s, "-q", "allocate", "--days", "2", "--seeds", "1", "--strategies", "heur", "--search")
	if len(s.Heuristics) != 720 || s.Heuristics[0].Saved < s.Heuristics[719].Saved || s.Heuristics[0].F <= 0 {
		t.Errorf("%d points, the first %+v", len(s.Heuristics), s.Heuristics[0])
	}
	if got := loadstone(t, "", "allocate", "--days", "2", "--seeds", "1", "--strategies", "heur", "--search"); !strings.Contains(got.out, "the best 5 of 720") {
		t.Errorf("no search in\n%s", got.out)
	}
}

// Jobs of a log that are not malleable are made so by --sigma alone.
func TestAllocateRigidLog(t *testing.T) {
	log := writeLog(t, tiny)
	var s allocateJSON
	decode(t, &s, "-q", "allocate", log, "--sigma", "0", "--strategies", "opt", "--format", "json")
	if s.Settings[0].Jobs.Mean != 4 || s.Machine.Processors != 4 {
		t.Errorf("got %+v", s)
	}
	got := loadstone(t, "", "allocate", log)
	if got.code != exitFailed || !strings.Contains(got.err, "none of the log's 4 jobs can be malleable") {
		t.Errorf("exit code %d, %s", got.code, got.err)
	}
	got = loadstone(t, "", "allocate", log, "--sigma", "0", "--procs", "2", "--strategies", "opt")
	if got.code != exitDone || !strings.Contains(got.err, "larger than the machine (too-large): 2") {
		t.Errorf("exit code %d, %s", got.code, got.err)
	}
	got = loadstone(t, "", "allocate", writeCSV(t, lShaped), "--strategies", "opt")
	if got.code != exitFailed || !strings.Contains(got.err, "say --procs") {
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

func TestAllocateWrongUsage(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"a b", "want one log"},
		{"--strategies guess", `"guess" is none of avg, opt`},
		{"--seeds 0", "--seeds 0: want 1 to"},
		{"--days 0", "days: saw 0"},
		{"--load NaN", "load: saw NaN"},
		{"--load -1", "load: saw -1"},
		{"--procs 0", "--procs 0: want 1 or more"},
		{"--procs 9999999", "want at most 1048576"},
		{"--max-parallelism 1", "largest parallelism: saw 1"},
		{"--max-sigma -1", "largest sigma: saw -1"},
		{"--max-sequential 1", "longest sequential time: saw 1"},
		{"--rounding up", `"up" is none of ceiling, nearest, capped`},
		{"--night -1", "--night -1: want hours"},
		{"--lifetimes wrong", `"wrong" is none of range, line, sequential`},
		{"--classes 0", "--classes 0: want 1 to 64"},
		{"--classes 65", "65 classes"},
		{"--predictor oracle", `"oracle" is none of downey-a`},
		{"--sizes most", `"most" is none of all, halves, whole`},
		{"--risk -0.1", "--risk -0.1: want a share from 0 to 1"},
		{"--min-share 2", "--min-share 2: want a share from 0 to 1"},
		{"--heur-sequential -1", "threshold of sequential times is -1"},
		{"--heur-parallelism NaN", "threshold of parallelism is NaN"},
		{"--heur-fraction 1.2", "share of A is 1.2"},
		{"--heur-k -1", "share of the saving is -1"},
		{"--sweep load", `--sweep: saw "load"`},
		{"--sweep colour=1", `--sweep: saw "colour=1"`},
		{"--sweep load=1,x", `--sweep load: saw "x"`},
		{"--sweep load=1,1", `--sweep load: saw "1"`},
		{"--sweep load=0", "load: saw 0"},
		{"--sweep risk=0.1 --strategies opt", "no strategy has it"},
		{"--sigma 1", "--sigma is for a log, and none is given"},
		{"--log-days", "--log-days is for a log"},
		{"a --seeds 2", "--seeds is for a workload that is drawn, and a is a log"},
		{"a --sweep load=1", "--sweep is for a workload that is drawn"},
		{"a --sigma -1", "--sigma -1: want a number from 0 to 1e6"},
		{"a --sigma NaN", "--sigma NaN: want a number"},
		{"--per-job jobs.swf", "--per-job jobs.swf: want a name that ends in"},
		{"--per-job -", "--per-job -: want a file"},
		{"-o result.xml", "want a name that ends in .json, .csv or .txt"},
		{"--per-job x.csv -o x.csv", "x.csv"},
	} {
		got := loadstone(t, "", append([]string{"allocate"}, strings.Fields(c.args)...)...)
		if got.code != exitUsage || got.out != "" || !strings.Contains(got.err, c.want) {
			t.Errorf("%s: exit code %d, output %q, error %q; want %d, none and %q", c.args, got.code, got.out, got.err, exitUsage, c.want)
		}
	}
}
