package allocate

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
)

// linear returns a job without variance of parallelism: it runs L/n on n processors, for n up to A.
func linear(id int64, at, sequential, parallelism float64) Job {
	return Job{ID: id, Offset: at, Sequential: sequential, Parallelism: parallelism}
}

func strategy(t *testing.T, name string) Strategy {
	t.Helper()
	for _, s := range Strategies() {
		if s.Name == name {
			return s
		}
	}
	t.Fatalf("no strategy %s", name)
	return Strategy{}
}

// studied simulates one strategy.
func studied(t *testing.T, jobs []Job, m Machine, x Strategy) (*Outcome, *Row) {
	t.Helper()
	s := comparison{machine: m, strategies: []Strategy{x}, keep: true}
	o := jobtest.Must(s.run(context.Background(), jobs))
	return o, &o.Rows[0]
}

// placed returns the placements if c decides for some jobs and the others follow AVG.
func placed(jobs []Job, m Machine, c chooser) []Placement {
	s := newSimulation(jobs, m)
	s.chooser = c
	return s.run(context.Background())
}

// forecasts returns the forecasts of a schedule in which all jobs follow one strategy.
func forecasts(jobs []Job, m Machine, x Strategy) []Forecast {
	law, _ := lawOf(placed(jobs, m, thrift{}))
	f := newForecaster(x, law)
	s := newSimulation(jobs, m)
	s.chooser, s.lockIn = f, x.LockIn
	s.run(context.Background())
	return f.notes
}

type want struct {
	start, run float64
	size       int
}

func compare(t *testing.T, name string, got []Placement, wants []want) {
	t.Helper()
	for i, w := range wants {
		p := got[i]
		if math.Abs(p.Start-w.start) > 1e-9 || math.Abs(p.Run-w.run) > 1e-9 || p.Size != w.size {
			t.Errorf("%s, job %d: started %g, ran %g on %d; want %g, %g on %d", name, i+1, p.Start, p.Run, p.Size, w.start, w.run, w.size)
		}
	}
}

// lShaped returns the two jobs of figure 6 of Downey (1997), on four processors: the first leaves
// one processor free, on which the second would run until long after the first has ended.
func lShaped() ([]Job, Machine) {
	return []Job{linear(1, 0, 30, 3), linear(2, 1, 80, 4)}, Machine{Processors: 4, Open: true}
}

// AVG: job 1 has 3 processors for 10 s, job 2 the other for 80 s, and 3 are
// idle from 10 s to 81 s. OPT: job 2 waits for the end at 10 s, has 4
// processors for 20 s and ends at 30 s: a longer wait, more processors, and the
// machine works 110 s of processor time in 4 x 30 s instead of 4 x 81 s.
func TestLShapedSchedule(t *testing.T) {
	jobs, m := lShaped()
	o, r := studied(t, jobs, m, strategy(t, "opt"))
	compare(t, "avg", o.Schedule, []want{{0, 10, 3}, {1, 80, 1}})
	compare(t, "opt", r.schedule, []want{{0, 10, 3}, {10, 20, 4}})
	compare(t, "opt alone", r.alone, []want{{0, 10, 3}, {10, 20, 4}})
	if got, want := m.utilisation(jobs, o.Schedule), 110.0/(4*81); got != want || o.turnaround != (10+80.0)/2 {
		t.Errorf("avg's utilisation is %g, its turnaround %g", got, o.turnaround)
	}
	jobtest.CheckNumbers(t, r.system, map[string]float64{
		"utilisation": 110.0 / (4 * 30), "utilisation_change_pct": 100 * (81.0/30 - 1),
		"turnaround_mean_s": (10 + 29.0) / 2, "turnaround_change_pct": 100 * (39.0/90 - 1), "wait_mean_s": 9.0 / 2, "sooner_pct": 50, "later_pct": 0,
	})
	jobtest.CheckNumbers(t, r.application, map[string]float64{
		"saved_per_job_s": 51.0 / 2, "saved_per_rebel_s": 51, "spoiled_pct": 50, "docile_pct": 0, "rebels": 1, "losers_pct": 0,
	})
}

// The lifetime distribution extends from 10 to 80 s, AVG's run times. At time 1 s job 1 is one
// second old and ends within t with probability C = ln((1+t)/10) / ln 8. One more processor is
// expected where 3C = 1, at 1+t = 20, two at 40 and all three at 80, which gives turnarounds of 19
// + 40, 39 + 80/3 and 79 + 20 s. Job 2 holds out for 2; when job 1 ends at 10 s, it gets 4.
func TestPredictedByHand(t *testing.T) {
	jobs, m := lShaped()
	pred := strategy(t, "pred")
	o, r := studied(t, jobs, m, pred)
	compare(t, "pred", r.schedule, []want{{0, 10, 3}, {10, 20, 4}})
	if o.lifetimes.TMin != 10 || o.lifetimes.TMax != 80 {
		t.Errorf("lifetimes %+v", o.lifetimes)
	}
	f := forecasts(jobs, m, pred)
	if len(f) != 1 || f[0].Free != 1 || f[0].Wanted != 2 || !f[0].Rebels || math.Abs(f[0].Predicted-19) > 1e-6 || f[0].Actual != 9 || f[0].Job != 1 {
		t.Errorf("forecasts %+v", f)
	}
	if p := r.schedule[1]; !p.rebel() || p.Offered != 1 || p.Chosen != 2 || p.Offer != 1 || p.kind() != "rebel" {
		t.Errorf("job 2 is %+v", p)
	}
	// Locked in, it gets only the two that it declared: 40 s.
	pred.LockIn = true
	_, r = studied(t, jobs, m, pred)
	compare(t, "locked in", r.schedule, []want{{0, 10, 3}, {10, 40, 2}})
	compare(t, "locked in, alone", r.alone, []want{{0, 10, 3}, {10, 40, 2}})
	// It expects to save 80 - 59 = 21 s, 26 % of its run time.
	pred.RiskAversion = 0.26
	_, r = studied(t, jobs, m, pred)
	compare(t, "averse to 26 %", r.schedule, []want{{0, 10, 3}, {10, 40, 2}})
	pred.RiskAversion = 0.27
	_, r = studied(t, jobs, m, pred)
	compare(t, "averse to 27 %", r.schedule, []want{{0, 10, 3}, {1, 80, 1}})
	if f := forecasts(jobs, m, pred); len(f) != 1 || f[0].Rebels {
		t.Errorf("a docile job's forecasts are %+v", f)
	}
}

// A third job that waits for job 2 and was submitted at the same time makes job 2's wait count
// twice: 2 x 19 + 40, 78 s, is still below 80. With a fourth it is 97.
func TestInternalisedByHand(t *testing.T) {
	jobs, m := lShaped()
	s := strategy(t, "pred")
	s.Internalised = true
	jobs = append(jobs, linear(3, 1, 30, 1))
	_, r := studied(t, jobs, m, s)
	if !r.schedule[1].rebel() {
		t.Errorf("with one job behind it, job 2 is %+v", r.schedule[1])
	}
	jobs = append(jobs, linear(4, 1, 30, 1))
	_, r = studied(t, jobs, m, s)
	if r.schedule[1].rebel() {
		t.Errorf("with two jobs behind it, job 2 is %+v", r.schedule[1])
	}
}

// The minimum of 40 % of 4 processors is 2: job 2 waits for job 1 and then takes all that are free.
func TestMinimumByHand(t *testing.T) {
	jobs, m := lShaped()
	_, r := studied(t, jobs, m, strategy(t, "avg-min"))
	compare(t, "avg-min", r.schedule, []want{{0, 10, 3}, {10, 20, 4}})
	s := strategy(t, "avg-min")
	s.MinShare = 0.25
	_, r = studied(t, jobs, m, s)
	compare(t, "a quarter", r.schedule, []want{{0, 10, 3}, {1, 80, 1}})
}

// Job 2 would save 80 - 20 = 60 s with 4 processors. A fifth of that is 12 s, so that it still
// waits when job 1 ends at 10 s. With a tenth it stops waiting at 7 s and runs on the free
// processor.
func TestHeuristicByHand(t *testing.T) {
	jobs, m := lShaped()
	for _, c := range []struct {
		patience float64
		want     want
	}{
		{0.2, want{10, 20, 4}},
		{0.1, want{7, 80, 1}},
	} {
		s := strategy(t, "heur")
		s.Patience = c.patience
		_, r := studied(t, jobs, m, s)
		compare(t, "heur", r.schedule, []want{{0, 10, 3}, c.want})
		compare(t, "heur alone", r.alone, []want{{0, 10, 3}, c.want})
		if lost := c.want.start - 1; c.want.size == 1 && lost > 0 {
			// It waited in vain.
			if a := r.application; a.Losers != 100 || math.Abs(a.LostPerLoser-lost) > 1e-9 || math.Abs(a.SavedPerJob+lost/2) > 1e-9 {
				t.Errorf("patience %g: %g %% losers lost %g, want %g", c.patience, a.Losers, a.LostPerLoser, lost)
			}
		}
	}
}

// A day of 100 s and a night of at least 50: job 3 of the second day is
// submitted at 150 s, unless job 2 is still queued then.
func TestMorningWaitsForTheQueue(t *testing.T) {
	m := Machine{Processors: 1, Day: 100, Night: 50}
	for _, c := range []struct{ first, morning float64 }{{40, 150}, {150, 150}, {151, 151}, {400, 400}} {
		jobs := []Job{linear(1, 0, c.first, 1), linear(2, 10, 7, 1), {ID: 3, Day: 1, Offset: 5, Sequential: 1, Parallelism: 1}, {ID: 4, Day: 3, Sequential: 1, Parallelism: 1}}
		got := placed(jobs, m, thrift{})
		if got[2].Submit != c.morning+5 || got[3].Submit != c.morning+300 {
			t.Errorf("job 1 of %g s: submitted at %g and %g, want %g and %g", c.first, got[2].Submit, got[3].Submit, c.morning+5, c.morning+300)
		}
	}
}

// Open hours are from 0 to 100 s, extended to 120 s because job 2 starts only then, and the second
// day's 170 to 270 s. During these the machine of 2 processors does job 1's 240 s of work in 120 s,
// nothing of job 2, and job 3's 10 s.
func TestUtilisationOfOpenHours(t *testing.T) {
	m := Machine{Processors: 2, Day: 100, Night: 70}
	jobs := []Job{linear(1, 0, 240, 2), linear(2, 50, 30, 1), {ID: 3, Day: 1, Sequential: 10, Parallelism: 1}}
	if got, want := m.utilisation(jobs, placed(jobs, m, thrift{})), 250.0/(2*220); math.Abs(got-want) > 1e-12 {
		t.Errorf("got %g, want %g", got, want)
	}
}

// script is a chooser that makes predefined choices and records when it was asked.
type script struct {
	choices []choice
	asked   []float64
}

func (s *script) choose(_ *task, v *view, _ int) choice {
	s.asked = append(s.asked, v.now)
	c := s.choices[0]
	if len(s.choices) > 1 {
		s.choices = s.choices[1:]
	}
	return c
}

// Job 3 holds out for all 8 processors from 1 s on. It is asked again when jobs
// 4 and 5 arrive and when its time of 20 s has passed, but not when job 1 ends at
// 10 s; at 30 s job 2 ends.
func TestWhoIsAskedWhen(t *testing.T) {
	jobs := []Job{linear(1, 0, 10, 1), linear(2, 0, 150, 5), linear(3, 1, 80, 8), linear(4, 4, 1, 1), linear(5, 8, 1, 1)}
	m := Machine{Processors: 8, Open: true}
	for _, c := range []struct {
		final bool
		want  []float64
		start float64
		size  int
	}{
		{false, []float64{1, 4, 8, 20}, 30, 8},
		{true, []float64{1}, 20, 3},
	} {
		hold := choice{8, 20, c.final}
		wait := []choice{hold, hold, hold, {8, math.Inf(1), c.final}}
		told := &script{choices: wait}
		got := placed(jobs, m, onlyFor{2, told})[2]
		if got.Start != c.start || got.Size != c.size || !slices.Equal(told.asked, c.want) {
			t.Errorf("%+v: started %g on %d, asked at %v", c, got.Start, got.Size, told.asked)
		}
		// The same, alone on AVG's schedule.
		told = &script{choices: wait}
		s := newSimulation(jobs, m)
		alone := slices.Clone(s.placed)
		s.offered = func() {
			if s.queue[s.first] == 2 {
				s.alone(context.Background(), told, false, jobs, alone)
			}
		}
		s.run(context.Background())
		got = alone[2]
		if got.Start != c.start || got.Size != c.size || !slices.Equal(told.asked, c.want) {
			t.Errorf("alone, %+v: started %g on %d, asked at %v", c, got.Start, got.Size, told.asked)
		}
	}
}

// onlyFor lets one job choose; the others follow AVG.
type onlyFor struct {
	job int
	chooser
}

func (o onlyFor) choose(t *task, v *view, limit int) choice {
	if t.number == o.job {
		return o.chooser.choose(t, v, limit)
	}
	return thrift{}.choose(t, v, limit)
}

// randomJobs returns jobs of a few days, more than the machine can run at once.
func randomJobs(rng *rand.Rand, n int) []Job {
	jobs := make([]Job, n)
	at, day := 0.0, 0
	for i := range jobs {
		at += rng.ExpFloat64() * 40
		if at > 1000 {
			at, day = rng.Float64(), day+1
		}
		jobs[i] = Job{ID: int64(i), Day: day, Offset: at, Sequential: math.Exp(1 + 7*rng.Float64()), Parallelism: math.Exp(2.5 * rng.Float64()), Sigma: 2 * rng.Float64()}
	}
	return jobs
}

// inOneDay returns the jobs with fixed submission times.
func inOneDay(jobs []Job) []Job {
	for i := range jobs {
		jobs[i].Offset += 1000 * float64(jobs[i].Day)
		jobs[i].Day = 0
	}
	return jobs
}

// For every strategy, no processor is used twice, no job is overtaken, no job starts before its
// submission or gets more processors than it can use, and it runs as long as its speedup implies.
func TestSchedulesAreSound(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	for round := range 6 {
		jobs := randomJobs(rng, 300)
		m := Machine{Processors: 16, Day: 1000, Night: 300}
		if round%3 == 2 {
			m.Open = true
			jobs = inOneDay(jobs)
		}
		s := comparison{machine: m, strategies: Strategies(), keep: true}
		o := jobtest.Must(s.run(context.Background(), jobs))
		for i := range o.Rows {
			sound(t, o.Rows[i].Strategy.Name, m, jobs, o.Rows[i].schedule)
		}
	}
}

func sound(t *testing.T, name string, m Machine, jobs []Job, placed []Placement) {
	t.Helper()
	for i := range placed {
		p, k := &placed[i], m.task(i, &jobs[i])
		switch {
		case p.Size < 1 || p.Size > k.most:
			t.Fatalf("%s: job %d has %d processors, can use %d", name, i, p.Size, k.most)
		case p.Start < p.Submit || p.Offer < p.Submit || p.Start < p.Offer:
			t.Fatalf("%s: job %d: %+v", name, i, p)
		case i > 0 && p.Start < placed[i-1].Start:
			t.Fatalf("%s: job %d overtook", name, i)
		case p.Run != k.run(p.Size):
			t.Fatalf("%s: job %d ran %g, want %g", name, i, p.Run, k.run(p.Size))
		}
		used := p.Size // at the job's start
		for j := range i {
			if placed[j].end() > p.Start {
				used += placed[j].Size
			}
		}
		if used > m.Processors {
			t.Fatalf("%s: %d processors in use at %g s", name, used, p.Start)
		}
	}
}
