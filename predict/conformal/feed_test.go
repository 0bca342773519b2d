package conformal

import (
	"math/rand/v2"

	"github.com/loadstone-hpc/loadstone/workload"
)

// constant is a fallback that always has the same bounds.
type constant struct{ n int }

func (c constant) Bounds(_ *workload.Request, bounds []float64) []float64 {
	for range c.n {
		bounds = append(bounds, 100)
	}
	return bounds
}

func (constant) Learn(*workload.Request, float64, []float64) {}

// plain are options with such a fallback.
func plain(quantiles ...float64) Options {
	return Options{Quantiles: quantiles, Confidence: 0.95, Fallback: func(quantiles []float64, _ float64) (Fallback, error) {
		return constant{len(quantiles)}, nil
	}}
}

// feed submits, starts and ends n jobs, one of which is always under way.
func feed(p *Predictor, from, n int, begin float64) (jobs []workload.Job) {
	r := rand.New(rand.NewPCG(1, 1))
	var last workload.Job
	for i := range n {
		j := workload.UnknownJob()
		j.ID, j.Row, j.Submit = int64(from+i), int64(from+i), begin+100*float64(i)
		j.User, j.Queue, j.Processors, j.Size, j.Time = int64(r.IntN(5)), int64(r.IntN(2)), 4, 4, 1000
		j.Wait, j.Run = float64(r.IntN(90)), 50
		p.Bounds(j.Request)
		p.Submit(j.Request)
		if i > 0 {
			p.Start(&last)
			p.End(last.Row, last.End())
		}
		last = j
		jobs = append(jobs, j)
	}
	return jobs
}
