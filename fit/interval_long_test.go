//go:build long

package fit

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/internal/par"
)

// randomStart is k components with means at values of jobs drawn at random,
// shapes log-uniform from 1 to their bound, and shares uniform on the simplex.
func randomStart(m *mixture, k int, rng *rand.Rand) []component {
	c := make([]component, k)
	sum := 0.0
	for i := range c {
		at := rng.Float64() * m.jobs
		j := 0
		for j < m.len()-1 && at > m.w[j] {
			at -= m.w[j]
			j++
		}
		mean := m.x[j]
		shape := math.Exp(rng.Float64() * math.Log(m.maxShape(mean)))
		c[i] = component{rng.ExpFloat64(), dist.Gamma{Shape: shape, Scale: mean / shape}}
		sum += c[i].weight
	}
	for i := range c {
		c[i].weight /= sum
	}
	return c
}

// TestDefaultEndsAtTheBestOf200 compares the default procedure, under the
// likelihood of cells, with the best end of EM from 200 random starts on the
// whole sample, on every real log.
func TestDefaultEndsAtTheBestOf200(t *testing.T) {
	for _, name := range []string{
		kth, sdsc, nasa, lcg,
		"RICC-2010-2.swf", "LLNL-Thunder-2007-1.1-cln.swf", "UniLu-Gaia-2014-1.swf", "METACENTRUM-wagap-2013.21-fields.swf",
		"ANL-Theta-2023.crlf-unsorted.swf", "CTC-SP2-1996.simulated-waits.swf", "SDSC-SP2-1998.simulated-waits.swf",
	} {
		t.Run(name, func(t *testing.T) {
			s := collectLog(t, name).Sample(RunTime)
			const k = 2
			o := Options{Components: k, Rounding: RoundedNearest}
			r := mustFit(t, "hyper-gamma", RunTime, s, o)
			task := emTask(t, s, o)
			// The log-likelihoods of EM are of the cells; a report's
			// differs by a constant, 0 for seconds.
			whole := task.points()
			ends := make([]emResult[component], 200)
			par.Each(0, len(ends), func(i int) {
				m := task.mixture(whole, 1)
				rng := rand.New(rand.NewPCG(200, uint64(i)))
				ends[i] = m.run(randomStart(m, k, rng), emLimits{iterations: 300, tolerance: 1e-4, gain: 1e-8}, nil)
			})
			// The ten highest go on until they stand still.
			slices.SortStableFunc(ends, func(a, b emResult[component]) int { return cmp.Compare(b.logLikelihood, a.logLikelihood) })
			par.Each(0, 10, func(i int) {
				if ends[i].status != ComponentLost {
					ends[i] = task.mixture(whole, 1).run(ends[i].components, fineLimits(), nil)
				}
			})
			best, lost := math.Inf(-1), 0
			var at []component
			for _, e := range ends {
				if e.status == ComponentLost {
					lost++
				} else if e.logLikelihood > best {
					best, at = e.logLikelihood, e.components
				}
			}
			close := 0
			for _, e := range ends {
				if e.status != ComponentLost && e.logLikelihood > best-0.1 {
					close++
				}
			}
			t.Logf("k %d: %d jobs, %d values: default %.3f (%s), best of 200 %.3f, which %d reach within 0.1 and %d lose a component",
				k, r.N, whole.len(), r.LogLikelihood, r.Status, best, close, lost)
			if !(r.LogLikelihood >= best-0.1) {
				t.Errorf("default ends %.3f below the best\n%v\n%+v\n%q", best-r.LogLikelihood, r.Parameters, at, r.Warnings)
			}
		})
	}
}
