package reshape

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/workload"
)

// cyclic is a log of so many weeks with a strong cycle: a Poisson process whose
// rate goes from a tenth to a full job per ten minutes with the hour of day, a
// third of that on weekends, in local time.
func cyclic(weeks float64, clock workload.Clock) (jobs []workload.Job) {
	rng := rand.New(rand.NewPCG(11, 0))
	rate := func(t float64) float64 {
		at := clock.At(t)
		r := 0.1
		if h := at.Hour(); h >= 8 && h < 19 {
			r = 0.5 + 0.5*math.Sin(math.Pi*float64(h-8)/11)
		}
		if d := at.Weekday(); d == 0 || d == 6 {
			r /= 3
		}
		return r
	}
	for t := rng.ExpFloat64() * 600; t < weeks*cycleWeek; t += rng.ExpFloat64() * 600 {
		if rng.Float64() >= rate(t) {
			continue
		}
		j := workload.UnknownJob()
		j.ID, j.User, j.Group, j.Submit = int64(len(jobs)+1), int64(rng.IntN(20)), 5, math.Floor(t)
		j.Run, j.Processors, j.Size, j.Allocated, j.Wait = 1200, 4, 4, 4, 9
		jobs = append(jobs, j)
	}
	return jobs
}

// perHalfHour are how many jobs each half hour of the day has, local time.
func perHalfHour(jobs []workload.Job, clock workload.Clock) (counts [48]float64) {
	for _, j := range jobs {
		at := clock.At(j.Submit)
		counts[at.Hour()*2+at.Minute()/30]++
	}
	return counts
}

// perWeekday are how many jobs each day of the week has.
func perWeekday(jobs []workload.Job, clock workload.Clock) (counts [7]float64) {
	for _, j := range jobs {
		counts[clock.At(j.Submit).Weekday()]++
	}
	return counts
}

// homogeneity is the chi-square statistic of two samples being alike. It takes
// both as drawn freely; where one was made from the other it is too large for
// no good sample, rather too small.
func homogeneity(a, b []float64) (chi float64) {
	na, nb := 0.0, 0.0
	for i := range a {
		na, nb = na+a[i], nb+b[i]
	}
	for i := range a {
		if n := a[i] + b[i]; n > 0 {
			d := math.Sqrt(nb/na)*a[i] - math.Sqrt(na/nb)*b[i]
			chi += d * d / n
		}
	}
	return chi
}

func measured(t *testing.T, jobs []workload.Job) *Load {
	t.Helper()
	l, err := MeasureLoad(seqFrom(jobs))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// scaled brings jobs to a load on eight processors.
func scaled(t *testing.T, jobs []workload.Job, method Method, target float64, clock workload.Clock) []workload.Job {
	t.Helper()
	l := measured(t, jobs)
	factor, err := l.Factor(8, target)
	if err != nil {
		t.Fatal(err)
	}
	var out workload.JobSeq
	switch method {
	case Thin:
		out, err = ThinJobs(seqFrom(jobs), factor, seeded(1))
	case Replicated:
		out, err = Replicate(seqFrom(jobs), factor, clock, seeded(1))
	case Interarrival:
		var c *Cycle
		if c, err = MeasureCycle(seqFrom(jobs), l, clock); err == nil {
			var w *Warp
			if w, err = c.WarpTo(l, 8, target); err == nil {
				out = w.Jobs(seqFrom(jobs))
			}
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return jobtest.Collect(t, out)
}

// Each method keeps the distribution over the half hours of the day and over
// the days of the week, which plain compression of time destroys.
func TestScalingKeepsTheCycle(t *testing.T) {
	r := readReference(t)
	for _, clock := range []workload.Clock{
		clockOf(t, " UnixStartTime: 843480031", " TimeZoneString: Europe/Stockholm"), // over the end of a summer
		clockOf(t, " UnixStartTime: 978310800", " TimeZoneString: Asia/Kathmandu"),   // 5:45 off
	} {
		jobs := cyclic(26, clock)
		before := measured(t, jobs)
		load := before.Offered(8)
		day, week := perHalfHour(jobs, clock), perWeekday(jobs, clock)
		for _, c := range []struct {
			method Method
			factor float64
		}{
			{Thin, 0.3}, {Thin, 0.9}, {Replicated, 1.3}, {Replicated, 2}, {Replicated, 3.7},
			{Interarrival, 0.45}, {Interarrival, 0.8}, {Interarrival, 1.3}, {Interarrival, 2.3}, {Interarrival, 5},
		} {
			out := scaled(t, jobs, c.method, load*c.factor, clock)
			x, y := perHalfHour(out, clock), perWeekday(out, clock)
			day, week := day, week
			if c.method == Thin {
				// Those left out and those kept are two free samples.
				for i := range day {
					day[i] -= x[i]
				}
				for i := range week {
					week[i] -= y[i]
				}
			}
			if chi := homogeneity(day[:], x[:]); chi > r.ChiSquare["47"] {
				t.Errorf("%s to %g of the load: chi-square %.1f over half hours", c.method, c.factor, chi)
			}
			if chi := homogeneity(week[:], y[:]); chi > r.ChiSquare["6"] {
				t.Errorf("%s to %g of the load: chi-square %.1f over perWeekday", c.method, c.factor, chi)
			}
			if !slices.IsSortedFunc(out, func(a, b workload.Job) int { return cmp.Compare(a.Submit, b.Submit) }) {
				t.Errorf("%s to %g of the load: out of order", c.method, c.factor)
			}
			// Jobs of one size: the load is the count over the span. Its bounds
			// are the binomial's; the warp has no chance in it but whole seconds.
			n, got := float64(len(jobs)), measured(t, out).Offered(8)/load
			part := c.factor - math.Floor(c.factor)
			bound := r.Normal*math.Sqrt(part*(1-part)/n) + 0.002 // the span of the jobs kept
			if c.method == Interarrival {
				bound = 1e-5
			}
			if math.Abs(got-c.factor) > bound {
				t.Errorf("%s: reached %.5f of the load, want %g within %.5f", c.method, got, c.factor, bound)
			}
		}
		for _, factor := range []float64{0.45, 1.3, 2.3} {
			plain := slices.Clone(jobs)
			for i := range plain {
				plain[i].Submit = math.Floor(before.First + (plain[i].Submit-before.First)/factor)
			}
			if x := perHalfHour(plain, clock); homogeneity(day[:], x[:]) < 5*r.ChiSquare["47"] {
				t.Errorf("plain compression by %g passes: the test is worth nothing", factor)
			}
		}
	}
}

func TestScalingLeavesTheRestAlone(t *testing.T) {
	clock := clockOf(t, " UnixStartTime: 978307200", " TimeZoneString: UTC")
	jobs := cyclic(6, clock)
	load := measured(t, jobs).Offered(8)
	for _, c := range []struct {
		method Method
		factor float64
	}{{Thin, 0.5}, {Replicated, 2.5}, {Interarrival, 1.5}} {
		seen := map[int64]bool{}
		for _, j := range scaled(t, jobs, c.method, load*c.factor, clock) {
			if seen[j.ID] {
				t.Fatalf("%s: two jobs of number %d", c.method, j.ID)
			}
			seen[j.ID] = true
			if j.ID > int64(len(jobs)) {
				if j.User < 20 || j.User >= 60 || j.Group != 5 || j.Run != 1200 || j.Size != 4 || j.Wait != 9 {
					t.Fatalf("%s: copy %+v", c.method, j)
				}
				continue
			}
			want := jobs[j.ID-1]
			if c.method == Interarrival {
				want.Submit = j.Submit
			}
			if !same(j, want) {
				t.Fatalf("%s: got %+v, want %+v", c.method, j, want)
			}
		}
		a, b := scaled(t, jobs, c.method, load*c.factor, clock), scaled(t, jobs, c.method, load*c.factor, clock)
		if !slices.EqualFunc(a, b, same) {
			t.Errorf("%s: the same seed gives another log", c.method)
		}
	}
}

func TestLoadByHand(t *testing.T) {
	jobs := submitted(10, 20, 110, math.NaN())
	jobs[0].Size, jobs[0].Run = 4, 100
	jobs[1].Size, jobs[1].Run = 2, 50
	jobs[2].Size, jobs[2].Run = 2, -7 // no run time that can be
	jobs[3].Size, jobs[3].Run = 1, 10
	l := measured(t, jobs)
	// 4*100 + 2*50 + 1*10 processor seconds, from 10 s to 110 s, on 5.
	if l.Work != 510 || l.Offered(5) != 510.0/500 || l.Jobs != 4 || !l.Whole {
		t.Errorf("got %+v, load %g", l, l.Offered(5))
	}
	if f, err := l.Factor(5, 0.51); err != nil || math.Abs(f-0.5) > 1e-15 {
		t.Errorf("to half the load: factor %g, %v", f, err)
	}
	for name, bad := range map[string]*Load{"none": NewLoad(), "one moment": measured(t, jobs[:1])} {
		if _, err := bad.Factor(5, 1); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	for _, target := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		if _, err := l.Factor(5, target); err == nil {
			t.Errorf("load %g: no error", target)
		}
	}
	if _, err := l.Factor(0, 1); err == nil {
		t.Error("no processors: no error")
	}
}

func TestMethodsSayWhatTheyCannot(t *testing.T) {
	none, _ := (&workload.Header{}).Clock()
	jobs := seqFrom(numbered(10, 2))
	if _, err := ThinJobs(jobs, 1.1, seeded(1)); err == nil {
		t.Error("thinning to more: no error")
	}
	for _, f := range []float64{0.9, 1001, math.NaN()} {
		if _, err := Replicate(jobs, f, none, seeded(1)); err == nil {
			t.Errorf("replication by %g: no error", f)
		}
	}
	if DefaultMethod(0.5) != Thin || DefaultMethod(1.5) != Replicated {
		t.Error("default methods")
	}
}
