package generate

import (
	"math"
	"testing"
	"time"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/internal/longtest"
	"github.com/loadstone-hpc/loadstone/model"
)

// cycleDistance is Lublin and Feitelson's measure of how far the half hours'
// jobs m are from what a cycle d expects: the sum of (m-d)^2/(m+d).
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

// kthArrivals has the arrivals that an independent program fitted to KTH-SP2-1996, all jobs, gaps
// above 1 s.
func kthArrivals(t testing.TB) model.Site {
	s := site(t, model.Lublin1999Untyped)
	a := &s.Classes[0].Arrivals
	a.Peak.Gamma, a.ARAR, a.Cycle = dist.Gamma{Shape: 6.087, Scale: 0.818}, 1.0453, dist.Gamma{Shape: 11.106, Scale: 2.702}
	return s
}

// The three methods by the paper's final model: the paper says that the second
// is better than the first, and it is far worse. The distances are those of an
// independent program, testdata/arrival_cycle.py.
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
	const runs = 5
	s := site(t, model.Lublin2003)
	weights, _ := s.Classes[0].Arrivals.Weights()
	mean := map[model.Method]float64{}
	for _, method := range []model.Method{model.SlotWeights, model.ExpectedInterarrival, model.ExpectedSlotsMethod, model.Stationary} {
		var distances []float64
		for seed := range uint64(runs) {
			w := build(t, s, Options{Jobs: ref.Jobs, Seed: seed + 1, Method: method})
			distances = append(distances, cycleDistance(collect(t, w).submits, weights[:]))
		}
		mean[method], _ = meanAndSD(distances)
		want := ref.Methods[method]
		t.Logf("%s: %.0f, independent %.0f", method, mean[method], want.Mean)
		if allowed := sigmas() * want.SD * math.Sqrt(1.0/runs+1/float64(ref.Runs)); !(math.Abs(mean[method]-want.Mean) <= allowed) {
			t.Errorf("%s is %.0f from the cycle, want %.0f within %.0f", method, mean[method], want.Mean, allowed)
		}
	}
	third, first, second, none := mean[model.SlotWeights], mean[model.ExpectedInterarrival], mean[model.ExpectedSlotsMethod], mean[model.Stationary]
	if !(10*third < first && 5*first < second && second < none) {
		t.Errorf("third %.0f, first %.0f, second %.0f, no cycle %.0f: want the third far ahead, and the second last but no cycle", third, first, second, none)
	}
}

// poissonSite has Poisson arrivals of a mean of 100 s, of which counts in any
// times are independent.
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

// checkPoisson is a chi-square test of counts whose means are known.
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

// Days and half hours have the jobs that their weights say, on the calendar of
// the log's start, and all the same without a cycle.
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

// Europe's clocks went from 2:00 to 3:00 on 29 March 2026 and from 3:00 to
// 2:00 on 25 October.
func TestCalendarByHand(t *testing.T) {
	zurich := jobtest.Must(time.LoadLocation("Europe/Zurich"))
	for _, tt := range []struct {
		month time.Month
		day   int
		n     float64
		slot  int
		until float64 // 0 where it is not by hand
	}{
		{time.March, 28, 0, 0, 52}, {time.March, 28, 51, 3, 52}, // until two o'clock of the second day,
		{time.March, 28, 52, 6, 52 + 210*48}, // which is three o'clock; until 25 October, three o'clock
		{time.October, 24, 52, 4, 54}, {time.October, 24, 53, 5, 54},
		{time.October, 24, 54, 4, 0}, {time.October, 24, 56, 6, 0},
	} {
		c := calendar{time.Date(2026, tt.month, tt.day, 0, 0, 0, 0, zurich), model.Slots}
		if slot, until := c.at(tt.n); slot != tt.slot || tt.until > 0 && until != tt.until {
			t.Errorf("%v %d, %g half hours later: half hour %d until %g, want %d until %g", tt.month, tt.day, tt.n, slot, until, tt.slot, tt.until)
		}
	}
	// A week's calendar counts from Sunday.
	c := calendar{time.Date(2026, 3, 28, 0, 0, 0, 0, zurich), 7 * model.Slots}
	if slot, _ := c.at(0); slot != 6*model.Slots {
		t.Errorf("a Saturday's midnight is half hour %d, want %d", slot, 6*model.Slots)
	}
	if slot, _ := c.at(52); slot != 6 {
		t.Errorf("a Sunday's three o'clock is half hour %d, want 6", slot)
	}
}

// After the year 9999 the clock is left alone, so that a gap of a million years
// is not gone through change by change. 1 January 10000 is a Saturday.
func TestCalendarAfterTheLastYear(t *testing.T) {
	zurich := jobtest.Must(time.LoadLocation("Europe/Zurich"))
	const week = 7 * model.Slots
	c := calendar{time.Date(9999, 12, 1, 0, 0, 0, 0, zurich), week}
	for _, tt := range []struct {
		n    float64
		slot int
	}{
		{31 * model.Slots, 6 * model.Slots},
		{31*model.Slots + 1, 6*model.Slots + 1},
		{31*model.Slots + 180*model.Slots, 4 * model.Slots}, // 29 June, a Thursday; without summer time
		{31*model.Slots + 3e12*week, 6 * model.Slots},       // beyond what seconds in 64 bits can say
	} {
		slot, until := c.at(tt.n)
		if after := tt.n > 31*model.Slots; slot != tt.slot || after != math.IsInf(until, 1) {
			t.Errorf("%g half hours later: half hour %d until %g, want %d, and no end after the last year", tt.n, slot, until, tt.slot)
		}
	}
}

// Where all jobs come from 2:00 to 3:00, the day without that hour has none,
// and the one that has it twice has twice as many.
func TestDaylightSaving(t *testing.T) {
	zurich := jobtest.Must(time.LoadLocation("Europe/Zurich"))
	var day [model.Slots]float64
	day[4], day[5] = 24, 24
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, zurich)
	counts, want := make([]float64, 365), make([]float64, 365)
	for _, s := range collect(t, build(t, poissonSite(t, day, [model.Weekdays]float64{}), Options{Days: 364, Seed: 1, Start: start})).submits {
		at := start.Add(time.Duration(s) * time.Second)
		if h := at.Hour(); h != 2 && !(h == 3 && at.Minute() == 0 && at.Second() == 0) {
			t.Fatalf("a job at %v", at)
		}
		counts[at.YearDay()-1]++
	}
	for i := range 364 {
		want[i] = 864
	}
	want[29+28+31-1] = 0                            // 29 March is day 88, from 1
	want[31+28+31+30+31+30+31+31+30+25-1] = 2 * 864 // 25 October
	checkPoisson(t, "days", counts, want)
}

// Clocks of all methods know the half hour that they are in, across weeks,
// jumps of local time and long gaps.
func TestClockKnowsTheHalfHour(t *testing.T) {
	newYork := jobtest.Must(time.LoadLocation("America/New_York"))
	for _, method := range []model.Method{model.SlotWeights, model.ExpectedInterarrival} {
		for _, load := range []float64{0.5, 0.0005} { // gaps of minutes, and of weeks
			s := kthArrivals(t)
			s.Classes[0].Arrivals.Week = &[model.Weekdays]float64{0.5, 1.25, 1, 1.25, 1, 1.5, 0.5}
			w := build(t, s, Options{Jobs: 1, Method: method, Load: load, Start: time.Date(2026, 2, 1, 0, 0, 0, 0, newYork)})
			c := w.classes[0].arrivals.start()
			for range 2_000 {
				c.next()
				n := math.Floor(c.exact / model.SlotSeconds)
				if slot, _ := c.calendar.at(n); slot != c.slot && c.exact != n*model.SlotSeconds {
					t.Fatalf("%s: after %g half hours the clock is in half hour %d, want %d", method, n, c.slot, slot)
				}
			}
		}
	}
}

// A day of weight w adds ln(1/w) over the scale to the shapes of its half
// hours, as the first method has it for a half hour's weight.
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
