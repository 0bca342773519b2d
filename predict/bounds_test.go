package predict

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

func waited(submit, wait float64) workload.Job {
	return under(submit, wait, 1000, 1, workload.Unknown)
}

// scribe records its calls, and predicts 100 s plus the number of jobs that it knows.
type scribe struct {
	lines []string
	known int
}

func (*scribe) Name() string { return "scribe" }

func (s *scribe) Predict(r workload.Request) (Bound, bool) {
	s.lines = append(s.lines, fmt.Sprintf("predict %d", r.ID))
	b := NoBound()
	b.Seconds = 100 + float64(s.known)
	return b, true
}

func (s *scribe) Observe(j workload.Job, given Bound) {
	s.known++
	line := fmt.Sprintf("observe %d: %g, said %g", j.ID, j.Wait, given.Seconds)
	if !math.IsNaN(j.Run) {
		line += ", knows the run time"
	}
	s.lines = append(s.lines, line)
}

func TestBoundsReplay(t *testing.T) {
	s := new(scribe)
	jobs := []workload.Job{
		waited(0, 10),                   // 1: starts at 10
		waited(5, 0),                    // 2: starts at 5
		waited(5, 2),                    // 3: submitted with 2, before 2 starts
		waited(6, math.NaN()),           // 4: unknown
		waited(6, -1), waited(6, inf()), // 5, 6: unknown
		waited(10, 1), // 7: submitted as 1 starts, so its wait is not known yet
		waited(11, 0), // 8
	}
	for w, err := range replayBounds(stream(jobs), s) {
		jobtest.NoError(t, err)
		s.lines = append(s.lines, fmt.Sprintf("row %d: %g, bound %g, number %d", w.Request.ID, w.Actual, w.Forecasts[0].Bounds[0].Seconds, w.Number))
	}
	want := []string{
		"predict 1", "predict 2", "predict 3", "observe 2: 0, said 100", "row 2: 0, bound 100, number 1",
		"observe 3: 2, said 100", "row 3: 2, bound 100, number 2",
		"predict 7", "observe 1: 10, said 100", "row 1: 10, bound 100, number 0",
		"predict 8", "observe 7: 1, said 102", "row 7: 1, bound 102, number 3", "observe 8: 0, said 103", "row 8: 0, bound 103, number 4",
	}
	if d := cmp.Diff(want, s.lines); d != "" {
		t.Error(d)
	}
	if n, err := TrainingTenth(stream(slices.Repeat(jobs, 8))); n != 4 || err != nil { // of 40
		t.Errorf("TrainingTenth: %d, %v, want 4", n, err)
	}
}

func inf() float64 { return math.Inf(1) }

// replayBounds replays jobs with predictors of bounds.
func replayBounds(jobs iter.Seq2[workload.Job, error], predictors ...BoundPredictor) iter.Seq2[*Replayed, error] {
	return Replay{Predictors: []Predictor{NewPastWaits("bounds", predictors)}}.Jobs(jobs)
}

// fault returns the error that ends a replay.
func fault[T any](rows iter.Seq2[T, error]) (last error) {
	for _, err := range rows {
		if last != nil {
			return errors.New("something follows the error")
		}
		last = err
	}
	return last
}

// A replay ends with an error for an input error, for a job out of order (a wait that ends at 5 s
// must not be known at 1 s), for a log without jobs, and for a simulation without predictions of
// run times.
func TestReplayErrors(t *testing.T) {
	cause := errors.New("disk gone")
	torn := func(yield func(workload.Job, error) bool) { yield(workload.Job{}, cause) }
	machine := sched.Config{Processors: 5}
	for name, c := range map[string]struct{ got, want error }{
		"bounds, input":    {fault(replayBounds(torn, new(scribe))), cause},
		"bounds, order":    {fault(replayBounds(stream([]workload.Job{waited(0, 5), waited(6, 0), waited(1, 0)}), new(scribe))), workload.ErrOrder},
		"head, input":      {fault(AtHead(torn, HeadConfig{Processors: 10})), cause},
		"head, no jobs":    {fault(AtHead(stream([]workload.Job{sized(0, 5, 11), sized(0, 0, 1)}), HeadConfig{Processors: 10})), workload.ErrNoJobs},
		"queue, input":     {fault(QueueWaits(torn, machine, nil)), cause},
		"queue, no jobs":   {fault(QueueWaits(stream(nil), machine, nil)), workload.ErrNoJobs},
		"queue, no oracle": {fault(QueueWaits(stream([]workload.Job{sized(0, 1, 1)}), machine, []Simulated{{}})), nil},
	} {
		if c.got == nil || c.want != nil && !errors.Is(c.got, c.want) {
			t.Errorf("%s: error %v, want %v", name, c.got, c.want)
		}
	}
}

// Every method makes a predictor with its name, and unusable options are reported as errors.
func TestNewBounds(t *testing.T) {
	refused := func(name string, quantile, confidence float64, option string) {
		var fault *workload.OptionError
		if _, err := NewBound(name, quantile, confidence, BoundOptions{}); !errors.As(err, &fault) || fault.Option != option {
			t.Errorf("%s with %g and %g: error %v, want one of %s", name, quantile, confidence, err, option)
		}
	}
	refused("bogus", 0.95, 0.95, "predictors")
	for _, m := range BoundMethods() {
		if p, err := NewBound(m.Name, 0.95, 0.9, BoundOptions{}); err != nil || p.Name() != m.Name {
			t.Errorf("%s: %v, %v", m.Name, p, err)
		}
		for _, level := range []float64{0, 1, 95, math.NaN()} {
			if !m.Point {
				refused(m.Name, level, 0.95, "quantile")
				refused(m.Name, 0.95, level, "confidence")
			}
		}
	}
	point := BoundMethod{"scribe", func(_, _ float64, _ BoundOptions) (BoundPredictor, error) { return new(scribe), nil }, true}
	o := BoundOptions{Methods: append(BoundMethods(), point)}
	if all, err := NewBounds([]string{"scribe", "bmbp", ConformalPoint}, []float64{0.5, 0.9}, 0.9, o); err != nil || len(all) != 4 {
		t.Errorf("%d predictors, error %v, want one of points, two of bounds, one of points", len(all), err)
	}
}

func TestAscend(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct{ quantiles, seconds, want []float64 }{
		{[]float64{0.5, 0.8, 0.95}, []float64{40, 20, 30}, []float64{40, 40, 40}},
		{[]float64{0.95, 0.5, 0.8}, []float64{30, 10, 50}, []float64{50, 10, 50}}, // in any order
		{[]float64{0.5, 0.8, 0.95}, []float64{40, nan, inf()}, []float64{40, nan, inf()}},
	} {
		var bounds []Bound
		for i, q := range c.quantiles {
			bounds = append(bounds, Bound{Quantile: q, Seconds: c.seconds[i]})
		}
		Ascend(bounds)
		for i, b := range bounds {
			if w := c.want[i]; b.Seconds != w && !(math.IsNaN(w) && math.IsNaN(b.Seconds)) {
				t.Errorf("%v at %v: bound %d is %g, want %g", c.seconds, c.quantiles, i, b.Seconds, w)
			}
		}
	}
}

func TestGroups(t *testing.T) {
	for _, c := range []struct {
		processors, size int64
		want             string
	}{
		{1, workload.Unknown, "1-4"}, {4, 64, "1-4"}, {5, 1, "5-16"}, {16, 1, "5-16"}, {17, 1, "17-64"},
		{64, 1, "17-64"}, {65, 1, "65+"}, {1 << 40, 1, "65+"},
		{workload.Unknown, 16, "5-16"}, {0, 17, "17-64"}, {workload.Unknown, workload.Unknown, "unknown"}, {0, 0, "unknown"},
	} {
		if got := GroupOf(&workload.Request{Processors: c.processors, Size: c.size}); got != c.want {
			t.Errorf("%d asked for, size %d: %s, want %s", c.processors, c.size, got, c.want)
		}
	}
}

// Whatever the waits, the bounds equal those computed afresh from the retained history.
func TestBoundsAgainstHistory(t *testing.T) {
	cuts := 0
	for seed := range uint64(16) {
		rng := rand.New(rand.NewPCG(seed, 5))
		b, _ := NewBMBP(0.95, 0.95, BoundOptions{})
		c, _ := NewChebyshev(0.95, 0.95, BoundOptions{})
		for _, unknown := range []float64{math.NaN(), -1, inf()} {
			b.Observe(waited(0, unknown), NoBound())
			c.Observe(waited(0, unknown), NoBound())
		}
		j := waited(0, 0)
		level := 1.0
		for range 2000 {
			if rng.IntN(150) == 0 {
				level = math.Exp(4 * rng.NormFloat64())
			}
			j.Wait = math.Floor(level * rng.ExpFloat64())
			given, ok := b.Predict(j.Request)
			kept := b.groups.at(&j.Request).of.history.waits
			if o, want := stats.UpperOrderStatistic(len(kept), 0.95, 0.95); ok != want ||
				ok && (given.Seconds != slices.Sorted(slices.Values(kept))[o.Rank-1] || given.Rank != o.Rank || !near(given.Achieved, o.Achieved, 1e-9) || given.Observations != o.N) {
				t.Fatalf("bound %+v (%v) from %d waits, want rank %d", given, ok, len(kept), o.Rank)
			}
			width, ok := c.Predict(j.Request)
			var m stats.Moments
			for _, w := range c.groups.at(&j.Request).of.history.waits {
				m.Add(w)
			}
			if ok != (m.N() >= 59) || ok && !near(width.Seconds, m.Mean()+2*math.Sqrt(5)*m.StdDev(), 1e-9) {
				t.Fatalf("Chebyshev bound %g (%v) from %d waits", width.Seconds, ok, m.N())
			}
			b.Observe(j, given)
			c.Observe(j, width)
			if len(b.groups.at(&j.Request).of.history.waits) < len(kept) {
				cuts++
			}
		}
	}
	if cuts == 0 {
		t.Error("no change was found in waits with many changes")
	}
}
