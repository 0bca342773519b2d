package cli

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/loadstone-hpc/loadstone/live"
	"github.com/loadstone-hpc/loadstone/live/journal"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// realJob is a job that sleeps on a real Slurm.
type realJob struct {
	at    time.Duration // of its submission
	size  int64
	sleep float64 // s
}

// realLoad draws jobs from a model of a machine with 64 processors, shrunk: their
// submissions take so long, their sleeps are of 1 to 20 s, and together they ask for a share
// of the machine.
func realLoad(t *testing.T, jobs int, seed string, length time.Duration, share float64) []realJob {
	t.Helper()
	name := filepath.Join(t.TempDir(), "load.swf")
	if got := loadstone(t, "", "generate", "--model", "lublin1999", "--jobs", strconv.Itoa(jobs), "--procs", "64", "--seed", seed, "-q", "-o", name); got.code != exitDone {
		t.Fatal(got.err)
	}
	log, err := logfile.Open(name, workload.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	var all []workload.Job
	for j, err := range log.Jobs() {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, j)
	}
	sleep := func(j *workload.Job, factor float64) float64 { return min(max(1, j.Run*factor), 20) }
	work := func(factor float64) (sum float64) {
		for i := range all {
			sum += float64(all[i].Size) * sleep(&all[i], factor)
		}
		return sum
	}
	low, high := 1e-6, 1.0
	for range 50 {
		if middle := math.Sqrt(low * high); work(middle) < share*64*length.Seconds() {
			low = middle
		} else {
			high = middle
		}
	}
	first, last := all[0].Submit, all[len(all)-1].Submit
	var load []realJob
	for i := range all {
		at := time.Duration((all[i].Submit - first) / (last - first) * float64(length))
		load = append(load, realJob{at, all[i].Size, sleep(&all[i], low)})
	}
	t.Logf("%d jobs ask for %.2f of the machine", jobs, work(low)/64/length.Seconds())
	return load
}

// submitAll submits jobs at their times, and returns when the queue is empty.
func submitAll(t *testing.T, load []realJob) {
	t.Helper()
	var wait sync.WaitGroup
	began := time.Now()
	for i, j := range load {
		time.Sleep(time.Until(began.Add(j.at)))
		wait.Go(func() {
			args := []string{"-D", "/", "-o", "/dev/null", "-n", strconv.FormatInt(j.size, 10), "-t", strconv.Itoa(1 + i%3), "--wrap", fmt.Sprintf("sleep %.1f", j.sleep)}
			if out, err := exec.Command("sbatch", args...).CombinedOutput(); err != nil {
				t.Errorf("sbatch: %v: %s", err, out)
			}
		})
	}
	wait.Wait()
	for deadline := time.Now().Add(4 * time.Minute); ; time.Sleep(time.Second) {
		out, err := exec.Command("squeue", "-h").CombinedOutput()
		if err == nil && len(strings.TrimSpace(string(out))) == 0 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("the queue does not empty: %v, %s", err, out)
		}
	}
}

// On a real Slurm every job is answered and settled, the recommended bound of 95 % covers
// 90 % and more, and the expected starts are nearer than those of squeue --start.
func TestRealSlurmServe(t *testing.T) {
	if os.Getenv("LOADSTONE_SLURM") == "" {
		t.Skip("needs a running Slurm: see .ci/slurm")
	}
	submitAll(t, realLoad(t, 100, "1", 30*time.Second, 0.8)) // the history
	dir := t.TempDir()
	s := startService(t, "--slurm", "--interval", "1", "--store", dir)
	waitFor(t, "the first poll", func() bool { status, _ := s.get("/readyz"); return status == 200 })
	load := realLoad(t, 300, "2", 80*time.Second, 0.85)
	submitAll(t, load)
	time.Sleep(4 * time.Second) // for the last poll
	var scores live.Scores
	s.read("/v1/scores", &scores)
	code, log := s.stop()
	if code != 0 {
		t.Errorf("exit %d: %s", code, log)
	}
	answered, settled := 0, 0
	scored := map[int64]bool{}
	for entry, err := range journal.Read(dir) {
		if err != nil {
			t.Fatal(err)
		}
		e, ok := entry.(*journal.Event)
		switch {
		case !ok:
		case e.Kind == workload.Submit && e.Scored:
			answered++
			scored[e.Job.Row] = true
		case e.Kind == workload.Start && scored[e.Job.Row]:
			settled++
		}
	}
	if answered != len(load) || settled != len(load) {
		t.Errorf("%d jobs were answered and %d of these settled, want %d", answered, settled, len(load))
	}
	for _, b := range scores.Bounds {
		t.Logf("%s at %g: %d answers, %d settled, %d late, coverage %.3f, loss %.3f min, median %.2f min", b.Predictor, b.Quantile, b.Answers, b.Settled, b.Late, float64(b.Coverage.All), float64(b.Loss), float64(b.Median))
		// With 100 past waits the bound of bmbp is their maximum, and may cover all.
		if b.Quantile == 0.95 && b.Predictor == scores.Recommended && !(b.Coverage.All >= 0.9) {
			t.Errorf("%s covers %.3f", b.Predictor, float64(b.Coverage.All))
		}
	}
	all := scores.Forecasts[len(scores.Forecasts)-1]
	t.Logf("recommended: %s; forecasts: %+v", scores.Recommended, all)
	if all.Both < 30 || !(all.OursMedian < all.TheirsMedian) {
		t.Errorf("median errors: ours %.2f min, squeue --start %.2f min, of %d jobs", float64(all.OursMedian), float64(all.TheirsMedian), all.Both)
	}
}
