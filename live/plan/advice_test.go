package plan_test

import (
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/live/plan"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/workload"
)

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

func TestAdviceOnSizes(t *testing.T) {
	p := planOf(t, plan.Options{Limits: []float64{900, 1200, 2400, 3600}}, gap())
	table, err := predict.RunByTable(map[int64]float64{1: 2400, 2: 1200, 4: 600, 5: 500})
	if err != nil {
		t.Fatal(err)
	}
	got, best, err := p.Advice(plan.Question{Sizes: []int64{4, 2, 1, 5, 3}, RunTimes: plan.Exactly(table)})
	if err != nil {
		t.Fatal(err)
	}
	nan := math.NaN()
	want := []plan.Candidate{
		{1, 2400, 1600, 2400, 4000, 0},
		{2, 1200, 1600, 1200, 2800, 0},
		{3, nan, nan, nan, nan, nan}, // not in the table
		{4, 600, 1600, 600, 2200, 0}, // the least
		{5, nan, nan, nan, nan, nan}, // larger than the machine
	}
	same(t, got, want)
	if best != 3 {
		t.Errorf("the best is %d, want 3", best)
	}
}

// A run time of 600 s with probability 0.9 and of 1200 s else, as steps of a thousandth.
// On 2 processors:
//
//	limit 600 s: it starts at once, and runs for 600 s. With probability 0.1 it is killed:
//	    then it waits 1600 s and runs for 1200 s. 600 + 0.1 (1600 + 1200) = 880 s
//	limit 1200 s: it waits 1600 s and runs for 0.9 600 + 0.1 1200 = 660 s: 2260 s
//	limit 300 s: it starts at once, runs for 300 s and is killed; the best of the
//	    others follows: 300 + 880 = 1180 s
func TestAdviceOnLimits(t *testing.T) {
	p := planOf(t, plan.Options{Limits: []float64{300, 600, 1200}}, gap())
	d, err := plan.NewQuantiles([]float64{0.1, 0.9, 0.9 + 1e-9, 0.95}, []float64{600, 600, 1200, 1200})
	if err != nil {
		t.Fatal(err)
	}
	q := plan.Question{Sizes: []int64{2}, Limits: []float64{1200, 300, 600}, RunTimes: func(int64) (predict.RunTimeDistribution, bool) { return d, true }}
	got, best, err := p.Advice(q)
	if err != nil {
		t.Fatal(err)
	}
	same(t, got, []plan.Candidate{
		{2, 300, 0, 300, 1180, 1},
		{2, 600, 0, 600, 880, 0.1},
		{2, 1200, 1600, 660, 2260, 0},
	})
	if best != 1 {
		t.Errorf("the best is %d, want 1", best)
	}
	// Without limits those of the quantiles: 600 s of 0.5 to 0.9, 1200 s of the others.
	q.Limits = nil
	got, _, err = p.Advice(q)
	if err != nil || len(got) != 2 || got[0].Limit != 600 || got[1].Limit != 1200 {
		t.Errorf("the candidates are %+v, %v; want limits of 600 and 1200 s", got, err)
	}
}

func TestQuestionsThatCannotBeUsed(t *testing.T) {
	p := planOf(t, plan.Options{}, gap())
	run := plan.Exactly(func(int64) float64 { return 1 })
	for name, q := range map[string]plan.Question{
		"no sizes":      {RunTimes: run},
		"a size of 0":   {Sizes: []int64{0}, RunTimes: run},
		"many sizes":    {Sizes: make([]int64, 101), RunTimes: run},
		"a limit of 0":  {Sizes: []int64{1}, Limits: []float64{0}, RunTimes: run},
		"no limit":      {Sizes: []int64{1}, Limits: []float64{math.NaN()}, RunTimes: run},
		"no run times":  {Sizes: []int64{1}},
		"many limits":   {Sizes: []int64{1}, Limits: make([]float64, 101), RunTimes: run},
		"endless limit": {Sizes: []int64{1}, Limits: []float64{math.Inf(1)}, RunTimes: run},
	} {
		if _, best, err := p.Advice(q); err == nil || best != -1 {
			t.Errorf("%s: %v, best %d; want an error", name, err, best)
		}
	}
	for name, x := range map[string][2][]float64{
		"none":        {nil, nil},
		"unequal":     {{0.1, 0.2}, {1}},
		"level 0":     {{0}, {1}},
		"level 1":     {{1}, {1}},
		"no order":    {{0.1, 0.1}, {1, 2}},
		"shorter":     {{0.1, 0.2}, {2, 1}},
		"not a time":  {{0.1}, {math.NaN()}},
		"without end": {{0.1}, {math.Inf(1)}},
	} {
		if _, err := plan.NewQuantiles(x[0], x[1]); err == nil {
			t.Errorf("quantiles, %s: no error", name)
		}
	}
}

func same(t *testing.T, got, want []plan.Candidate) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d candidates, want %d: %+v", len(got), len(want), got)
	}
	near := func(a, b float64) bool { return math.Abs(a-b) < 1e-6 || math.IsNaN(a) && math.IsNaN(b) }
	for i, g := range got {
		w := want[i]
		if g.Size != w.Size || !near(g.Limit, w.Limit) || !near(g.Wait, w.Wait) || !near(g.Run, w.Run) || !near(g.Turnaround, w.Turnaround) || !near(g.Killed, w.Killed) {
			t.Errorf("candidate %d is %+v, want %+v", i, g, w)
		}
	}
}
