//go:build long

package plan_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/live/plan"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/predict/standing"
	"github.com/loadstone-hpc/loadstone/runtime"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// median of a copy; NaN of none.
func median(x []float64) float64 {
	if len(x) == 0 {
		return math.NaN()
	}
	x = slices.Sorted(slices.Values(x))
	return (x[(len(x)-1)/2] + x[len(x)/2]) / 2
}

// trial is the forecasts of the waits of one log's jobs at their submissions.
type trial struct {
	waited       bool // only jobs that waited for half a minute: those that a poll sees pending
	actual       []float64
	errors       map[string][]float64
	covered, raw [3]int
}

func (x *trial) add(name string, forecast, actual float64) {
	x.errors[name] = append(x.errors[name], math.Abs(forecast-actual))
}

func (x *trial) median(name string) float64 { return median(x.errors[name]) }

// experiment is two functions as a predict.Predictor.
type experiment struct {
	learn func(workload.Event) error
	ask   func(*predict.Snapshot, *workload.Request)
}

func (experiment) Name() string                   { return "experiment" }
func (x experiment) Learn(e workload.Event) error { return x.learn(e) }
func (x experiment) Ask(m *predict.Snapshot, r *workload.Request) (predict.Forecast, error) {
	x.ask(m, r)
	return predict.Forecast{}, nil
}

// Our expected starts at submission against those of a schedule with time limits, as
// Slurm plans, and the median of past waits.
func TestExpectedStartsOnLogs(t *testing.T) {
	for _, c := range []struct {
		log        string
		processors int64
		from, each int // jobs
	}{
		{"KTH-SP2-1996-2.1-cln.swf.gz", 100, 3000, 11},
		{"CTC-SP2-1996.simulated-waits.swf.gz", 338, 8000, 29},
		{"SDSC-SP2-1998.simulated-waits.swf.gz", 128, 8000, 29},
		{"UniLu-Gaia-2014-1.swf.gz", 2004, 8000, 23},
		{"RICC-2010-2.swf.gz", 8192, 50_000, 1500},
	} {
		t.Run(c.log, func(t *testing.T) {
			jobs := jobtest.InOrder(t, c.log)
			p, err := plan.NewPlanner(plan.Options{})
			if err != nil {
				t.Fatal(err)
			}
			kernel := runtime.NewKernel(stats.ByAccuracy)
			all := &trial{errors: map[string][]float64{}}
			late := &trial{waited: true, errors: map[string][]float64{}}
			var past []float64
			said := map[int64]plan.Forecast{} // of jobs that have not ended
			n := 0
			waits := map[int64]float64{} // by row
			for i := range jobs {
				waits[jobs[i].Row] = jobs[i].Wait
			}
			x := experiment{
				learn: func(e workload.Event) error {
					j := e.Job
					switch e.Kind {
					case workload.Submit:
						p.Submitted(j.Request)
						kernel.Predict(j.Request)
						return nil
					case workload.Start:
						return nil
					}
					p.Observe(*j)
					if j.Run >= 0 {
						kernel.Observe(*j)
					}
					past = append(past, j.Wait)
					if f, ok := said[j.Row]; ok {
						p.Settled(f, j.Wait) // later than its start, at which a service learns it
						delete(said, j.Row)
					}
					return nil
				},
			}
			x.ask = func(snapshot *predict.Snapshot, r *workload.Request) {
				if !(r.Time > 0) {
					return
				}
				actual := waits[r.Row]
				m := plan.Machine{Snapshot: *snapshot}
				m.Queued = append(slices.Clone(m.Queued), *r)
				made, err := p.Plan(context.Background(), []plan.Machine{m})
				if err != nil {
					t.Fatal(err)
				}
				limits, err := snapshot.ScheduledWait(sched.EASY{}, r, predict.PredictedLength(predict.Estimates{}))
				if err != nil {
					return // somebody has no time limit
				}
				points, err := snapshot.ScheduledWait(sched.EASY{}, r, predict.PredictedLength(standing.KernelPoints{Kernel: kernel}, predict.Estimates{}))
				if err != nil {
					t.Fatal(err)
				}
				s, ok := made.Start(r.Row)
				if !ok {
					t.Fatal("no start")
				}
				said[r.Row] = s.Raw
				for _, x := range []*trial{all, late} {
					if x.waited && actual < 30 {
						continue
					}
					x.actual = append(x.actual, actual)
					x.add("plan", s.Expected-m.Time, actual)
					x.add("raw", s.Raw.Expected, actual)
					x.add("points", points, actual)
					x.add("limits", limits, actual)
					x.add("past", median(past[max(0, len(past)-1000):]), actual)
					for i := range s.Bounds {
						if actual <= s.Bounds[i]-m.Time {
							x.covered[i]++
						}
						if actual <= s.Raw.Bounds[i] {
							x.raw[i]++
						}
					}
				}
			}
			replay := predict.Replay{Predictors: []predict.Predictor{x}, Processors: c.processors,
				Chosen: func(*workload.Request) bool { n++; return n > c.from && n%c.each == 0 }}
			for _, err := range replay.Jobs(workload.JobsOf(jobs)) {
				if err != nil {
					t.Fatal(err)
				}
			}
			if all.median("plan") > all.median("limits") || late.median("plan") > 0.5*late.median("limits") {
				t.Errorf("the median errors are %.0f and %.0f s, with time limits %.0f and %.0f s: want less than those, and than half",
					all.median("plan"), late.median("plan"), all.median("limits"), late.median("limits"))
			}
			// Bounds are corrected by the outcomes of the jobs tried: RICC has too few.
			if n := len(all.actual); n > 1000 {
				if share := float64(all.covered[2]) / float64(n); share < 0.9 || share > 0.99 {
					t.Errorf("bounds of 0.95 cover %.3f, want 0.9 to 0.99", share)
				}
			}
			for _, x := range []*trial{all, late} {
				t.Logf("waited=%v jobs=%d median wait %.0f s", x.waited, len(x.actual), median(x.actual))
				for _, name := range []string{"plan", "raw", "points", "limits", "past"} {
					sum := 0.0
					for _, e := range x.errors[name] {
						sum += e / float64(len(x.actual))
					}
					t.Logf("  %-7s median error %8.0f s, mean %8.0f s", name, median(x.errors[name]), sum)
				}
				for i, q := range []float64{0.5, 0.8, 0.95} {
					t.Logf("  bound %.2f covers %.3f, raw %.3f", q, float64(x.covered[i])/float64(len(x.actual)), float64(x.raw[i])/float64(len(x.actual)))
				}
			}
		})
	}
}
