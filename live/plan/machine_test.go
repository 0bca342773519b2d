package plan_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/loadstone-hpc/loadstone/live/plan"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Machines that share nothing, each for its partitions.
func TestPartitions(t *testing.T) {
	a, b := small(), gap()
	a.Partitions, b.Partitions = []int64{1, 2}, []int64{3}
	b.Time = a.Time
	b.Queued[0].Row = 20
	p := planOf(t, plan.Options{Limits: []float64{100}}, a, b)
	for _, c := range []struct {
		partition, size int64
		want            float64
	}{{1, 1, 170}, {2, 2, 170}, {3, 1, 0}, {3, 4, 1600}} {
		r := request(99, c.size, 100)
		r.Partition = c.partition
		if w, err := p.Wait(r); err != nil || w.Expected != c.want {
			t.Errorf("%d processors of partition %d wait %+v, %v; want %g s", c.size, c.partition, w, err, c.want)
		}
	}
	r := request(99, 1, 100)
	r.Partition = 4
	if w, err := p.Wait(r); err == nil {
		t.Errorf("a request to no machine's partition waits %+v", w)
	}
	r.Partition = workload.Unknown // the largest machine's
	if w, err := p.Wait(r); err != nil || w.Expected != 170 {
		t.Errorf("a request without a partition waits %+v, %v; want 170 s", w, err)
	}
	if s, ok := p.Start(20); !ok || s.Expected != 2000 {
		t.Errorf("job 20 starts as %+v, %v; want at 2000 s", s, ok)
	}
}

func TestMachinesThatCannotBe(t *testing.T) {
	p, err := plan.NewPlanner(plan.Options{})
	if err != nil {
		t.Fatal(err)
	}
	later := small()
	later.Time++
	bad := func(f func(*plan.Machine)) []plan.Machine {
		m := small()
		m.Running = slices.Clone(m.Running)
		f(&m)
		return []plan.Machine{m}
	}
	for name, machines := range map[string][]plan.Machine{
		"none":          nil,
		"two moments":   {small(), later},
		"no moment":     bad(func(m *plan.Machine) { m.Time = math.NaN() }),
		"no processors": bad(func(m *plan.Machine) { m.Processors = 0 }),
		"no request":    bad(func(m *plan.Machine) { m.Running[0].Request = nil }),
		"no size":       bad(func(m *plan.Machine) { m.Running[0].Size = 0 }),
		"no age":        bad(func(m *plan.Machine) { m.Running[0].Age = math.NaN() }),
		"a future":      bad(func(m *plan.Machine) { m.Running[0].Age = -1 }),
	} {
		if _, err := p.Plan(context.Background(), machines); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := p.Plan(ctx, []plan.Machine{small()}); err == nil {
		t.Error("a plan is made after its context has ended")
	}
	// Running jobs that hold more than there is, and queued ones that never fit.
	m := small()
	m.Processors = 4
	m.Queued = append(m.Queued, request(50, 9, 60), request(51, 0, 60))
	made, err := p.Plan(context.Background(), []plan.Machine{m})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []int64{50, 51, 52} {
		if s, ok := made.Start(row); ok {
			t.Errorf("job %d starts as %+v", row, s)
		}
	}
	if s, ok := made.Start(10); !ok || s.Expected != 1100 {
		t.Errorf("job 10 starts as %+v, %v", s, ok)
	}
}

// Whatever a scheduler says of its jobs, there is a plan without NaN, or an error.
func TestWildMachines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.SampledFrom([]int64{math.MinInt64, -1, 0, 1, 2, 7, 1 << 20, 1 << 62, math.MaxInt64})
		seconds := rapid.SampledFrom([]float64{math.NaN(), math.Inf(-1), -1, 0, 5e-324, 1, 3600, 1e9, 1e300, math.Inf(1)})
		request := func(row int64) workload.Request {
			return request(row, size.Draw(t, "size"), seconds.Draw(t, "limit"))
		}
		m := plan.Machine{Snapshot: predict.Snapshot{Time: seconds.Draw(t, "now"), Processors: size.Draw(t, "processors")}}
		for i := range rapid.Int64Range(0, 3).Draw(t, "running") {
			r := request(i)
			m.Running = append(m.Running, predict.Occupant{Request: &r, Size: r.Size, Age: seconds.Draw(t, "age")})
		}
		for i := range rapid.Int64Range(0, 5).Draw(t, "queued") {
			m.Queued = append(m.Queued, request(10+i))
		}
		p, err := plan.NewPlanner(plan.Options{Draws: plan.FewestDraws, Depth: 3})
		if err != nil {
			t.Fatal(err)
		}
		if rapid.Bool().Draw(t, "learned") {
			j := workload.UnknownJob()
			j.Request, j.Run = request(100), seconds.Draw(t, "run")
			p.Submitted(j.Request)
			p.Observe(j)
			p.Settled(plan.Forecast{Expected: seconds.Draw(t, "said"), Bounds: []float64{1, 2, 3}}, seconds.Draw(t, "was"))
		}
		made, err := p.Plan(context.Background(), []plan.Machine{m})
		if err != nil {
			return
		}
		check := func(what string, expected float64, bounds []float64) {
			for _, x := range append([]float64{expected}, bounds...) {
				if math.IsNaN(x) {
					t.Fatalf("%s is NaN: %+v, %v", what, m, bounds)
				}
			}
		}
		for _, q := range m.Queued {
			if s, ok := made.Start(q.Row); ok {
				check("a start", s.Expected, s.Bounds)
			}
		}
		r := request(200)
		if w, err := made.Wait(r); err == nil {
			check("a wait", w.Expected, append(w.Bounds, w.Mean))
		}
	})
}

func TestOptionsThatCannotBeUsed(t *testing.T) {
	for i, o := range []plan.Options{
		{Policy: sched.SJF{}}, {Budget: -1}, {Draws: 18}, {Depth: -1}, {Workers: -1},
		{Limits: []float64{0}}, {Limits: []float64{2, 1}}, {Limits: []float64{math.Inf(1)}},
		{Quantiles: []float64{1}}, {Quantiles: []float64{0.5, 0.5}},
	} {
		if _, err := plan.NewPlanner(o); err == nil {
			t.Errorf("options %d: no error", i)
		}
	}
}

// 4 processors: 2 are held for another 1000 s, 2 are free; a job of 4 processors waits. Until
// 1000 s requests of up to 2 processors and 1000 s start at once; all others behind the
// job that waits, which ends at 1600 s.
func gap() plan.Machine {
	return plan.Machine{Snapshot: predict.Snapshot{
		Processors: 4,
		Running:    []predict.Occupant{running(1, 2, 2000, 1000)},
		Queued:     []workload.Request{request(10, 4, 600)},
	}}
}
