package generate

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/model"
)

// The counts of the arrivals in long windows have the index of dispersion
// asked for, and the mean rate is the law's.
func TestIndexOfDispersion(t *testing.T) {
	const (
		windows = 300
		length  = 2000 // mean interarrival times
		mean    = 100  // s
	)
	for name, tt := range map[string]struct {
		bursts model.Bursts
		index  float64
		bias   float64 // what a window of this length adds to the index, at most
	}{
		// For a renewal process the variance of the count of t mean times is
		// I t and a constant, (1 - I^2)/... below I^2 in size (Cox 1962,
		// section 4.5).
		"gamma-renewal": {model.GammaRenewal{Index: 20}, 20, 20 * 20.0 / length},
		"smooth":        {model.GammaRenewal{Index: 0.25}, 0.25, 1.0 / length},
		// For this process the variance is I t - (I-1) (S/2) (1 - exp(-2t/S)).
		"mmpp": {model.MMPP{Index: 20, Switching: 40}, 20, 19 * 20.0 / length},
	} {
		s := poissonSite(t, [model.Slots]float64{}, [model.Weekdays]float64{})
		s.Classes[0].Arrivals.Bursts = tt.bursts
		c := build(t, s, Options{Jobs: 1, Seed: 8, Exact: true}).classes[0].arrivals.start()
		counts := make([]float64, windows)
		for {
			w := int(c.next() / (length * mean))
			if w >= windows {
				break
			}
			counts[w]++
		}
		m, sd := meanAndSD(counts)
		index := tt.index
		checkMean(t, name+": arrivals", m, length, math.Sqrt(index*length), windows)
		law := distuv.ChiSquared{K: windows - 1}
		got := sd * sd / length
		lo := (index - tt.bias) * law.Quantile(falseAlarm/2) / (windows - 1)
		hi := (index + tt.bias) * law.Quantile(1-falseAlarm/2) / (windows - 1)
		if got < lo || got > hi {
			t.Errorf("%s: index of dispersion %g, want %g, by chance from %g to %g", name, got, index, lo, hi)
		}
	}
}

// Bursts leave the daily cycle, the mean rate, sizes and run times.
func TestBurstsKeepTheRest(t *testing.T) {
	ref := readReference(t)["batch"]
	plain := collect(t, prepare(t, model.Lublin1999Batch, Options{Jobs: manyJobs, Seed: 11}))
	const index = 50
	w := prepare(t, model.Lublin1999Batch, Options{Jobs: manyJobs, Seed: 11, Bursts: index})
	jobs := collect(t, w)
	if score, limit := slotScore(t, jobs.submits, ref.Weights); score > limit {
		t.Errorf("a half hour is %.1f standard errors off its weight, want at most %.1f", score, limit)
	}
	allowed := sigmas()*math.Sqrt(index*manyJobs)*ref.Interarrival + secondsPerDay
	if last := jobs.submits[manyJobs-1]; math.Abs(last-manyJobs*ref.Interarrival) > allowed {
		t.Errorf("%d jobs take %g s, want %g within %g", manyJobs, last, manyJobs*ref.Interarrival, allowed)
	}
	for i := range jobs.sizes {
		if jobs.sizes[i] != plain.sizes[i] || jobs.runs[i] != plain.runs[i] {
			t.Fatalf("job %d is another with bursts", i+1)
		}
	}
}

// Bags of tasks: the law of their sizes, the mean rate of jobs, and the jobs
// themselves as without.
func TestBags(t *testing.T) {
	const n, mean = 200_000, 4
	s := poissonSite(t, [model.Slots]float64{}, [model.Weekdays]float64{})
	plain := collect(t, build(t, s, Options{Jobs: n, Seed: 3, Exact: true}))
	jobs := collect(t, build(t, s, Options{Jobs: n, Seed: 3, Exact: true, BagSize: mean}))
	counts, bags := map[int64]int{}, 0
	for first := 0; first < n; {
		last := first
		for last < n && jobs.submits[last] == jobs.submits[first] {
			last++
		}
		if last < n { // the last one may be cut
			counts[int64(last-first)]++
			bags++
		}
		first = last
	}
	p := make([]float64, 200)
	for k := 1; k < len(p); k++ {
		p[k] = math.Pow(1-1.0/mean, float64(k-1)) / mean
	}
	checkCounts(t, "tasks", counts, p, bags)
	// The time to the n-th job is that of n/mean bags, of mean*100 s each:
	// their variance, and that of the number of bags, which is n (mean-1)/mean^2.
	gap := mean * 100.0
	sd := gap * math.Sqrt(n/mean+n*(mean-1)/(mean*mean))
	if last := jobs.submits[n-1]; math.Abs(last-n*100) > sigmas()*sd+gap {
		t.Errorf("%d jobs take %g s, want %d within %g", n, last, n*100, sigmas()*sd)
	}
	for i := range jobs.sizes {
		if jobs.sizes[i] != plain.sizes[i] || jobs.runs[i] != plain.runs[i] {
			t.Fatalf("job %d is another with bags", i+1)
		}
	}
	// A law that is given, cut: tasks of 1 to 3.
	s.Classes[0].Arrivals.Bags = &model.Bags{Size: dist.Uniform{Low: 0, High: 5}, Max: 3}
	if got := s.Classes[0].Arrivals.Bags.Mean(); math.Abs(got-(1+2+3*3)/5.0) > 1e-15 {
		t.Errorf("mean number of tasks %g, want 2.4", got)
	}
	c := build(t, s, Options{Jobs: 1, Seed: 3, Exact: true}).classes[0].arrivals.start()
	for last, tasks := c.next(), 1; tasks < 20_000; {
		if now := c.next(); now == last {
			if tasks++; tasks > 3 && c.left > 2 {
				t.Fatal("more than 3 tasks")
			}
		} else {
			last, tasks = now, tasks+1
		}
	}
}
