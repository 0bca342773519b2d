//go:build long

package site

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/fit/internal/em"
	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Number and length of the logs from which the coverage of intervals over weeks is estimated.
const (
	coveredLogs  = 100
	coveredWeeks = 40
	coveredDraws = 39
)

// coverageOfMean returns the share of percentile intervals for a mean of independent normal weeks
// that contain the truth, by simulation: below the level, because they take account neither of
// Student's law nor of residuals being smaller than errors.
func coverageOfMean() float64 {
	const samples = 20000
	held := make([]bool, samples)
	par.Each(0, samples, func(i int) {
		rng := rand.New(rand.NewPCG(77, uint64(i)))
		x := make([]float64, coveredWeeks)
		for k := range x {
			x[k] = rng.NormFloat64()
		}
		means := make([]float64, coveredDraws)
		for r := range means {
			times := make([]int, coveredWeeks)
			stats.DrawTimes(rng, times)
			for k, n := range times {
				means[r] += float64(n) * x[k]
			}
		}
		low, high := fit.Percentiles(means, level)
		held[i] = low <= 0 && 0 <= high
	})
	n := 0
	for _, h := range held {
		if h {
			n++
		}
	}
	return float64(n) / samples
}

// either returns a or b with equal probability, one choice per week, which makes the jobs of a
// week alike.
func either(rng *rand.Rand, a, b float64) float64 {
	if rng.IntN(2) == 0 {
		return a
	}
	return b
}

// gapWeeks returns weeks with jobs at peak hours from Monday to Friday. All gaps follow one law;
// the number of jobs, the sizes and the share of short jobs vary by week. The true shares are the
// means over the weeks, because they do not depend on a week's number of jobs; nor does p depend
// on the size.
func gapWeeks(rng *rand.Rand) []workload.Job {
	gaps, first, second := gapLaw(), batchLaw(0.5).First, batchLaw(0.5).Second
	var jobs []workload.Job
	for week := range coveredWeeks {
		n, serial, powers, short := int(either(rng, 10, 30)), either(rng, 0.1, 0.5), either(rng, 0.4, 0.8), either(rng, 0.35, 0.75)
		for day := range 5 {
			at := float64(week)*weekSeconds + float64(day)*86400 + 8*3600 + 60*rng.Float64()
			for range n + 1 {
				j := workload.UnknownJob()
				j.Submit, j.Size = at, 1
				if rng.Float64() >= serial {
					j.Size = 3 << rng.IntN(4)
					if rng.Float64() < powers {
						j.Size = 2 << rng.IntN(5)
					}
				}
				law := second
				if rng.Float64() < short {
					law = first
				}
				j.Run = math.Exp(law.Rand(rng))
				jobs = append(jobs, j)
				at += math.Exp(gaps.Rand(rng))
			}
		}
	}
	return jobs
}

func gapLaw() dist.Gamma { return dist.Gamma{Shape: 30, Scale: 0.18} }

// dayWeeks returns weeks with jobs on all days, whose number of jobs and half hours vary by week.
func dayWeeks(rng *rand.Rand) []workload.Job {
	var jobs []workload.Job
	for week := range coveredWeeks {
		kind := rng.IntN(2)
		for day := range model.Weekdays {
			var seconds []float64
			for range dayJobs(kind, day) * rng.IntN(3) {
				slot := slices.IndexFunc(dayCycle(kind), func() func(float64) bool {
					left := rng.Float64()
					return func(p float64) bool { left -= p; return left < 0 }
				}())
				seconds = append(seconds, float64(week)*weekSeconds+float64(day)*86400+1800*(float64(slot)+rng.Float64()))
			}
			slices.Sort(seconds)
			for _, at := range seconds {
				j := workload.UnknownJob()
				j.Submit, j.Size, j.Run = at, 1<<rng.IntN(5), math.Exp(batchLaw(0.6).Rand(rng))
				jobs = append(jobs, j)
			}
		}
	}
	return jobs
}

// dayJobs returns the mean number of jobs on a day, counted from Monday, in a kind of week; the
// day itself has none, as many, or twice as many.
func dayJobs(kind, day int) int { return []int{6, 14}[kind] * []int{2, 2, 3, 2, 2, 1, 1}[day] }

// dayCycle returns the share of each half hour in a kind of week.
func dayCycle(kind int) []float64 {
	weights, _ := model.CycleWeights([]dist.Gamma{{Shape: 12, Scale: 2.5}, {Shape: 9, Scale: 3.6}}[kind])
	out := make([]float64, model.Slots)
	for i, w := range weights {
		out[i] = w / model.Slots
	}
	return out
}

// dayTruth returns the limit of the cycle and the weekdays for very many weeks.
func dayTruth(t *testing.T) map[string]float64 {
	var sums em.GammaSums
	weekdays := map[string]float64{}
	total := 0.0
	for kind := range 2 {
		for day := range model.Weekdays {
			n := float64(dayJobs(kind, day))
			for i, p := range dayCycle(kind) {
				sums.Add(float64(model.SlotNumber(i)), n*p)
			}
			weekdays["week_"+strings.ToLower(time.Weekday((day+1)%model.Weekdays).String())] += n
			total += n
		}
	}
	law, ok := sums.ML()
	if !ok {
		t.Fatal("no cycle")
	}
	truth := map[string]float64{"cycle_shape": law.Shape, "cycle_scale": law.Scale, "cycle_mode_h": ((law.Shape-1)*law.Scale - 0.5) / 2}
	for name, n := range weekdays {
		truth[name] = n * model.Weekdays / total
	}
	return truth
}

// TestSiteIntervalCoverage checks that the share of logs whose interval contains the truth is
// that of intervals of a mean of as many weeks, by the binomial law at 1e-6 for all parameters
// together. The tolerance of about 0.15 includes the differences between the parameters and means
// of weeks; intervals of jobs drawn one by one would contain the true shares in at most half of
// the logs.
func TestSiteIntervalCoverage(t *testing.T) {
	batch := batchLaw(0.55)
	designs := []struct {
		name  string
		jobs  func(*rand.Rand) []workload.Job
		truth map[string]float64
	}{
		{"gaps", gapWeeks, map[string]float64{
			// Numbers of jobs and shares are drawn independently, so the shares of jobs have the
			// mean of the weeks' shares.
			"serial_share": 0.3, "power_of_two_share": 0.6,
			"shape_1": batch.First.Shape, "scale_1": batch.First.Scale, "shape_2": batch.Second.Shape, "scale_2": batch.Second.Scale, "p": 0.55,
			"p_intercept": 0.55, "p_slope": 0,
			"peak_shape": gapLaw().Shape, "peak_scale": gapLaw().Scale,
		}},
		{"days", dayWeeks, dayTruth(t)},
	}
	tests := 0
	for _, d := range designs {
		tests += len(d.truth)
	}
	want := coverageOfMean()
	t.Logf("intervals for a mean of %d weeks contain it with probability %.4f", coveredWeeks, want)
	for n, d := range designs {
		sites := make([]*Intervals, coveredLogs)
		par.Each(0, coveredLogs, func(i int) {
			jobs := d.jobs(rand.New(rand.NewPCG(uint64(n), uint64(i))))
			var err error
			sites[i], err = drawSite(t, repeated(1, jobs, nil), Options{PForm: FormLinear, SiteReplicates: coveredDraws, Fit: fit.Options{Seed: uint64(i), Workers: 1}}, "")
			if err != nil {
				t.Error(err)
			}
		})
		seen := 0
		for _, p := range sites[0].Classes[0].Of {
			truth, ok := d.truth[p.Name]
			if !ok {
				continue
			}
			seen++
			held, below := 0, 0
			for _, s := range sites {
				i := siteInterval(t, s, p.Part, p.Name)
				switch {
				case i.Why != "":
					t.Fatalf("%s has no interval: %s", p.Name, i.Why)
				case float64(i.High) < truth:
					below++
				case float64(i.Low) <= truth:
					held++
				}
			}
			chance := binomial(held, coveredLogs, want)
			t.Logf("%s: %s: %d of %d hold %.4g, %d are below it (p = %.2g)", d.name, p.Name, held, coveredLogs, truth, below, chance)
			if !(chance > 1e-6/float64(tests)) {
				t.Errorf("%s: %s: %d of %d intervals hold %.4g, want a share of %.4f", d.name, p.Name, held, coveredLogs, truth, want)
			}
		}
		if seen != len(d.truth) {
			t.Errorf("%s: %d parameters, want %d", d.name, seen, len(d.truth))
		}
	}
}

// batchLaw returns a law of run times similar to that of batch jobs, with a share p of short
// ones.
func batchLaw(p float64) dist.HyperGamma {
	return dist.HyperGamma{First: dist.Gamma{Shape: 6.57, Scale: 0.823}, Second: dist.Gamma{Shape: 639.1, Scale: 0.0156}, P: p}
}

// binomial returns twice the smaller tail probability of k in n trials with probability p.
func binomial(k, n int, p float64) float64 {
	b := distuv.Binomial{N: float64(n), P: p}
	low := b.CDF(float64(k))
	high := 1 - b.CDF(float64(k-1))
	return min(1, 2*min(low, high))
}
