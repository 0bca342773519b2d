package predict

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

// evenly is a distribution of run times, uniform from 0 to the given seconds.
type evenly float64

func (e evenly) Quantile(q float64) float64 { return q * float64(e) }
func (e evenly) Survival(t float64) float64 { return max(0, 1-t/float64(e)) }

// exactly is a known run time.
type exactly float64

func (e exactly) Quantile(float64) float64 { return float64(e) }
func (e exactly) Survival(t float64) float64 {
	if t < float64(e) {
		return 1
	}
	return 0
}

// toLimit gives jobs the run times of their limits.
func toLimit(r *workload.Request) RunTimeDistribution { return exactly(r.Time) }

// ofLaw gives all jobs run times drawn from law.
func ofLaw(*workload.Request) RunTimeDistribution { return law.Law }

// job returns a request for processors and time.
func job(row, size int64, limit float64) workload.Request {
	r := workload.UnknownJob().Request
	r.ID, r.Row, r.Size, r.Time = row, row, size, limit
	return r
}

func occupant(row, size int64, limit, age float64) Occupant {
	r := job(row, size, limit)
	return Occupant{&r, size, age}
}

// The remaining time under a uniform distribution is uniform, and each hundredth of it has one
// draw. A job older than the distribution allows runs as long again with probability 1/2.
func TestDrawsAreALatinHypercube(t *testing.T) {
	d := Drawn{RunTimes: func(r *workload.Request) RunTimeDistribution { return evenly(1000 * r.Size) }}
	for _, c := range []struct {
		size     int64
		age      float64
		quantile func(level float64) float64
	}{
		{1, 0, func(level float64) float64 { return 1000 * level }},
		{2, 500, func(level float64) float64 { return 1500 * level }},
		{1, 3000, func(level float64) float64 { return 3000 * level / (1 - level) }},
	} {
		r := job(7, c.size, math.NaN())
		left := slices.Sorted(slices.Values(d.draw(&r, c.age, 7, 100)))
		for k, x := range left {
			low, high := c.quantile(float64(k)/100), c.quantile(float64(k+1)/100)
			if x < min(low, Longest)-1e-9 || x > max(Shortest, high)+1e-9 {
				t.Errorf("size %d, age %g: draw %d is %g s, want %g to %g", c.size, c.age, k, x, low, high)
			}
		}
	}
}

// 10 processors at second 1000: 6 are held for 100 s more, 2 for 50 s more, 2 are free.
//
//	job 10: 8 processors, 300 s: at 100 s, when 10 are free; 2 are left over
//	job 11: 2 processors, 100 s: at 0 s: it ends at 100 s, by the head's start
//	job 12: 2 processors, 60 s: at 50 s the 2 of the second are free; it ends at 110 s, after
//	        the head's start, but 2 processors are left over then: at 50 s
//	job 13: 2 processors, 60 s: after job 12, which took those left over. The head
//	        ends at 400 s, but job 12 at 110 s: at 110 s
//	one more: from 110 to 170 s all are held; 1 or 2 processors at 170 s, more at 400 s
//
// Served in order, job 10 starts at 100 s together with 11; 12 at 200 s when 11 ends, 13 at
// 260 s, and one more with 2 processors at 320 s.
func TestDrawnByHand(t *testing.T) {
	s := &Snapshot{
		Time: 1000, Processors: 10,
		Running: []Occupant{occupant(1, 6, 200, 100), occupant(2, 2, 60, 10)},
		Queued:  []workload.Request{job(10, 8, 300), job(11, 2, 100), job(12, 2, 60), job(13, 2, 60), job(14, 11, 60)},
	}
	for _, c := range []struct {
		policy sched.Policy
		starts []float64
		waits  map[int64]float64
	}{
		{sched.EASY{}, []float64{100, 0, 50, 110}, map[int64]float64{1: 170, 2: 170, 3: 400, 10: 400}},
		{sched.FCFS{}, []float64{100, 100, 200, 260}, map[int64]float64{2: 320, 3: 400}},
	} {
		schedules := Drawn{RunTimes: toLimit, Policy: c.policy, Draws: 3}.Schedules(s)
		starts, err := schedules.Starts()
		if err != nil || starts[4] != nil {
			t.Fatalf("%v; a job larger than the machine starts after %v s", err, starts[4])
		}
		for i, want := range c.starts {
			if !slices.Equal(starts[i], []float64{want, want, want}) {
				t.Errorf("%s: job %d starts after %v s, want %g", c.policy.Name(), 10+i, starts[i], want)
			}
		}
		for size, want := range c.waits {
			r := job(99, size, 5000)
			if w, err := schedules.Wait(&r); err != nil || !slices.Equal(w, []float64{want, want, want}) {
				t.Errorf("%s: %d processors wait %v s, %v, want %g", c.policy.Name(), size, w, err, want)
			}
		}
		r := job(99, 11, 60)
		if _, err := schedules.Wait(&r); err == nil {
			t.Error("a request larger than the machine waits")
		}
	}
}

// A request without a limit is planned with the run time drawn for it: one of 10 s is backfilled;
// one of 1000 s waits for both jobs, of which the first ends in 900 s.
func TestDrawnWithoutALimit(t *testing.T) {
	s := &Snapshot{Processors: 10, Running: []Occupant{occupant(1, 8, math.NaN(), 100)}, Queued: []workload.Request{job(2, 10, math.NaN())}}
	runs := map[int64]exactly{1: 1000, 2: 10, 3: 10, 4: 1000}
	d := Drawn{RunTimes: func(r *workload.Request) RunTimeDistribution { return runs[r.Row] }, Policy: sched.EASY{}, Draws: 1}
	for row, want := range map[int64]float64{3: 0, 4: 910} {
		r := job(row, 2, math.NaN())
		if w, err := d.Schedules(s).Wait(&r); err != nil || w[0] != want {
			t.Errorf("a request of %g s waits %v s, %v, want %g", runs[row], w, err, want)
		}
	}
}

// At the head of the queue under FCFS, drawn waits have the quantiles of A exact: the share of
// draws below each quantile is within 5 standard errors.
func TestDrawnAgainstExact(t *testing.T) {
	s := machineOf(40, 8, 100, 3, 1000, 9, 30, 12, 4000, 5, 20000)
	for i := range s.Running {
		r := job(int64(i), 0, math.NaN())
		s.Running[i].Request = &r
	}
	const n = 4000
	schedules := Drawn{RunTimes: ofLaw, Policy: sched.FCFS{}, Draws: n, Seed: 3}.Schedules(s)
	for _, size := range []int64{6, 20, 36} {
		waits, err := schedules.Wait(asks(size))
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range []float64{0.1, 0.5, 0.9} {
			exact := earliest(newFreed(s.head(size), law).by, q)
			below := 0
			for _, w := range waits {
				if w <= exact {
					below++
				}
			}
			if got := float64(below) / n; math.Abs(got-q) > 5*math.Sqrt(q*(1-q)/n) {
				t.Errorf("%d processors: a share of %g of the draws is at most %g s, want %g", size, got, exact, q)
			}
		}
	}
}

// The last job of a queue waits as long as an equal request behind the others, under any policy
// that serves the queue in order; larger and longer requests wait no shorter.
func TestDrawnWaits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := &Snapshot{Processors: rapid.Int64Range(1, 32).Draw(t, "processors")}
		limit := rapid.Map(rapid.IntRange(1, 50), func(n int) float64 { return float64(60 * n) })
		row := int64(0)
		for free := s.Processors; free > 0 && rapid.IntRange(0, 9).Draw(t, "another") > 0; row++ {
			size := rapid.Int64Range(1, free).Draw(t, "size")
			free -= size
			l := limit.Draw(t, "limit")
			s.Running = append(s.Running, occupant(row, size, l, l*rapid.Float64Range(0, 1.1).Draw(t, "share")))
		}
		for range rapid.IntRange(1, 15).Draw(t, "queued") {
			s.Queued = append(s.Queued, job(row, rapid.Int64Range(1, s.Processors).Draw(t, "size"), limit.Draw(t, "limit")))
			row++
		}
		d := Drawn{
			RunTimes: func(r *workload.Request) RunTimeDistribution { return evenly(1.2 * r.Time) },
			Policy:   rapid.SampledFrom([]sched.Policy{sched.EASY{}, sched.FCFS{}}).Draw(t, "policy"),
			Draws:    19,
		}
		all, err := d.Schedules(s).Starts()
		if err != nil {
			t.Fatal(err)
		}
		ahead := *s
		last := len(s.Queued) - 1
		ahead.Queued = s.Queued[:last]
		schedules := d.Schedules(&ahead)
		wait := func(r workload.Request) DrawnWaits {
			w, err := schedules.Wait(&r)
			if err != nil {
				t.Fatal(err)
			}
			return w
		}
		r := s.Queued[last]
		w := wait(r)
		if !slices.Equal(w, all[last]) {
			t.Fatalf("the last job waits %v, an equal request %v", all[last], w)
		}
		r.Size, r.Time = rapid.Int64Range(r.Size, s.Processors).Draw(t, "larger"), r.Time*rapid.Float64Range(1, 5).Draw(t, "longer")
		for k, x := range wait(r) {
			if x < w[k]-1e-6 {
				t.Fatalf("%+v waits %g s, and a smaller request %g s", r, x, w[k])
			}
		}
	})
}

// For 100 waits, quantile 0.5 and confidence 0.95, the bound is the 59th, by R's qbinom(0.95,
// 100, 0.5) + 1 = 59 (pbinom(58, 100, 0.5) = 0.9557). 50 waits are too few for a bound at 0.95
// with that confidence. A wait of Longest is not a bound.
func TestBoundsOfDraws(t *testing.T) {
	var w DrawnWaits
	for i := range 100 {
		w = append(w, float64(i+1))
	}
	if b, m := w.Bound(0.5, 0.95), w.Median(); b != 59 || m != 50.5 {
		t.Errorf("bound %g, median %g, want 59 and 50.5", b, m)
	}
	if b, m := w[:50].Bound(0.95, 0.95), w[:49].Median(); b != 50 || m != 25 {
		t.Errorf("bound %g of 50 draws, median %g of 49, want 50 and 25", b, m)
	}
	w[70] = Longest
	slices.Sort(w)
	if b := w.Bound(0.99, 0.95); !math.IsNaN(b) {
		t.Errorf("quantile of an endless run time: %g", b)
	}
}
