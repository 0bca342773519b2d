package cli

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/stats"
)

// Without replicates there is no p-value, and one note says so; with them it has
// the digits that they resolve.
func TestFitPValues(t *testing.T) {
	log := generated(t)
	got := loadstone(t, "", "fit", log, "--family", "gamma,hyper-gamma,exponential", "--tests")
	if strings.Contains(got.out, "p-value") || strings.Contains(got.out, "its p") {
		t.Errorf("without replicates: %s", got.out)
	}
	if n := strings.Count(got.err, "--replicates 199"); n != 1 {
		t.Errorf("%d times how to get a p-value: %s", n, got.err)
	}
	// One Gamma is not two: no replicate is as far.
	got = loadstone(t, "", "fit", log, "--family", "gamma", "--replicates", "19")
	if !strings.Contains(got.out, "< 0.05") {
		t.Errorf("19 replicates: %s", got.out)
	}
	for _, tt := range []struct {
		p          float64
		replicates int
		want       string
	}{
		{1.0 / 200, 199, "< 0.005"},
		{1.0 / 100, 99, "< 0.01"},
		{1.0 / 61, 60, "< 0.02"},
		{2.0 / 200, 199, "0.010"},
		{0.51, 199, "0.510"},
	} {
		s := fit.Significance{PValue: stats.Number(tt.p), Method: stats.ParametricBootstrap, Replicates: tt.replicates, Refits: &fit.Refits{}}
		if got := present.PValue(s); got != tt.want {
			t.Errorf("p %g of %d replicates is %q, want %q", tt.p, tt.replicates, got, tt.want)
		}
	}
	if got := present.PValue(fit.Significance{PValue: stats.Number(math.NaN()), Method: fit.NoPValue}); got != "" {
		t.Errorf("no p-value is %q", got)
	}
}

// The laws are in one ranking of the same jobs, and the model's is marked.
func TestFitRanksTheSameJobs(t *testing.T) {
	log := generated(t)
	got := loadstone(t, "", "fit", log, "-q", "--family", "uniform-log,gamma,hyper-gamma,exponential")
	jobs, marked := map[string]bool{}, ""
	for line := range strings.Lines(got.out) {
		if f := strings.Fields(line); len(f) > 6 && f[0] == "run_time" {
			jobs[f[3]] = true
			if f[6] == "yes" {
				marked += f[2]
			}
		}
	}
	if len(jobs) != 1 || marked != "hyper-gamma" {
		t.Errorf("laws of %v jobs, %q is marked: %s", jobs, marked, got.out)
	}
}

// A mixture that leads by a component on one repeated value does so with a
// warning.
func TestFitWarnsOfALeaderOnOneValue(t *testing.T) {
	var rows strings.Builder
	for i := range 900 {
		run := 3600.0
		if i%3 > 0 {
			run = math.Ceil(math.Exp(2 + 6*math.Mod(float64(i)*0.618034, 1)))
		}
		fmt.Fprintf(&rows, "%d %d 0 %g 4 -1 -1 4 -1 -1 1 1 1 1 1 1 -1 -1\n", i+1, 60*i, run)
	}
	got := loadstone(t, "", "fit", writeLog(t, rows.String()), "--family", "gamma,hyper-gamma", "--site", "none")
	if got.code != exitDone || !strings.Contains(got.err, "hyper-gamma is the best fit of run_time, all, but its component") || !strings.Contains(got.err, "covers a single repeated value, 3600") {
		t.Errorf("exit code %d: %s%s", got.code, got.out, got.err)
	}
}
