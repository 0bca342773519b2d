package conformal

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/heap"
	"github.com/loadstone-hpc/loadstone/internal/longtest"
	"github.com/loadstone-hpc/loadstone/workload"
)

// shares replays n jobs, one each gap seconds, and returns of each quantile the share of
// waits at or below the bound, of those after the first skip of which this came to be
// known. wait says how long a job waits, s, given its bounds, and after how long it is
// withdrawn, if it still waits then.
func shares(t *testing.T, quantiles []float64, n, skip int, gap float64, wait func(i int, bounds []float64, r *rand.Rand) (wait, withdrawn float64)) []float64 {
	t.Helper()
	p, err := New(plain(quantiles...))
	if err != nil {
		t.Fatal(err)
	}
	type ending struct {
		job       workload.Job
		withdrawn bool
	}
	r := rand.New(rand.NewPCG(4, 4))
	var endings heap.Heap[ending]
	held, known := make([]float64, len(quantiles)), make([]float64, len(quantiles))
	for i := range n {
		j := workload.UnknownJob()
		j.ID, j.Row, j.Submit, j.User = int64(i), int64(i), gap*float64(i), int64(r.IntN(40))
		j.Processors, j.Size, j.Time = int64(1+r.IntN(8)), 1, 3600
		for len(endings) > 0 && endings[0].At <= j.Submit {
			e := endings.Pop()
			if !e.Value.withdrawn {
				p.Start(&e.Value.job)
			}
			p.End(e.Value.job.Row, e.At)
		}
		bounds := p.Bounds(j.Request)
		w, withdrawn := wait(i, bounds, r)
		j.Wait = math.Floor(w)
		for k, b := range bounds {
			switch {
			case i < skip:
			case j.Wait <= withdrawn || withdrawn > b: // it starts, or outwaits its bound
				known[k]++
				if j.Wait <= b {
					held[k]++
				}
			}
		}
		p.Submit(j.Request)
		endings.Push(heap.Item[ending]{At: j.Submit + min(j.Wait, withdrawn), Seq: j.Row, Value: ending{j, withdrawn < j.Wait}})
	}
	for k := range held {
		held[k] /= known[k]
	}
	return held
}

// In the long run the share of waits within the bounds is the one asked for, whatever
// the waits do: under drift, with feedback that comes hundreds of jobs late, where jobs
// are withdrawn before they start, and where the waits are an adversary's that knows the
// bounds.
func TestGuarantee(t *testing.T) {
	never := math.Inf(1)
	jumps := func(i int, _ []float64, r *rand.Rand) float64 {
		return r.ExpFloat64() * math.Pow(10, 1+float64(i/3000%4))
	}
	waves := func(i int, _ []float64, r *rand.Rand) float64 {
		return 3000 * r.ExpFloat64() * (1.5 + math.Sin(float64(i)/1000))
	}
	// As often as it may without being more than the largest wait, just above the bound.
	adversary := func(_ int, bounds []float64, r *rand.Rand) float64 {
		if b := bounds[0]; b < 1e5 && r.IntN(5) == 0 {
			return b + 1
		}
		return 100 * r.ExpFloat64()
	}
	stay := func(float64, *rand.Rand) float64 { return never }
	for name, c := range map[string]struct {
		gap       float64
		wait      func(i int, bounds []float64, r *rand.Rand) float64
		withdrawn func(wait float64, r *rand.Rand) float64
		long      bool // not in every run
	}{
		"jumps":         {60, jumps, stay, true}, // as in TestConformalUnderDrift
		"300 jobs late": {15, waves, stay, false},
		"an adversary":  {60, adversary, stay, false},
		"withdrawn early": {60, jumps, func(wait float64, r *rand.Rand) float64 {
			if r.IntN(4) > 0 {
				return never
			}
			return wait * r.Float64()
		}, true},
		"withdrawn when long": {60, jumps, func(_ float64, r *rand.Rand) float64 { return 5000 * (1 + r.ExpFloat64()) }, true},
	} {
		t.Run(name, func(t *testing.T) {
			if c.long {
				longtest.Only(t)
			}
			t.Parallel()
			got := shares(t, []float64{0.95}, 25_000, 3000, c.gap, func(i int, bounds []float64, r *rand.Rand) (float64, float64) {
				wait := c.wait(i, bounds, r)
				return wait, c.withdrawn(wait, r)
			})[0]
			// The margin aims at 95.5 %.
			if got < 0.945 || got > 0.965 {
				t.Errorf("covers %.4f", got)
			}
		})
	}
}
