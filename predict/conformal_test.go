package predict

import (
	"fmt"
	"math"
	"math/rand/v2"
	goruntime "runtime"
	"slices"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/heap"
	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/internal/longtest"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// queueOf makes a log of n jobs on one machine, first come, first served: users submit bursts of
// similar jobs, so that waits depend on the queue.
func queueOf(n int, seed uint64) []workload.Job {
	r := rand.New(rand.NewPCG(seed, 1))
	jobs := make([]workload.Job, n)
	now, like := 0.0, workload.UnknownJob()
	for i := range jobs {
		if i == 0 || r.IntN(8) == 0 {
			now += r.ExpFloat64() * 14000
			like.User, like.Queue = int64(r.IntN(30)), int64(r.IntN(3))
			like.Processors = 1 << r.IntN(5)
			like.Time = 600 * math.Ceil(r.ExpFloat64()*20)
		}
		now += float64(r.IntN(60))
		j := like
		j.ID, j.Row, j.Submit, j.Size = int64(i+1), int64(i), now, like.Processors
		j.Run = math.Ceil(j.Time * r.Float64())
		jobs[i] = j
	}
	for j := range sched.Simulate(workload.JobsOf(slices.Clone(jobs)), sched.Config{Processors: 32, Policy: sched.FCFS{}}, nil) {
		jobs[j.Row].Wait = j.Wait
	}
	return jobs
}

// boundsOf returns the predictors' bounds for each job, by row and predictor.
func boundsOf(t *testing.T, jobs []workload.Job, predictors ...BoundPredictor) [][]Bound {
	t.Helper()
	of := make([][]Bound, len(jobs))
	replay := Replay{Predictors: []Predictor{NewPastWaits("all", predictors)}}
	for row, err := range replay.Jobs(workload.JobsOf(jobs)) {
		jobtest.NoError(t, err)
		of[row.Request.Row] = row.Forecasts[0].Bounds
	}
	return of
}

// Before it has learned, conformal gives BMBP's bounds, marked as such; then it covers the
// requested share at every quantile, with lower bounds than BMBP's. Bounds rise with the
// quantile.
func TestConformal(t *testing.T) {
	jobs := queueOf(12_000, 1)
	quantiles := []float64{0.5, 0.8, 0.95, 0.99}
	views := jobtest.Must(NewBounds([]string{ConformalBound}, quantiles, 0.95, BoundOptions{}))
	bmbp := jobtest.Must(NewBMBP(0.95, 0.95, BoundOptions{}))
	early := 0
	for row, bounds := range boundsOf(t, jobs[:4000], append(views, bmbp)...) {
		if strings.HasPrefix(bounds[2].Group, "bmbp, ") {
			early++
			want := bounds[4]
			want.Group = "bmbp, " + want.Group
			if got := bounds[2]; fmt.Sprint(got) != fmt.Sprint(want) { // as text, so that NaN equals NaN
				t.Fatalf("row %d: %+v, want bmbp's %+v", row, got, want)
			}
			continue
		}
		for i, q := range quantiles {
			if bounds[i].Quantile != q || bounds[i].Group != "forest" || !math.IsNaN(bounds[i].Achieved) {
				t.Fatalf("row %d: %+v", row, bounds[i])
			}
			if i > 0 && bounds[i].Seconds < bounds[i-1].Seconds {
				t.Fatalf("row %d: the bound at %g is %g, at %g it is %g", row, q, bounds[i].Seconds, quantiles[i-1], bounds[i-1].Seconds)
			}
		}
	}
	if early < 200 || early > 600 {
		t.Errorf("%d bounds are bmbp's", early)
	}
	for i, w := range boundsWorth(t, jobs, ConformalBound) {
		if share := w.held.Mean(); math.Abs(share-quantiles[i]) > 0.03 || !(w.losses[0] < w.losses[1]/2) {
			t.Errorf("quantile %g: covers %.4f, the loss is %.3f of the better rival's", quantiles[i], share, w.ratio())
		}
	}
}

// The bounds are the same on any number of cores. Events of unknown jobs, and repeated events, do
// not change them.
func TestConformalSameBounds(t *testing.T) {
	jobs := queueOf(1200, 6)
	bounds := func(name string, times int) (all []float64) {
		p := jobtest.Must(NewBound(name, 0.95, 0.95, BoundOptions{}))
		views := []BoundPredictor{p}
		for range times - 1 {
			w := views[0].(QueueWatcher)
			stranger := jobs[0]
			stranger.Row = 1 << 40
			w.Observe(stranger, NoBound())
			w.Ended(stranger.Request, 0)
			views = append(views, views[0])
		}
		for _, given := range boundsOf(t, jobs, views...) {
			if !math.IsNaN(given[0].Seconds) {
				all = append(all, given[0].Seconds)
			}
		}
		return all
	}
	defer goruntime.GOMAXPROCS(goruntime.GOMAXPROCS(0))
	for _, name := range []string{ConformalBound, CombinedBound} {
		goruntime.GOMAXPROCS(2)
		once, twice := bounds(name, 1), bounds(name, 2)
		goruntime.GOMAXPROCS(1)
		if len(once) < 900 || !slices.Equal(once, twice) || !slices.Equal(once, bounds(name, 1)) {
			t.Errorf("%s: %d bounds, and %d where events are repeated, differ, or on one core", name, len(once), len(twice))
		}
	}
}

func ofForty(_ int, r *rand.Rand) int64 { return int64(r.IntN(40)) }

// share replays n jobs, one every gap seconds, and returns the share of waits at or below the
// bound of 0.95, among the jobs after the first skip for which this became known. wait returns a
// job's wait in seconds, given its bound, and the time after which it is withdrawn if it still
// waits.
func share(t *testing.T, n, skip int, gap float64, user func(i int, r *rand.Rand) int64, wait func(i int, bound float64, r *rand.Rand) (wait, withdrawn float64)) float64 {
	t.Helper()
	c := jobtest.Must(newConformal([]float64{0.95}, 0.95, BoundOptions{}))
	type ending struct {
		job       workload.Job
		withdrawn bool
	}
	r := rand.New(rand.NewPCG(4, 4))
	var endings heap.Heap[ending]
	var held stats.Moments
	for i := range n {
		j := workload.UnknownJob()
		j.ID, j.Row, j.Submit, j.User = int64(i), int64(i), gap*float64(i), user(i, r)
		j.Processors, j.Size, j.Time = int64(1+r.IntN(8)), 1, 3600
		for len(endings) > 0 && endings[0].At <= j.Submit {
			e := endings.Pop()
			if !e.Value.withdrawn {
				c.Observe(e.Value.job, NoBound())
			}
			c.Ended(e.Value.job.Request, e.At)
		}
		c.ask(&j.Request)
		bound := c.last.bounds[0].Seconds
		w, withdrawn := wait(i, bound, r)
		j.Wait = math.Floor(w)
		if i >= skip && (j.Wait <= withdrawn || withdrawn > bound) { // it starts, or waits longer than its bound
			held.Add(map[bool]float64{true: 1}[j.Wait <= bound])
		}
		c.Submitted(j.Request)
		endings.Push(heap.Item[ending]{At: j.Submit + min(j.Wait, withdrawn), Seq: j.Row, Value: ending{j, withdrawn < j.Wait}})
	}
	return held.Mean()
}

// In the long run the share of waits within the bounds is the requested one, whatever the waits:
// under drift, with feedback hundreds of jobs late, with jobs withdrawn before they start, and
// with an adversary who knows the bounds.
func TestConformalGuarantee(t *testing.T) {
	type waits func(i int, bound float64, r *rand.Rand) float64
	type withdrawn func(wait float64, r *rand.Rand) float64
	jumps := func(i int, _ float64, r *rand.Rand) float64 {
		return r.ExpFloat64() * math.Pow(10, 1+float64(i/3000%4))
	}
	stay := func(float64, *rand.Rand) float64 { return math.Inf(1) }
	for name, c := range map[string]struct {
		gap       float64
		wait      waits
		withdrawn withdrawn
		long      bool // only in long tests
		strangers bool // each job has its own user
	}{
		"jumps": {60, jumps, stay, true, false},
		// One wait is drawn for each thousand jobs and is the wait of all of them.
		"blocks": {60, func(i int, _ float64, r *rand.Rand) float64 {
			return math.Exp(10*rand.New(rand.NewPCG(uint64(i/1000), 5)).Float64()) * (1 + r.Float64())
		}, stay, true, false},
		"300 jobs late": {15, func(i int, _ float64, r *rand.Rand) float64 {
			return 3000 * r.ExpFloat64() * (1.5 + math.Sin(float64(i)/1000))
		}, stay, true, false},
		// Waits grow by a factor of e every 720 jobs, without end, and no user returns.
		"new users": {1e14, func(i int, _ float64, r *rand.Rand) float64 {
			return math.Exp(float64(i)/720) * (1 + r.Float64())
		}, stay, true, true},
		// Waits just above the bound, as often as possible without exceeding the largest wait.
		"an adversary": {60, func(_ int, bound float64, r *rand.Rand) float64 {
			if bound < 1e5 && r.IntN(5) == 0 {
				return bound + 1
			}
			return 100 * r.ExpFloat64()
		}, stay, false, false},
		"withdrawn early": {60, jumps, func(wait float64, r *rand.Rand) float64 {
			if r.IntN(4) > 0 {
				return math.Inf(1)
			}
			return wait * r.Float64()
		}, true, false},
		"withdrawn when long": {60, jumps, func(_ float64, r *rand.Rand) float64 { return 5000 * (1 + r.ExpFloat64()) }, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			if c.long {
				longtest.Only(t)
			}
			t.Parallel()
			user := ofForty
			if c.strangers {
				user = func(i int, _ *rand.Rand) int64 { return int64(i) }
			}
			got := share(t, 25_000, 3000, c.gap, user, func(i int, bound float64, r *rand.Rand) (float64, float64) {
				wait := c.wait(i, bound, r)
				return wait, c.withdrawn(wait, r)
			})
			// The margin aims at 95.5 %.
			if got < 0.945 || got > 0.965 {
				t.Errorf("covers %.4f", got)
			}
		})
	}
}

// Once bounds have risen enough, misses of older, lower bounds do not raise them further: after
// an hour in which most jobs wait longer than predicted, bounds are not the longest waits ever
// seen.
func TestConformalStaleMisses(t *testing.T) {
	var after []float64
	share(t, 9000, 0, 1, ofForty, func(i int, bound float64, r *rand.Rand) (float64, float64) {
		switch wait := 100 * r.ExpFloat64(); {
		case i >= 5000 && i < 6440 && r.IntN(100) < 72:
			return 1500 + wait, math.Inf(1)
		case i < 5000 && r.IntN(100) == 0:
			return 50_000, math.Inf(1)
		default:
			if i >= 7000 {
				after = append(after, bound)
			}
			return wait, math.Inf(1)
		}
	})
	slices.Sort(after)
	if median := after[len(after)/2]; median > 10_000 {
		t.Errorf("the median bound is %.0f s, with a mean wait of 100 s, and 1500 s in that hour", median)
	}
}
