package conformal_test

import (
	"math"
	"math/rand/v2"
	goruntime "runtime"
	"slices"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/longtest"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/workload"
)

// queueOf makes a log of n jobs on one machine with first come, first served: users
// submit bursts of like jobs, so that waits depend on the queue.
func queueOf(n int, seed uint64) []workload.Job {
	r := rand.New(rand.NewPCG(seed, 1))
	var jobs []workload.Job
	var free [32]float64 // when each processor is
	now, like := 0.0, workload.UnknownJob()
	for i := range n {
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
		slices.Sort(free[:])
		start := max(now, free[j.Processors-1])
		if i > 0 {
			start = max(start, jobs[i-1].Start())
		}
		j.Wait = math.Ceil(start - now)
		for p := range j.Processors {
			free[p] = j.End()
		}
		jobs = append(jobs, j)
	}
	return jobs
}

func newConformal(t *testing.T, quantiles ...float64) []predict.BoundPredictor {
	t.Helper()
	views, err := predict.NewBounds([]string{predict.ConformalBound}, quantiles, 0.95, predict.BoundOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return views
}

// boundsOf returns the bounds of the predictors for each job, by row and predictor.
func boundsOf(t *testing.T, jobs []workload.Job, predictors ...predict.BoundPredictor) [][]predict.Bound {
	t.Helper()
	of := make([][]predict.Bound, len(jobs))
	replay := predict.Replay{Predictors: []predict.Predictor{predict.NewPastWaits("all", predictors)}}
	for row, err := range replay.Jobs(workload.JobsOf(jobs)) {
		if err != nil {
			t.Fatal(err)
		}
		of[row.Request.Row] = row.Forecasts[0].Bounds
	}
	return of
}

// Before it has learned it answers as BMBP does, and its rows say so; then it covers the
// share asked for at every quantile, with lower bounds than BMBP's, and bounds rise with
// the quantile.
func TestConformal(t *testing.T) {
	jobs := queueOf(12_000, 1)
	quantiles := []float64{0.5, 0.8, 0.95, 0.99}
	views := newConformal(t, quantiles...)
	bmbp, err := predict.NewBMBP(0.95, 0.95, predict.BoundOptions{})
	if err != nil {
		t.Fatal(err)
	}
	early, late := 0, 0
	var held [4]float64
	var loss, rival float64
	for row, bounds := range boundsOf(t, jobs, append(views, bmbp)...) {
		if strings.HasPrefix(bounds[2].Group, "bmbp, ") {
			early++
			if got, want := bounds[2], bounds[4]; got.Seconds != want.Seconds && !(math.IsNaN(got.Seconds) && math.IsNaN(want.Seconds)) || got.Rank != want.Rank || got.Group != "bmbp, "+want.Group {
				t.Fatalf("row %d: %+v, want bmbp's %+v", row, got, want)
			}
			continue
		}
		if row < 2000 {
			continue
		}
		late++
		for i, q := range quantiles {
			if bounds[i].Quantile != q || bounds[i].Group != "forest" || !math.IsNaN(bounds[i].Achieved) {
				t.Fatalf("row %d: %+v", row, bounds[i])
			}
			if jobs[row].Wait <= bounds[i].Seconds {
				held[i]++
			}
			if i > 0 && bounds[i].Seconds < bounds[i-1].Seconds {
				t.Fatalf("row %d: the bound of %g is %g, of %g %g", row, q, bounds[i].Seconds, quantiles[i-1], bounds[i-1].Seconds)
			}
		}
		pinball := func(b float64) float64 { return max(0.95*(jobs[row].Wait-b), 0.05*(b-jobs[row].Wait)) }
		loss += pinball(bounds[2].Seconds)
		rival += pinball(bounds[4].Seconds)
	}
	if early < 200 || early > 600 {
		t.Errorf("%d bounds are bmbp's", early)
	}
	for i, q := range quantiles {
		if share := held[i] / float64(late); math.Abs(share-q) > 0.03 {
			t.Errorf("quantile %g: covers %.4f", q, share)
		}
	}
	if loss > rival/2 {
		t.Errorf("pinball loss %.0f, bmbp's %.0f", loss, rival)
	}
}

// No bound rests on what happens later, or on what a log says of a job that nobody
// could know: the bounds of the jobs submitted before a moment are the same whatever
// the later starts and ends are, and whatever is written into the other columns.
func TestConformalCannotSeeAhead(t *testing.T) {
	jobs := queueOf(3000, 2)
	cut := jobs[2000].Submit
	r := rand.New(rand.NewPCG(3, 3))
	other := slices.Clone(jobs)
	for i := range other {
		j := &other[i]
		// The answer, after the fact, wherever a log has room for it.
		j.CPUTime, j.UsedMemory, j.Status, j.Allocated = j.Wait, j.Wait, int64(j.Wait), int64(j.Wait)
		switch {
		case j.Start() > cut:
			j.Wait = math.Ceil(cut - j.Submit + 1 + r.Float64()*1e6)
			j.Wait = max(0, j.Wait)
			j.Run = r.Float64() * 1e5
		case j.End() > cut:
			j.Run = cut - j.Start() + 1 + r.Float64()*1e5
		}
	}
	a := newConformal(t, 0.5, 0.95)
	b := newConformal(t, 0.5, 0.95)
	want, got := boundsOf(t, jobs, a...), boundsOf(t, other, b...)
	for row := range jobs {
		if jobs[row].Submit > cut {
			break
		}
		for i := range want[row] {
			if w, g := want[row][i].Seconds, got[row][i].Seconds; w != g && !(math.IsNaN(w) && math.IsNaN(g)) {
				t.Fatalf("row %d: %g with another future, %g without", row, g, w)
			}
		}
	}
}

// The share above the bounds is the one asked for under any drift, with feedback that
// comes late: waits jump by factors of up to a thousand, grow and grow, and are
// drawn anew by an adversary.
func TestConformalUnderDrift(t *testing.T) {
	for name, wait := range map[string]func(i int, r *rand.Rand) float64{
		"jumps": func(i int, r *rand.Rand) float64 {
			return r.ExpFloat64() * math.Pow(10, 1+float64(i/3000%4))
		},
		"drift": func(i int, r *rand.Rand) float64 { return r.ExpFloat64() * math.Exp(float64(i)/3000) },
		// Every wait is drawn anew each thousand jobs, and is all jobs' of the thousand.
		"blocks": func(i int, r *rand.Rand) float64 {
			return math.Exp(10*rand.New(rand.NewPCG(uint64(i/1000), 5)).Float64()) * (1 + r.Float64())
		},
	} {
		t.Run(name, func(t *testing.T) {
			if name != "jumps" {
				longtest.Only(t)
			}
			t.Parallel()
			r := rand.New(rand.NewPCG(9, 9))
			var jobs []workload.Job
			for i := range 25_000 {
				j := workload.UnknownJob()
				j.ID, j.Row, j.Submit, j.User = int64(i), int64(i), float64(60*i), int64(i%50)
				j.Processors, j.Size, j.Run = 1, 1, 100
				j.Wait = math.Floor(wait(i, r))
				jobs = append(jobs, j)
			}
			views := newConformal(t, 0.95)
			held, n := 0.0, 0.0
			for row, b := range boundsOf(t, jobs, views...) {
				if row < 2000 {
					continue
				}
				n++
				if jobs[row].Wait <= b[0].Seconds {
					held++
				}
			}
			// The margin aims at 95.5 %.
			if share := held / n; share < 0.945 || share > 0.965 {
				t.Errorf("covers %.4f", share)
			}
		})
	}
}

// The bounds are the same on any number of cores.
func TestConformalOnAnyNumberOfCores(t *testing.T) {
	jobs := queueOf(1500, 5)
	a := newConformal(t, 0.95)
	want := boundsOf(t, jobs, a...)
	defer goruntime.GOMAXPROCS(goruntime.GOMAXPROCS(1))
	b := newConformal(t, 0.95)
	for row, got := range boundsOf(t, jobs, b...) {
		if w, g := want[row][0].Seconds, got[0].Seconds; w != g && !(math.IsNaN(w) && math.IsNaN(g)) {
			t.Fatalf("row %d: %g on one core, %g on more", row, g, w)
		}
	}
}

// Events of unknown jobs, and repeated events, change no bound.
func TestConformalIgnoresWhatItIsToldTwice(t *testing.T) {
	jobs := queueOf(800, 6)
	bounds := func(times int) (all []float64) {
		views := newConformal(t, 0.95)
		for range times - 1 {
			w := views[0].(predict.QueueWatcher)
			stranger := jobs[0]
			stranger.Row = 1 << 40
			w.Observe(stranger, predict.NoBound())
			w.Ended(stranger.Request, 0)
			views = append(views, views[0])
		}
		for _, given := range boundsOf(t, jobs, views...) {
			if len(given) > 0 && !math.IsNaN(given[0].Seconds) {
				all = append(all, given[0].Seconds)
			}
		}
		return all
	}
	once, twice := bounds(1), bounds(2)
	if len(once) < 500 || !slices.Equal(once, twice) {
		t.Errorf("%d bounds, and %d where events are repeated, differ", len(once), len(twice))
	}
}
