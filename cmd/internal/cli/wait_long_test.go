//go:build long

package cli

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/internal/reallogs"
	"github.com/loadstone-hpc/loadstone/live"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// waitShares counts the waits that a predictor's bounds cover.
type waitShares struct{ jobs, covered [3]int }

// Compares the bounds of wait for jobs of KTH-SP2-1996, each half a second before its submission,
// with the actual waits and with those on a simulated EASY machine. The shares are in
// docs/findings/waits.md.
func TestWaitCoverage(t *testing.T) {
	real := reallogs.Path(t, "swf/"+"KTH-SP2-1996-2.1-cln.swf.gz")
	simulated := filepath.Join(t.TempDir(), "easy.parquet")
	if got := loadstone(t, "", "-q", "simulate", real, "--policy", "easy", "-o", simulated); got.code != exitDone {
		t.Fatal(got.err)
	}
	const jobs = 150
	for _, c := range []struct {
		name, log string
		covered   []string // predictors whose 95 % bounds cover 90 % of the waits
	}{
		{"real", real, []string{"bmbp"}},
		{"easy", simulated, []string{"bmbp", "drawn"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			shares := waitCoverage(t, c.log, jobs)
			for _, p := range []string{"drawn", "estimates", "bmbp", "qbets"} {
				s, ok := shares[p]
				if !ok || s.jobs[0] == 0 {
					continue
				}
				line := p
				for i, q := range live.DefaultQuery().Quantiles {
					line += fmt.Sprintf("  %g%%: %.1f%% of %d", 100*q, 100*float64(s.covered[i])/float64(s.jobs[i]), s.jobs[i])
				}
				t.Log(line)
			}
			for _, p := range c.covered {
				if s := shares[p]; s == nil || s.jobs[2] < jobs*2/3 || float64(s.covered[2]) < 0.9*float64(s.jobs[2]) {
					t.Errorf("%s: %+v, want 90 %% of the waits covered at 95 %%", p, s)
				}
			}
		})
	}
}

func waitCoverage(t *testing.T, name string, sample int) map[string]*waitShares {
	t.Helper()
	log := jobtest.Must(logfile.Open(name, workload.Options{}))
	defer log.Close()
	var jobs []workload.Job
	for j, err := range log.Jobs() {
		if err != nil {
			t.Fatal(err)
		}
		if j.Wait >= 0 && j.Size > 0 && j.Time > 0 {
			jobs = append(jobs, j)
		}
	}
	jobs = jobs[len(jobs)/10:]
	rng := rand.New(rand.NewPCG(7, 7))
	shares := map[string]*waitShares{}
	for range sample {
		j := &jobs[rng.IntN(len(jobs))]
		var n live.Answers
		decode(t, &n, "-q", "wait", name, "--at", strconv.FormatFloat(j.Submit-0.5, 'f', -1, 64), "--procs", "100",
			"--size", fmt.Sprint(j.Size), "--time", fmt.Sprint(j.Time), "--user", fmt.Sprint(j.User), "--policy", "easy", "--judged", "0",
			"--predictors", "drawn,estimates,bmbp,qbets")
		for _, r := range n.Rows() {
			s := shares[r.Predictor]
			if s == nil {
				s = &waitShares{}
				shares[r.Predictor] = s
			}
			for i, b := range r.Bounds {
				bound := float64(b.Seconds)
				if math.IsNaN(bound) {
					continue
				}
				s.jobs[i]++
				if j.Wait <= bound+0.5 {
					s.covered[i]++
				}
			}
		}
	}
	return shares
}
