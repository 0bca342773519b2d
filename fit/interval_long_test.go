//go:build long

package fit

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit/internal/em"
	"github.com/loadstone-hpc/loadstone/internal/par"
)

// randomStart is k components with means at values of jobs drawn at random,
// shapes log-uniform from 1 to their bound, and shares uniform on the simplex.
func randomStart(m *em.Mixture[dist.Gamma], k int, rng *rand.Rand) []dist.WeightedGamma {
	c := make([]dist.WeightedGamma, k)
	sum := 0.0
	for i := range c {
		at := rng.Float64() * m.Jobs()
		j := 0
		for j < m.Points.Len()-1 && at > m.Points.W[j] {
			at -= m.Points.W[j]
			j++
		}
		mean := m.Points.X[j]
		shape := math.Exp(rng.Float64() * math.Log(m.Kernel.(em.Gammas).MaxShape(mean)))
		c[i] = dist.WeightedGamma{Weight: rng.ExpFloat64(), Law: dist.Gamma{Shape: shape, Scale: mean / shape}}
		sum += c[i].Weight
	}
	for i := range c {
		c[i].Weight /= sum
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
			ends := make([]em.End[dist.Gamma], 200)
			par.Each(0, len(ends), func(i int) {
				m := task.mixture(whole)
				rng := rand.New(rand.NewPCG(200, uint64(i)))
				ends[i] = m.Run(randomStart(m, k, rng), em.Limits{Iterations: 300, Tolerance: 1e-4, Gain: 1e-8})
			})
			// The ten highest go on until they stand still.
			slices.SortStableFunc(ends, func(a, b em.End[dist.Gamma]) int { return cmp.Compare(b.LogLikelihood, a.LogLikelihood) })
			par.Each(0, 10, func(i int) {
				if ends[i].Ending != em.ComponentLost {
					ends[i] = task.mixture(whole).Run(ends[i].Components, em.Fine())
				}
			})
			best, lost := math.Inf(-1), 0
			var at []dist.WeightedGamma
			for _, e := range ends {
				if e.Ending == em.ComponentLost {
					lost++
				} else if e.LogLikelihood > best {
					best, at = e.LogLikelihood, e.Components
				}
			}
			close := 0
			for _, e := range ends {
				if e.Ending != em.ComponentLost && e.LogLikelihood > best-0.1 {
					close++
				}
			}
			t.Logf("k %d: %d jobs, %d values: default %.3f (%s), best of 200 %.3f, which %d reach within 0.1 and %d lose a component",
				k, r.N, whole.Len(), r.LogLikelihood, r.Status, best, close, lost)
			if !(float64(r.LogLikelihood) >= best-0.1) {
				t.Errorf("default ends %.3f below the best\n%v\n%+v\n%q", best-float64(r.LogLikelihood), r.Parameters, at, r.Warnings)
			}
		})
	}
}
