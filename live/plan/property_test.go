package plan_test

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"sort"
	"testing"

	"pgregory.net/rapid"

	"github.com/loadstone-hpc/loadstone/live/plan"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/predict/standing"
	"github.com/loadstone-hpc/loadstone/runtime"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// drawMachine draws a machine of up to 32 processors, all of whose jobs have time limits of
// whole seconds.
func drawMachine(t *rapid.T) plan.Machine {
	m := plan.Machine{Snapshot: predict.Snapshot{Time: 5000, Processors: rapid.Int64Range(1, 32).Draw(t, "processors")}}
	limit := rapid.Map(rapid.IntRange(1, 50), func(n int) float64 { return float64(60 * n) })
	row := int64(0)
	for free := m.Processors; free > 0 && rapid.IntRange(0, 9).Draw(t, "another") > 0; row++ {
		size := rapid.Int64Range(1, free).Draw(t, "size")
		free -= size
		l := limit.Draw(t, "limit")
		age := math.Floor(l * rapid.Float64Range(0, 0.99).Draw(t, "share"))
		m.Running = append(m.Running, running(row, size, l, age))
		m.Running[len(m.Running)-1].Request.User = rapid.Int64Range(1, 3).Draw(t, "user")
	}
	for range rapid.IntRange(0, 15).Draw(t, "queued") {
		r := request(row, rapid.Int64Range(1, m.Processors).Draw(t, "size"), limit.Draw(t, "limit"))
		r.User = rapid.Int64Range(1, 3).Draw(t, "user")
		m.Queued = append(m.Queued, r)
		row++
	}
	return m
}

var policies = []sched.Policy{sched.EASY{}, sched.FCFS{}}

// Before any job has ended a plan is one schedule with time limits: that of
// predict.Snapshot.ScheduledWait, for jobs in the queue and for requests of the
// grid.
func TestPlanIsTheDirectSimulation(t *testing.T) {
	limits := []float64{60, 600, 3000}
	rapid.Check(t, func(t *rapid.T) {
		m := drawMachine(t)
		policy := rapid.SampledFrom(policies).Draw(t, "policy")
		p := mustPlan(t, plan.Options{Policy: policy, Limits: limits}, m)
		estimates := predict.PredictedLength(predict.Estimates{})
		for i, q := range m.Queued {
			ahead := m.Snapshot
			ahead.Queued = m.Queued[:i]
			// Under EASY jobs behind it take processors that it is not entitled to.
			if policy == (sched.EASY{}) && i < len(m.Queued)-1 {
				continue
			}
			want, err := ahead.ScheduledWait(policy, &q, estimates)
			if s, ok := p.Start(q.Row); err != nil || !ok || math.Abs(s.Expected-m.Time-want) > 1e-6 {
				t.Fatalf("job %d starts as %+v, the direct simulation has %g s, %v", i, s, want, err)
			}
		}
		for n := int64(1); n <= min(m.Processors, 16); n++ {
			for _, l := range limits {
				r := request(1000, n, l)
				want, err := m.ScheduledWait(policy, &r, estimates)
				if w, e := p.Wait(r); err != nil || e != nil || math.Abs(w.Expected-want) > 1e-6 {
					t.Fatalf("%d processors for %g s wait %g s, the direct simulation has %g s", n, l, w.Expected, want)
				}
			}
		}
	})
}

// lessons are jobs of three users that have ended, and what came of forecasts.
type lessons struct {
	ended   []workload.Job
	settled [][2]float64
}

func drawLessons(t *rapid.T) (l lessons) {
	for i := range rapid.IntRange(0, 40).Draw(t, "ended") {
		j := workload.UnknownJob()
		j.Request = request(int64(2000+i), rapid.Int64Range(1, 8).Draw(t, "size"), 3600)
		j.User = rapid.Int64Range(1, 3).Draw(t, "user")
		j.Run = rapid.Float64Range(0, 3600).Draw(t, "run")
		l.ended = append(l.ended, j)
	}
	if rapid.Bool().Draw(t, "settled") {
		for range 120 {
			l.settled = append(l.settled, [2]float64{rapid.Float64Range(0, 5000).Draw(t, "said"), rapid.Float64Range(0, 5000).Draw(t, "was")})
		}
	}
	return l
}

// plan returns the plan of a planner that has learned the lessons.
func (l lessons) plan(t *rapid.T, o plan.Options, m plan.Machine) *plan.Plan {
	p, err := plan.NewPlanner(o)
	if err != nil {
		t.Fatal(err)
	}
	for _, j := range l.ended {
		p.Submitted(j.Request)
		p.Observe(j)
	}
	for _, x := range l.settled {
		p.Settled(plan.Forecast{Expected: x[0], Bounds: []float64{x[0], 2 * x[0], 3 * x[0]}}, x[1])
	}
	made, err := p.Plan(context.Background(), []plan.Machine{m})
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// More processors, or a longer time limit, never wait shorter: also between the points of
// the grid, behind the jobs that are simulated, and corrected. Bounds ascend.
func TestWaitsAreMonotone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawMachine(t)
		o := plan.Options{Draws: plan.FewestDraws, Depth: rapid.IntRange(1, 20).Draw(t, "depth"), Limits: []float64{100, 1000}}
		made := drawLessons(t).plan(t, o, m)
		size := rapid.Int64Range(1, m.Processors)
		limit := rapid.OneOf(rapid.Just(math.NaN()), rapid.Float64Range(1, 2000), rapid.SampledFrom([]float64{100, 1000}))
		a, b := request(1, size.Draw(t, "size"), limit.Draw(t, "limit")), request(2, size.Draw(t, "size"), limit.Draw(t, "limit"))
		if rapid.Bool().Draw(t, "near") { // in one cell of the grid
			b.Size, b.Time = a.Size, a.Time*rapid.Float64Range(1, 1.2).Draw(t, "factor")
		}
		if a.Size > b.Size {
			a.Size, b.Size = b.Size, a.Size
		}
		if math.IsNaN(a.Time) || a.Time > b.Time {
			a.Time, b.Time = b.Time, a.Time
		}
		x, errA := made.Wait(a)
		y, errB := made.Wait(b)
		if errA != nil || errB != nil {
			t.Fatal(errA, errB)
		}
		const ulps = 1e-9 // of the mean
		if x.Expected > y.Expected || x.Mean > y.Mean*(1+ulps) {
			t.Fatalf("%d processors for %g s wait %+v, %d for %g s wait %+v", a.Size, a.Time, x, b.Size, b.Time, y)
		}
		for i := range x.Bounds {
			if x.Bounds[i] > y.Bounds[i] || i > 0 && x.Bounds[i] < x.Bounds[i-1] {
				t.Fatalf("%d processors for %g s wait %+v, %d for %g s wait %+v", a.Size, a.Time, x, b.Size, b.Time, y)
			}
		}
	})
}

func mustPlan(t interface{ Fatal(...any) }, o plan.Options, m plan.Machine) *plan.Plan {
	p, err := plan.NewPlanner(o)
	if err != nil {
		t.Fatal(err)
	}
	made, err := p.Plan(context.Background(), []plan.Machine{m})
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// The waits of a plan are distributed as those that predict.Drawn simulates directly for
// each request, with the same run times. By the inequality of Dvoretzky, Kiefer and
// Wolfowitz two empirical distributions of 2000 and 4000 draws differ by more than 0.081
// with a probability below 1e-7.
func TestPlanAgainstDrawn(t *testing.T) {
	const off = 0.081
	kernel := runtime.NewKernel(stats.ByAccuracy)
	var levels []float64
	for q := 0.05; q < 0.96; q += 0.05 {
		levels = append(levels, q)
	}
	p, err := plan.NewPlanner(plan.Options{Draws: 2000, Budget: 1 << 30, Quantiles: levels, Limits: []float64{600, 3600}})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 200 {
		j := workload.UnknownJob()
		j.Request = request(int64(i), 1, 3600)
		j.User = int64(i % 3)
		j.Run = float64(100 + 17*i%3000)
		for _, k := range []interface {
			Observe(workload.Job)
		}{kernel, p} {
			k.Observe(j)
		}
	}
	var m plan.Machine
	m.Time, m.Processors = 100, 16
	for i := range int64(6) {
		m.Running = append(m.Running, running(i, 1+i%4, 3600, float64(200*i)))
		m.Running[i].Request.User = i % 3
		r := request(10+i, 1+3*i%8, 600*float64(1+i))
		r.User = i % 3
		m.Queued = append(m.Queued, r)
	}
	made, err := p.Plan(context.Background(), []plan.Machine{m})
	if err != nil {
		t.Fatal(err)
	}
	var requests []workload.Request
	for _, n := range []int64{1, 2, 4, 8, 16} {
		requests = append(requests, request(50, n, 600), request(50, n, 3600))
	}
	drawn := predict.Drawn{Lifetimes: cutAtLimit{standing.KernelLifetimes(kernel)}, Policy: sched.EASY{}, Draws: 4000, Seed: 9}
	direct, err := drawn.Waits(&m.Snapshot, requests)
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range requests {
		w, err := made.Wait(r)
		if err != nil {
			t.Fatal(err)
		}
		worst := 0.0
		for k, q := range levels {
			below := sort.SearchFloat64s(direct[i], w.Bounds[k]-1e-6) // waits of 0 have a probability of their own
			upTo := sort.SearchFloat64s(direct[i], w.Bounds[k]+1e-6)
			n := float64(len(direct[i]))
			worst = max(worst, float64(below)/n-q, q-float64(upTo)/n)
		}
		if worst > off {
			t.Errorf("%d processors for %g s: the distributions differ by %.3f", r.Size, r.Time, worst)
		}
	}
}

// The same state gives the same plan, with any number of workers, and twice.
func TestPlansAreDeterministic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawMachine(t)
		l := drawLessons(t)
		var before []any
		for _, workers := range []int{1, 1, 4} {
			x := l.plan(t, plan.Options{Draws: 40, Depth: 6, Workers: workers}, m)
			var now []any
			for _, q := range m.Queued {
				s, _ := x.Start(q.Row)
				w, _ := x.Wait(q)
				now = append(now, s, w)
			}
			if before != nil && !reflect.DeepEqual(now, before) {
				t.Fatalf("%d workers: %v, before %v", workers, now, before)
			}
			before = now
		}
	})
}

// A plan is read while others are made and the planner learns.
func TestPlansAreReadWhileOthersAreMade(t *testing.T) {
	p, err := plan.NewPlanner(plan.Options{Draws: 20, Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	made, err := p.Plan(context.Background(), []plan.Machine{small()})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 3)
	go func() {
		var err error
		for range 20 {
			_, err = p.Plan(context.Background(), []plan.Machine{small()})
		}
		done <- err
	}()
	go func() {
		for i := range 200 {
			j := workload.UnknownJob()
			j.Request, j.Run = request(int64(i), 1, 100), float64(i)
			p.Submitted(j.Request)
			p.Observe(j)
			p.Settled(plan.Forecast{Bounds: []float64{0, 0, 0}}, 1)
			p.RunTimes(j.Request)
		}
		done <- nil
	}()
	go func() {
		var err error
		for range 200 {
			if w, e := made.Wait(request(9, 1, 50)); e != nil || w.Expected != 170 {
				err = fmt.Errorf("a wait of %v, %v", w, e)
			}
			made.Start(10)
		}
		done <- err
	}()
	for range 3 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

// cutAtLimit has jobs killed at their time limits.
type cutAtLimit struct{ predict.Lifetimes }

func (c cutAtLimit) Of(r *workload.Request) predict.Lifetimes {
	return cutAtLimit{c.Lifetimes.(interface {
		Of(*workload.Request) predict.Lifetimes
	}).Of(r)}
}

func (c cutAtLimit) Survival(r *workload.Request, age, t float64) float64 {
	if r != nil && r.Time > age && age+t >= r.Time {
		return 0
	}
	return c.Lifetimes.Survival(r, age, t)
}
