package sweep

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/workload"
)

// planOf returns the plan of a study without reading its inputs, for tests of numbers only.
func planOf(t *testing.T, text string) *Plan {
	t.Helper()
	s := jobtest.Must(decode("test.yaml", []byte(text)))
	return newPlan(s)
}

// Runs are numbered by seed, log, load, policy, estimates and feedback. The fcfs policy uses no
// estimates and has one run.
func TestRunsInOrder(t *testing.T) {
	p := planOf(t, "logs: [a, b]\nloads: [.5, .9]\nseeds: [7, 3]\npolicies: [fcfs, easy]\nestimates: [user, last2]\nfeedback: [false, true]")
	if p.Runs() != 2*2*2*(2+4) {
		t.Fatalf("%d runs", p.Runs())
	}
	for _, want := range []string{ // run, log, load, seed, policy, estimates, feedback, and the run it is compared with
		"1 a 0.5 7 fcfs  false: 0", "2 a 0.5 7 fcfs  true: 0", "3 a 0.5 7 easy user false: 1", "6 a 0.5 7 easy last2 true: 2",
		"7 a 0.9 7 fcfs  false: 0", "13 b 0.5 7 fcfs  false: 0", "25 a 0.5 3 fcfs  false: 0", "48 b 0.9 3 easy last2 true: 44",
	} {
		number, _, _ := strings.Cut(want, " ")
		run := jobtest.Must(strconv.Atoi(number))
		r := jobtest.Must(p.At(run))
		reference, ok := p.reference(run - 1)
		if ok {
			reference++
		}
		if got := fmt.Sprintf("%d %s %g %d %s %s %t: %d", r.Number, r.Log, r.Load, r.Seed, r.Policy, r.Estimates, r.Feedback, reference); got != want {
			t.Errorf("run %s, want %s", got, want)
		}
	}
	for _, k := range []int{0, 49, -1} {
		if _, err := p.At(k); err == nil {
			t.Errorf("there is a run %d", k)
		}
	}
}

// The same jobs run on each machine: every run is compared with the first policy on the first
// machine, with the same estimates; machines are not part of a workload.
func TestMachinesOfSeveralSizes(t *testing.T) {
	p := planOf(t, "logs: [a]\nprocessors: [100, 120]\npolicies: [easy, fcfs]\nestimates: [user, perfect]")
	for k, want := range []string{"100 easy false 0", "100 easy false 0", "100 fcfs true 0", "120 easy true 0", "120 easy true 1", "120 fcfs true 0"} {
		r := p.at(k)
		reference, ok := p.reference(k)
		if got := fmt.Sprint(r.Processors, " ", r.Policy, " ", ok, " ", reference); got != want || p.workload(k) != 0 {
			t.Errorf("run %d is %s, want %s", k, got, want)
		}
	}
	if p.Runs() != 6 || p.at(0).Identity == p.at(3).Identity {
		t.Errorf("%d runs, of which the first and the fourth have the identities %s and %s", p.Runs(), p.at(0).Identity, p.at(3).Identity)
	}
}

// Paired intervals by hand. The waits of fcfs over four seeds are 10, 12, 17 and 21: mean 15,
// squared deviations 25, 9, 4 and 36, in sum 74, standard error sqrt(74/3/4). The waits of easy are
// less by 3, 4, 4 and 5: mean 4, squared deviations 1, 0, 0, 1, standard error sqrt(2/3/4). The
// 97.5 % quantile of Student's t with 3 degrees of freedom is 3.182446305284263 (tables; R:
// qt(.975, 3)).
func TestPairedIntervalsByHand(t *testing.T) {
	p := planOf(t, "logs: [a]\nseeds: 4\npolicies: [fcfs, easy]")
	table := &Table{plan: p, values: make([][]float64, p.Runs())}
	none := math.NaN()
	for k, wait := range []float64{10, 7, 12, 8, 17, 13, 21, 16} {
		values := make([]float64, len(measures))
		for i := range values {
			values[i] = none
		}
		values[slices.IndexFunc(measures, func(m Measure) bool { return m.Name == "wait_mean_s" })] = wait
		table.values[k] = values
	}
	const quantile = 3.182446305284263
	wide := func(squares float64) float64 { return quantile * math.Sqrt(squares/3/4) }
	rows := 0
	err := table.Rows(func(r Row) error {
		switch {
		case r.Measure != "wait_mean_s":
			if r.Seeds != 0 || !math.IsNaN(float64(r.Mean)) {
				t.Errorf("%s: %+v", r.Measure, r)
			}
			return nil
		case r.Policy == "fcfs": // the first policy is the base
			jobtest.CheckNumbers(t, r.Interval, map[string]float64{"mean": 15, "low": 15 - wide(74), "high": 15 + wide(74)})
			if !math.IsNaN(r.Difference) || !math.IsNaN(float64(r.Over.Mean)) {
				t.Errorf("the first policy differs from itself: %+v", r)
			}
		default:
			jobtest.CheckNumbers(t, r.Over, map[string]float64{"mean": -4, "low": -4 - wide(2), "high": -4 + wide(2)})
			if want := []float64{0, -3, 0, -4, 0, -4, 0, -5}[r.Run-1]; r.Difference != want {
				t.Errorf("run %d differs by %g, want %g", r.Run, r.Difference, want)
			}
		}
		rows++
		return nil
	})
	if err != nil || rows != 8 {
		t.Errorf("%d rows, %v", rows, err)
	}
}

// The identity of a run is stable, so that stored results are found again.
func TestIdentityIsStable(t *testing.T) {
	p := planOf(t, "logs: [a]\nloads: [.5]\npolicies: [fcfs, easy]")
	p.Inputs[0].SHA256 = "00"
	seen := map[string]string{}
	note := func(what string, p *Plan) {
		for k := range p.Runs() {
			id := p.at(k).Identity
			if was, ok := seen[id]; ok {
				t.Errorf("%s, run %d, has the identity of %s", what, k, was)
			}
			seen[id] = what
		}
	}
	const want = "b20823bcb8ec645afd27aaeb3c9404d423067bf3502bc13a136d830318273567"
	if got := p.at(0).Identity; got != want {
		t.Errorf("identity %s, want %s: change Schema where results are no longer comparable", got, want)
	}
	note("the study", p)
	p.Inputs[0].SHA256 = "01"
	note("another log", p)
	p.Study.Days = 3
	note("another length", p)
	p.Study.Seeds = Seeds{List: []uint64{2}}
	note("another seed", p)
	p.Study.Logs[0].Processors = 3
	note("another machine", p)
}

// A warning counts the runs that gave it, each once, and names the first of them.
func TestTableWarnings(t *testing.T) {
	var table Table
	for _, w := range []struct {
		rule string
		run  int
	}{{"a", 1}, {"a", 1}, {"b", 2}, {"a", 3}} {
		table.warn(workload.Warning{Rule: w.rule}, w.run)
	}
	got := table.Warnings
	if len(got) != 2 || got[0].Rule != "a" || got[0].Runs != 2 || got[0].Run != 1 || got[1].Rule != "b" || got[1].Runs != 1 || got[1].Run != 2 {
		t.Errorf("%+v", got)
	}
}
