package reshape

import (
	"cmp"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/workload"
)

// cyclic returns a log of 26 weeks with a strong cycle: a Poisson process with a rate between a
// tenth of a job and one job per ten minutes, depending on the hour of day, and a third of that on
// weekends, in local time.
func cyclic(clock workload.Clock) (jobs []workload.Job) {
	rng := rand.New(rand.NewPCG(11, 0))
	for t := rng.ExpFloat64() * 600; t < 26*7*86400; t += rng.ExpFloat64() * 600 {
		at, rate := clock.At(t), 0.1
		if h := at.Hour(); h >= 8 && h < 19 {
			rate = 0.5 + 0.5*math.Sin(math.Pi*float64(h-8)/11)
		}
		if d := at.Weekday(); d == 0 || d == 6 {
			rate /= 3
		}
		if rng.Float64() >= rate {
			continue
		}
		j := workload.UnknownJob()
		j.ID, j.User, j.Group, j.Submit = int64(len(jobs)+1), int64(rng.IntN(20)), 5, math.Floor(t)
		j.Run, j.Processors, j.Size, j.Allocated, j.Wait = 1200, 4, 4, 4, 9
		jobs = append(jobs, j)
	}
	return jobs
}

// perHour counts the jobs in each half hour of the day and each day of the week, in local time.
func perHour(jobs []workload.Job, clock workload.Clock) (day [48]float64, week [7]float64) {
	for _, j := range jobs {
		at := clock.At(j.Submit)
		day[at.Hour()*2+at.Minute()/30]++
		week[at.Weekday()]++
	}
	return day, week
}

// homogeneity returns the chi-square statistic for the hypothesis that two samples have the same
// distribution. It assumes that both are drawn independently; if one was derived from the other,
// the statistic is not too large for a correct sample, but rather too small.
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

// scaled scales jobs to a multiple of their load on eight processors.
func scaled(t *testing.T, header string, jobs []workload.Job, times float64, seed uint64) ([]workload.Job, *Scaled) {
	t.Helper()
	s, err := Scale(t.Context(), opening(" MaxProcs: 8\n"+header, jobs), ScaleOptions{Load: LoadTarget{Times: times}, Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	return jobtest.Collect(t, s.Jobs), s
}

// Scaling preserves the distribution over the half hours of the day and the days of the week, which
// plain compression of time destroys, and all other values of the jobs.
func TestScalingKeepsTheCycle(t *testing.T) {
	r := readReference[reference](t, "reshape.json")
	for _, header := range []string{
		" UnixStartTime: 843480031\n TimeZoneString: Europe/Stockholm", // over the end of a summer
		" UnixStartTime: 978310800\n TimeZoneString: Asia/Kathmandu",   // UTC+5:45
	} {
		clock := clockOf(t, header)
		jobs := cyclic(clock)
		for _, c := range []struct {
			method Method
			factor float64
		}{{Thin, 0.3}, {Thin, 0.9}, {Interarrival, 1.3}, {Interarrival, 5}} {
			out, s := scaled(t, header, jobs, c.factor, 1)
			day, week := perHour(jobs, clock)
			x, y := perHour(out, clock)
			if c.method == Thin {
				// The jobs omitted and the jobs kept are two independent samples.
				for i := range day {
					day[i] -= x[i]
				}
				for i := range week {
					week[i] -= y[i]
				}
			}
			if a, b := homogeneity(day[:], x[:]), homogeneity(week[:], y[:]); a > r.ChiSquare["47"] || b > r.ChiSquare["6"] {
				t.Errorf("%s to %g of the load: chi-square %.1f over half hours, %.1f over weekdays", c.method, c.factor, a, b)
			}
			if !slices.IsSortedFunc(out, func(a, b workload.Job) int { return cmp.Compare(a.Submit, b.Submit) }) {
				t.Errorf("%s to %g of the load: out of order", c.method, c.factor)
			}
			// Jobs of one size: the load is their number divided by the span, which is in whole
			// seconds.
			if got := s.Reached() / s.Before; math.Abs(got/c.factor-1) > 0.005 || c.method == Interarrival && math.Abs(got-c.factor) > 1e-5 {
				t.Errorf("%s: reached %.5f of the load, want %g", c.method, got, c.factor)
			}
			for _, j := range out {
				want := jobs[j.ID-1]
				if c.method == Interarrival {
					want.Submit = j.Submit
				}
				if !same(j, want) {
					t.Fatalf("%s: got %+v, want %+v", c.method, j, want)
				}
			}
			if again, _ := scaled(t, header, jobs, c.factor, 1); !slices.EqualFunc(out, again, same) {
				t.Errorf("%s: the same seed gives another log", c.method)
			}
		}
	}
}

// Jobs with work that differs by four orders of magnitude, so that the sum of an independent sample
// varies by several percent, reach the requested load with every seed.
func TestScaleMeetsTheLoad(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	jobs := numbered(5000, 30)
	for i := range jobs {
		jobs[i].Submit, jobs[i].Run = float64(600*i), math.Exp(9*rng.Float64())
	}
	for _, times := range []float64{0.3, 0.77, 1, 1.3, 2.9} {
		for seed := range uint64(4) {
			out, s := scaled(t, " UnixStartTime: 978307200", jobs, times, seed)
			l := loadOf(out)
			if got := l.Offered(8) / s.Before; math.Abs(got/times-1) > 0.005 || s.Asked != times*s.Before || l.Offered(8) != s.Reached() {
				t.Errorf("seed %d: the load is %.4f times the log's, want %g", seed, got, times)
			}
			if want := map[bool]Method{true: Thin, false: Interarrival}[times < 1]; s.Method != want {
				t.Errorf("%g times the load by %s, want %s", times, s.Method, want)
			}
		}
	}
}

func loadOf(jobs []workload.Job) *Load {
	l := NewLoad()
	for i := range jobs {
		l.Add(&jobs[i])
	}
	return l
}

func TestLoadByHand(t *testing.T) {
	jobs := submitted(10, 20, 110, math.NaN())
	jobs[0].Size, jobs[0].Run = 4, 100
	jobs[1].Size, jobs[1].Run = 2, 50
	jobs[2].Size, jobs[2].Run = 2, -7 // not a possible run time
	jobs[3].Size, jobs[3].Run = 1, 10
	l := loadOf(jobs)
	// 4*100 + 2*50 + 1*10 processor seconds, from 10 s to 110 s, on 5.
	if l.Work != 510 || l.Offered(5) != 510.0/500 || l.Jobs != 4 || !l.Whole {
		t.Errorf("got %+v, load %g", l, l.Offered(5))
	}
	if f, err := l.factor(5, 0.51); err != nil || math.Abs(f-0.5) > 1e-15 {
		t.Errorf("to half the load: factor %g, %v", f, err)
	}
}

// Loads that cannot be reached give a clear error; no message mentions infinitely many jobs.
func TestScaleSaysWhatItCannot(t *testing.T) {
	spread := func(times ...float64) []workload.Job {
		jobs := submitted(times...)
		for i := range jobs {
			jobs[i].Size, jobs[i].Run = 1, 1e-3
		}
		return jobs
	}
	infinite := numbered(2, 1)
	infinite[0].Run = math.MaxFloat64
	infinite[1].Run = math.MaxFloat64
	for _, c := range []struct {
		jobs []workload.Job
		load float64
		want string
	}{
		{submitted(0, 5), 1, "2 jobs with 0 processor seconds"},
		{spread(5), 1, "submitted at two moments at least"},
		{infinite, 1, "more than 1.8e308 processor seconds"},
		{spread(-1e306, 1e306), 0.5, "want a shorter time"},
		{spread(-1.7e308, 1.7e308), 0.5, "the log's load"},
		{spread(0, 1e11), 1, "at most 200 years"},
		{spread(1e12, 1e12+5), 1, "at most 200 years"},
	} {
		_, err := Scale(t.Context(), opening("", c.jobs), ScaleOptions{Load: LoadTarget{Load: c.load}, Processors: 1})
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "Inf") {
			t.Errorf("load %g: %v, want %q", c.load, err, c.want)
		}
	}
	if _, err := Scale(t.Context(), opening("", infinite), ScaleOptions{Load: LoadTarget{Load: 1}}); !errors.Is(err, workload.ErrNoMachine) {
		t.Errorf("a machine of unknown size: %v", err)
	}
}

// Two days with jobs at 8:00 to 8:30 and 12:00 to 12:30 only. From the first submission, 8:00, to
// the last, 12:15 on the second day, the first slot was observed for 3600 s with four jobs, the
// second for 2700 s with four: the rates are 1/900 and 1/675. On the cycle's time scale the eight
// jobs are at 0, 1, 2, 10/3, 14/3, 17/3, 20/3 and 8. Load 1 on one processor takes 188,100 s: until
// 216,900 s, which is 12:15 on the third day and 38/3 on the cycle's scale.
func TestWarpByHand(t *testing.T) {
	jobs := submitted(28800, 29700, 43200, 44100, 115200, 116100, 129600, 130500)
	for i := range jobs {
		jobs[i].Size, jobs[i].Run = 1, 188100.0/8
	}
	l := loadOf(jobs)
	seen := newArrivals(&workload.Header{})
	for _, j := range jobs {
		seen.add(j.Submit)
	}
	w, err := newWarp(l, &seen, 188100)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(w.scale-38.0/24) > 1e-12 {
		t.Errorf("scale %g, want 19/12", w.scale)
	}
	want := []float64{28800, 30225, 43987.5, 115750, 130087.5, 131156.25, 202700, 216900}
	for i, j := range jobs {
		if _, err := w.move(&j); err != nil {
			t.Fatal(err)
		}
		// Whole seconds, rounded down, including rounding errors.
		if off := want[i] - j.Submit; off < -1e-6 || off > 1 || j.Submit != math.Trunc(j.Submit) {
			t.Errorf("job %d: at %g, want %g rounded down", i, j.Submit, want[i])
		}
	}
	if _, err := w.move(&submitted(1e9)[0]); err != ErrChanged {
		t.Errorf("another log: got %v", err)
	}
}

// A log is scaled in the same way wherever its weeks lie in the 200 years, even with its last jobs
// beyond them.
func TestScaleLate(t *testing.T) {
	const week = 7 * 86400
	late := math.Floor(maxSpan/week) * week
	log := func(from float64) []workload.Job {
		jobs := numbered(2000, 30)
		for i := range jobs {
			jobs[i].Submit, jobs[i].Size, jobs[i].Run = from+float64(3000*i), 4, 1200
		}
		return jobs
	}
	early, _ := scaled(t, " UnixStartTime: 0", log(0), 2, 1)
	out, s := scaled(t, " UnixStartTime: 0", log(late), 2, 1)
	if got := s.Reached() / s.Before; math.Abs(got-2) > 0.005 {
		t.Errorf("the load is %.4f times the log's, want 2", got)
	}
	for i, j := range out {
		// Both are in whole seconds, rounded down.
		if want := late + early[i].Submit; math.Abs(j.Submit-want) > 1 {
			t.Fatalf("job %d: at %g, want %g", j.ID, j.Submit, want)
		}
	}
}
