package evaluate

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/loadstone-hpc/loadstone/fit/site"
	"github.com/loadstone-hpc/loadstone/generate"
	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/internal/reallogs"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// marginals are what is held against a log's, each value with its count: of
// run times those above 1 s, which the laws are fitted to; of gaps those above
// 1 s, of peak the ones between two jobs of the same day's peak hours.
type marginals struct {
	runs, sizes, gaps, peak map[float64]float64
	slots                   map[float64]float64 // by model.SlotNumber
}

func marginalsOf(t *testing.T, jobs workload.JobSeq, clock workload.Clock) marginals {
	t.Helper()
	m := marginals{map[float64]float64{}, map[float64]float64{}, map[float64]float64{}, map[float64]float64{}, map[float64]float64{}}
	last, lastDay := math.NaN(), 0
	for j, err := range jobs {
		if err != nil {
			t.Fatal(err)
		}
		if j.Run > 1 {
			m.runs[j.Run]++
		}
		if j.Size > 0 {
			m.sizes[float64(j.Size)]++
		}
		at := clock.At(j.Submit)
		m.slots[float64(model.SlotNumber((at.Hour()*60+at.Minute())/30))]++
		day := 0
		if w := at.Weekday(); at.Hour() >= 8 && at.Hour() < 19 && w != time.Saturday && w != time.Sunday {
			day = at.Year()*1000 + at.YearDay()
		}
		if gap := j.Submit - last; gap > 1 {
			m.gaps[gap]++
			if day != 0 && day == lastDay {
				m.peak[gap]++
			}
		}
		last, lastDay = j.Submit, day
	}
	return m
}

func sortedCounts(m map[float64]float64) (values, counts []float64) {
	keys := make([]float64, 0, len(m))
	for v := range m {
		keys = append(keys, v)
	}
	values, _ = stats.Distinct(keys)
	for _, v := range values {
		counts = append(counts, m[v])
	}
	return values, counts
}

func totalOf(counts []float64) (n float64) {
	for _, c := range counts {
		n += c
	}
	return n
}

func medianOf(m map[float64]float64) float64 {
	values, counts := sortedCounts(m)
	upTo := 0.0
	for i, c := range counts {
		if upTo += c; upTo >= totalOf(counts)/2 {
			return values[i]
		}
	}
	return math.NaN()
}

// cycleDistance is how far a log's half hours are from a model's, by their
// distribution functions. (The fit's D is that of the Gamma law itself, some of
// which lies outside the day.)
func cycleDistance(slots map[float64]float64, a model.Arrivals) (d float64) {
	weights, _ := a.Weights()
	n, seen, modelled := 0.0, 0.0, 0.0
	for _, c := range slots {
		n += c
	}
	for slot := model.FirstSlot; slot <= model.LastSlot; slot++ {
		seen += slots[float64(slot)] / n
		modelled += weights[(slot-1)%model.Slots] / model.Slots
		d = max(d, math.Abs(seen-modelled))
	}
	return d
}

// What is generated from a log's fit is as far from the log, marginal by
// marginal, as the fit is: D is at most the fit's own and the noise of two
// samples, at a false alarm rate of 1e-7 (2.9 is the root of half of ln 2e7).
// The fit's own is of what the model has: of run times by p(size), of the half
// hours' weights.
//
// Gaps at peak hours are the law's with the cycle off only. With it, a gap is
// drawn from the law of the whole day (ARAR) and is divided by the weights of
// its half hour and its day, together up to 2.8: that makes them too short, by
// D 0.22 in place of 0.11 on KTH-SP2-1996 and 0.14 in place of 0.08 on
// SDSC-Par-1996. The other two methods are hardly better.
func TestGeneratedMarginals(t *testing.T) {
	for _, name := range []string{"KTH-SP2-1996-2.1-cln", "SDSC-Par-1996-3.1-cln"} {
		log, err := logfile.Open(reallogs.Path(t, "swf/"+name+".swf.gz"), workload.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer log.Close()
		clock, _ := log.Header.Clock()
		jobs := jobtest.Collect(t, log.Jobs())
		all := workload.JobsOf(jobs)
		processors, _ := log.Header.Processors()
		site, report, err := site.Fit(all, clock, site.Options{Name: name, Processors: processors})
		if err != nil {
			t.Fatal(err)
		}
		made := func(s model.Site) marginals {
			w, err := generate.New(s, generate.Options{Jobs: 200_000, Seed: 1, Start: ModelStart})
			if err != nil {
				t.Fatal(err)
			}
			return marginalsOf(t, w.Jobs(), workload.Clock{Start: ModelStart, Known: true})
		}
		real, r := marginalsOf(t, all, clock), report.Classes[0]
		flat := site
		flat.Classes = slices.Clone(site.Classes)
		flat.Classes[0].Arrivals = flat.Classes[0].Arrivals.WithoutCycle()
		flat.Classes[0].Arrivals.Week = nil
		got, steady := made(site), made(flat)
		cycle := cycleDistance(real.slots, site.Classes[0].Arrivals)
		var ownRuns float64
		for _, s := range r.RunTimes.Shares {
			if s.Form == r.RunTimes.Form && s.Estimator == r.RunTimes.Estimator {
				ownRuns = float64(s.D)
			}
		}
		for _, c := range []struct {
			what      string
			real, got map[float64]float64
			own       float64 // NaN where nothing is asked
		}{
			{"run times", real.runs, got.runs, ownRuns},
			{"sizes", real.sizes, got.sizes, float64(r.Sizes.DGenerated)},
			{"daily cycle", real.slots, got.slots, cycle},
			{"gaps at peak hours, cycle off", real.peak, steady.peak, r.Arrivals.Peak.KS.D},
			{"gaps at peak hours", real.peak, got.peak, math.NaN()},
			{"gaps", real.gaps, got.gaps, math.NaN()},
		} {
			x, nx := sortedCounts(c.real)
			y, ny := sortedCounts(c.got)
			ks, err := stats.KolmogorovSmirnovTwoSample(x, nx, y, ny)
			if err != nil {
				t.Fatal(err)
			}
			noise := 2.9 * math.Sqrt(1/totalOf(nx)+1/totalOf(ny))
			t.Logf("%s, %s: D %.4f, the fit's own %.4f, noise %.4f; medians %g and %g", name, c.what, ks.D, c.own, noise, medianOf(c.real), medianOf(c.got))
			if ks.D > c.own+noise {
				t.Errorf("%s, %s: D %.4f, want at most the fit's own %.4f and %.4f", name, c.what, ks.D, c.own, noise)
			}
		}
	}
}
