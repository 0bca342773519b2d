package cli

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

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
	// Package allocate has the numbers.
	if saved := s.Settings[0].Strategies[1].Application.SavedPerJob; !near(saved.Mean, 25.5) || !math.IsNaN(float64(saved.Low)) { // null
		t.Errorf("opt saves %+v, want 25.5 s and no interval", saved)
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
	if s.Machine.Open || s.Settings[0].Jobs.Mean < 600 || s.Settings[0].Strategies[1].System.Rebels.Mean <= 0 {
		t.Errorf("got %+v", s)
	}
}
