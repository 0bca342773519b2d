package generate

import (
	"math"
	"testing"
	"time"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/internal/longtest"
	"github.com/loadstone-hpc/loadstone/model"
)

// cycleDistance returns Lublin and Feitelson's measure of the distance of the half hours' jobs m
// from the numbers d expected by a cycle: the sum of (m-d)^2/(m+d).
func cycleDistance(submits []float64, weights []float64) float64 {
	var counts [model.Slots]float64
	for _, s := range submits {
		counts[int(math.Mod(s, secondsPerDay)/model.SlotSeconds)]++
	}
	sum := 0.0
	for i, m := range counts {
		if d := weights[i] / model.Slots * float64(len(submits)); m+d > 0 {
			sum += (m - d) * (m - d) / (m + d)
		}
	}
	return sum
}

// kthArrivals returns a model with the arrivals that an independent program fitted to
// KTH-SP2-1996, all jobs, gaps above 1 s.
func kthArrivals(t testing.TB) model.Site {
	s := site(t, model.Lublin1999Untyped)
	a := &s.Classes[0].Arrivals
	a.Peak.Gamma, a.ARAR, a.Cycle = dist.Gamma{Shape: 6.087, Scale: 0.818}, 1.0453, dist.Gamma{Shape: 11.106, Scale: 2.702}
	return s
}

// The three methods with the paper's final model: the paper says that the second is better than
// the first, but it is far worse. The distances are those of an independent program,
// testdata/arrival_cycle.py.
func TestArrivalMethodsOfFinalModel(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	type reference struct {
		Jobs    int64
		Runs    int
		Methods map[model.Method]struct {
			Mean float64
			SD   float64 `json:"standard_deviation"`
		}
	}
	ref := longtest.ReadJSON[reference](t, "testdata/arrival_cycle.json")
	runs := longtest.Size(2, 5)
	s := site(t, model.Lublin2003)
	weights, _ := s.Classes[0].Arrivals.Weights()
	mean := map[model.Method]float64{}
	for _, method := range []model.Method{model.SlotWeights, model.ExpectedInterarrival, model.ExpectedSlotsMethod, model.Stationary} {
		var distances []float64
		for seed := range runs {
			w := build(t, s, Options{Jobs: ref.Jobs, Seed: uint64(seed) + 1, Method: method})
			distances = append(distances, cycleDistance(collect(t, w).submits, weights[:]))
		}
		mean[method], _ = meanAndSD(distances)
		want := ref.Methods[method]
		t.Logf("%s: %.0f, independent %.0f", method, mean[method], want.Mean)
		if allowed := sigmas() * want.SD * math.Sqrt(1/float64(runs)+1/float64(ref.Runs)); !(math.Abs(mean[method]-want.Mean) <= allowed) {
			t.Errorf("%s is %.0f from the cycle, want %.0f within %.0f", method, mean[method], want.Mean, allowed)
		}
	}
	third, first, second, none := mean[model.SlotWeights], mean[model.ExpectedInterarrival], mean[model.ExpectedSlotsMethod], mean[model.Stationary]
	if !(10*third < first && 5*first < second && second < none) {
		t.Errorf("third %.0f, first %.0f, second %.0f, no cycle %.0f: want the third far ahead, and the second last but no cycle", third, first, second, none)
	}
}

// poissonSite returns a model with Poisson arrivals with a mean interarrival time of 100 s, so
// that counts in disjoint times are independent.
func poissonSite(t testing.TB, day [model.Slots]float64, week [model.Weekdays]float64) model.Site {
	s := poisson()
	a := &s.Classes[0].Arrivals
	a.Interarrival.Law = dist.Exponential{Mean: 100}
	if week != [model.Weekdays]float64{} {
		a.Week = &week
	}
	if day != [model.Slots]float64{} {
		a.Method, a.Day = model.SlotWeights, &day
	}
	return s
}

// checkPoisson makes a chi-square test of counts whose means are known.
func checkPoisson(t *testing.T, what string, counts, want []float64) {
	t.Helper()
	chi2, cells := 0.0, 0
	for i, m := range want {
		if m == 0 {
			if counts[i] > 0 {
				t.Errorf("%s: %g jobs in %d, where there are to be none", what, counts[i], i)
			}
			continue
		}
		chi2 += (counts[i] - m) * (counts[i] - m) / m
		cells++
	}
	if limit := (distuv.ChiSquared{K: float64(cells)}).Quantile(1 - falseAlarm); chi2 > limit {
		t.Errorf("%s: chi-square %.1f over %d counts, want at most %.1f\n%v\n%v", what, chi2, cells, limit, counts, want)
	}
}

// Days and half hours have the numbers of jobs of their weights, on the calendar of the log's
// start, and equal numbers without a cycle.
func TestWeek(t *testing.T) {
	var day [model.Slots]float64
	for i := range day {
		day[i] = float64(i % 3)
	}
	week := [model.Weekdays]float64{0, 1, 2, 1.5, 0.5, 1.5, 0.5}
	zone := time.FixedZone("here", 3600)
	const weeks = 60
	for name, tt := range map[string]struct {
		o     Options
		first time.Weekday
		cycle bool
		week  bool
	}{
		"a Monday":    {Options{}, time.Monday, true, true},
		"a Wednesday": {Options{Start: time.Date(2026, 11, 25, 0, 0, 0, 0, zone)}, time.Wednesday, true, true},
		"no week":     {Options{}, time.Monday, true, false},
		"stationary":  {Options{Method: model.Stationary}, time.Monday, false, true},
	} {
		tt.o.Days, tt.o.Seed = 7*weeks, 5
		counts, want := make([]float64, 7*model.Slots), make([]float64, 7*model.Slots)
		site := poissonSite(t, day, week)
		if !tt.week {
			site.Classes[0].Arrivals.Week = nil
		}
		for _, s := range collect(t, build(t, site, tt.o)).submits {
			slot := int(s/model.SlotSeconds) + int(tt.first)*model.Slots
			counts[slot%len(counts)]++
		}
		for i := range want {
			want[i] = weeks * model.SlotSeconds / 100.0
			if tt.cycle {
				want[i] *= day[i%model.Slots]
			}
			if tt.week {
				want[i] *= week[i/model.Slots]
			}
		}
		checkPoisson(t, name, counts, want)
	}
}

// The clocks of all methods keep track of the current half hour, across weeks and long gaps.
func TestClockKnowsTheHalfHour(t *testing.T) {
	for _, method := range []model.Method{model.SlotWeights, model.ExpectedInterarrival} {
		for _, load := range []float64{0.5, 0.0005} { // gaps of minutes, and of weeks
			s := kthArrivals(t)
			s.Classes[0].Arrivals.Week = &[model.Weekdays]float64{0.5, 1.25, 1, 1.25, 1, 1.5, 0.5}
			w := build(t, s, Options{Jobs: 1, Method: method, Load: load, Start: time.Date(2026, 2, 5, 0, 0, 0, 0, time.UTC)})
			c := w.classes[0].arrivals.start()
			for range 2_000 {
				c.next()
				n := math.Floor(c.exact / model.SlotSeconds)
				if slot := int(math.Mod(4*model.Slots+n, 7*model.Slots)); slot != c.slot && c.exact != n*model.SlotSeconds {
					t.Fatalf("%s: after %g half hours the clock is in half hour %d, want %d, counted from a Thursday", method, n, c.slot, slot)
				}
			}
		}
	}
}

// A day of weight w adds ln(1/w) over the scale to the shapes of its half hours, as the first
// method does for the weight of a half hour.
func TestShapesOfAWeek(t *testing.T) {
	s := kthArrivals(t)
	s.Classes[0].Arrivals.Week = &[model.Weekdays]float64{0.5, 1.25, 1, 1.25, 1, 1.5, 0.5}
	shapes := build(t, s, Options{Jobs: 1, Method: model.ExpectedInterarrival}).classes[0].arrivals.shapes
	weights, _ := s.Classes[0].Arrivals.Weights()
	for i, law := range shapes {
		g := law.(dist.Ln).Inner.(dist.Gamma)
		w := weights[i%model.Slots] * s.Classes[0].Arrivals.Week[i/model.Slots]
		if want := 6.087*1.0453 + math.Log(1/w)/0.818; math.Abs(g.Shape-want) > 1e-12 || g.Scale != 0.818 {
			t.Errorf("half hour %d of the week: shape %g, want %g", i, g.Shape, want)
		}
	}
	if len(shapes) != 7*model.Slots {
		t.Errorf("%d shapes", len(shapes))
	}
}
