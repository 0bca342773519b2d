package allocate

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

func small() Options {
	o := DefaultOptions()
	o.Strategies, o.Seeds, o.Workload.Days = []string{"opt", "bias"}, 2, 2
	return o
}

// Compute sums up what Replicate finds, whatever the value of Keep.
func TestComputeIsReplicate(t *testing.T) {
	o := small()
	r, err := Compute(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	outcomes, err := o.study().Replicate(o.Workload, 1, 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := IntervalOf([]float64{outcomes[0].Rows[1].System.Turnaround, outcomes[1].Rows[1].System.Turnaround})
	got := r.Settings[0].Strategies[1]
	if got.Name != "bias" || got.System.Turnaround.Mean != want.Mean || r.Workload.Seeds != 2 || r.Log != nil || r.First != nil {
		t.Errorf("got %+v, want %+v", got, want)
	}
	o.Keep = true
	kept, err := Compute(context.Background(), o)
	if err != nil || kept.First == nil || len(kept.First.Outcome.Schedule) != len(kept.First.Jobs) || len(kept.First.Outcome.Rows[1].AloneForecasts) == 0 {
		t.Fatalf("%v, %+v", err, kept)
	}
	a, fault := json.Marshal(r)
	if b, err := json.Marshal(kept); err != nil || fault != nil || string(a) != string(b) {
		t.Error("the result changes with what is kept")
	}
}

// What is swept and searched, and what is saved of each workload.
func TestComputeSweeps(t *testing.T) {
	o := small()
	o.Parameter, o.Values = "load", []float64{0.75, 0.5}
	calls, expected := [][2]float64{}, 0.0
	placed := 0
	o.Placed = func(j PlacedJob) error {
		placed++
		if call := [2]float64{j.Swept, float64(j.Seed)}; len(calls) == 0 || calls[len(calls)-1] != call {
			calls = append(calls, call)
		}
		return nil
	}
	o.Expected = func(jobs, _ float64) { expected = jobs }
	r, err := Compute(context.Background(), o)
	if err != nil || len(r.Settings) != 2 || *r.Settings[1].Value != 0.5 || !(expected > 800) {
		t.Fatalf("%v, %+v, %g jobs expected", err, r, expected)
	}
	if want := [][2]float64{{0.75, 1}, {0.75, 2}, {0.5, 1}, {0.5, 2}}; !slices.Equal(calls, want) {
		t.Errorf("saved %v, want %v", calls, want)
	}
	jobs := 0.0
	for _, s := range r.Settings {
		jobs += 2 * float64(s.Jobs.Mean)
	}
	if want := 2 * float64(len(o.Strategies)) * jobs; float64(placed) != want {
		t.Errorf("%d placements, want %g", placed, want)
	}
	fault := errors.New("full")
	o.Placed = func(PlacedJob) error { return fault }
	if _, err := Compute(context.Background(), o); !errors.Is(err, fault) {
		t.Errorf("got %v", err)
	}
}

// A search tries the parameters on the workloads of the study's own seeds.
func TestComputeSearches(t *testing.T) {
	o := small()
	o.Strategies, o.Search, o.FirstSeed, o.Workload.Days = []string{"heur"}, true, 5, 1
	r, err := Compute(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	var workloads [][]Job
	for _, seed := range []uint64{5, 6} {
		jobs, err := o.Workload.Jobs(seed)
		if err != nil {
			t.Fatal(err)
		}
		workloads = append(workloads, jobs)
	}
	want, err := o.study().Machine.Tune(workloads, DefaultGrid(), 0, nil)
	if err != nil || !slices.Equal(r.Heuristics, want) {
		t.Errorf("%v: of the search %+v, by hand %+v", err, r.Heuristics[0], want[0])
	}
}

func TestComputeOfLog(t *testing.T) {
	const text = "; MaxProcs: 4\n1 0 0 100 4 -1 -1 4 200 -1 1 1 1 1 0 1 -1 -1\n2 10 90 50 2 -1 -1 2 60 -1 1 2 1 1 0 1 -1 -1\n"
	o := small()
	open := func(header string) {
		log, err := logfile.OpenReader("log.swf", strings.NewReader(strings.Replace(text, "; MaxProcs: 4", header, 1)), workload.Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { log.Close() })
		o.Log, o.OfHeader = log, true
	}
	open("; MaxProcs: 4")
	o.Sigma, o.Strategies = new(0.0), []string{"opt"}
	r, err := Compute(context.Background(), o)
	if err != nil || r.Log.Jobs != 2 || r.Machine.Processors != 4 || !r.Machine.Open || r.Workload != nil {
		t.Fatalf("%v, %+v", err, r)
	}
	// Under avg the second job, submitted at 10 s, waits for the four processors
	// until 100 s and runs 50 s on its two: turnarounds of 100 s and 140 s.
	if len(r.Settings) != 1 || r.Settings[0].Value != nil || r.Settings[0].Jobs.Mean != 2 || r.Settings[0].AVG.Mean != 120 {
		t.Errorf("%+v, want one setting without a value, of 2 jobs and a mean turnaround of 120 s", r.Settings)
	}
	open("; Note: none")
	var option *workload.OptionError
	if _, err := Compute(context.Background(), o); !errors.As(err, &option) || option.Option != "procs" {
		t.Errorf("no processors: %v", err)
	}
	open("; MaxProcs: 4")
	o.Sigma = nil
	if _, err := Compute(context.Background(), o); !errors.Is(err, ErrRigid) {
		t.Errorf("rigid jobs: %v", err)
	}
}

func TestComputeRefuses(t *testing.T) {
	for option, change := range map[string]func(*Options){
		"seeds":      func(o *Options) { o.Seeds = 0 },
		"seed":       func(o *Options) { o.FirstSeed = math.MaxUint64 },
		"sigma":      func(o *Options) { o.Sigma = new(math.Inf(1)) },
		"strategies": func(o *Options) { o.Strategies = []string{"guess"} },
		"procs":      func(o *Options) { o.Workload.Processors = 2 * MaxProcessors },
	} {
		o := small()
		change(&o)
		_, err := Compute(context.Background(), o)
		var fault *workload.OptionError
		if !errors.As(err, &fault) || fault.Option != option {
			t.Errorf("%s: %v", option, err)
		}
	}
	o := small()
	o.Strategies = nil
	if err := o.Validate(); err == nil {
		t.Error("no strategies")
	}
}

// The paper's workload has 30,578 jobs: see TestWorkload. Of the strategies five predict.
func TestCost(t *testing.T) {
	for _, c := range []struct {
		change        func(o *Options)
		jobs, seconds float64
	}{
		{func(o *Options) {}, 611_560, 611_560 * (5*20e-6 + 4*2e-6)},
		{func(o *Options) { o.Workload.Load = 50 }, 4.0771e7, 4.0771e7 * (5*200e-6 + 4*2e-6)},
		{func(o *Options) { o.Workload.Processors, o.Seeds = 8192, 1 }, 1.957e6, 1.957e6 * (5*8*20e-6 + 4*2e-6)},
		{func(o *Options) { o.Rules.Predictor = "downey-b" }, 611_560, 611_560 * (5*2e-3 + 4*2e-6)},
		{func(o *Options) { o.Strategies, o.Search = []string{"heur"}, true }, 611_560, 611_560 * (165e-6 + 2e-6)},
		{func(o *Options) {
			o.Strategies, o.Parameter, o.Values = []string{"opt", "bias"}, "load", []float64{0.5, 50}
		}, 407_700 + 4.0771e7, 407_700*(20e-6+2e-6) + 4.0771e7*(200e-6+2e-6)},
	} {
		o := DefaultOptions()
		c.change(&o)
		jobs, seconds, err := o.Cost()
		if err != nil || math.Abs(jobs/c.jobs-1) > 1e-3 || math.Abs(seconds/c.seconds-1) > 1e-3 {
			t.Errorf("%g jobs take %g s (%v), want %g and %g", jobs, seconds, err, c.jobs, c.seconds)
		}
	}
}
