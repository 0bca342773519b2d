package lifetimes

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/internal/num"
	"github.com/loadstone-hpc/loadstone/stats"
)

// Remaining is the remaining lifetime of jobs that have reached an age: a point
// of figure 2 of Downey (1997). All times are in seconds.
type Remaining struct {
	Age stats.Number `json:"age_s"`
	// Left is the number of jobs of the sample with a run time above Age.
	// MedianData and MeanData are over these jobs; NaN if there are none.
	Left       stats.Number `json:"jobs_left"`
	MedianData stats.Number `json:"median_data_s"`
	// MedianModel and MeanModel are those of the law, given that the job outlasts Age. Both are
	// NaN if Outlived: under the law no job lasts that long. MeanModel is +Inf if the law has no
	// mean.
	MedianModel stats.Number `json:"median_model_s"`
	MeanData    stats.Number `json:"mean_data_s"`
	MeanModel   stats.Number `json:"mean_model_s"`
	Outlived    bool         `json:"-"`
}

// unknown is the value of an unknown number.
var unknown = stats.Number(math.NaN())

// RemainingAt returns the median and the mean remaining lifetime under a law of run times in
// seconds (Report.AttributeLaw) and in a sample, at ages in seconds, each finite and at least 0.
// If law is nil, only the results of the sample are known, and all ages are Outlived; if the
// sample is empty, only those of the law are known.
func RemainingAt(law dist.Law, s fit.Sample, ages []float64) ([]Remaining, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	if law != nil {
		if err := dist.Validate(law); err != nil {
			return nil, err
		}
	}
	tail := newTail(s)
	out := make([]Remaining, len(ages))
	for i, age := range ages {
		if !(age >= 0) || math.IsInf(age, 1) {
			return nil, fmt.Errorf("age %d is %g s, want a finite number of at least 0", i, age)
		}
		r := Remaining{Age: stats.Number(age), MedianModel: unknown, MeanModel: unknown, Outlived: true}
		if law != nil && law.Survival(age) > 0 {
			r.MedianModel, r.MeanModel, r.Outlived = stats.Number(medianRemaining(law, age)), stats.Number(meanRemaining(law, age)), false
		}
		left, median, mean := tail.remaining(age)
		r.Left, r.MedianData, r.MeanData = stats.Number(left), stats.Number(median), stats.Number(mean)
		out[i] = r
	}
	return out, nil
}

// Ages returns n ages, at least 2, from the shortest to the longest run time of
// a sample, in geometric progression; nil if it has fewer than two values.
func Ages(s fit.Sample, n int) []float64 {
	if len(s.Values) < 2 || n < 2 {
		return nil
	}
	low, high := math.Log(s.Values[0]), math.Log(s.Values[len(s.Values)-1])
	ages := make([]float64, n)
	for i := range ages {
		ages[i] = math.Exp(low + (high-low)*float64(i)/float64(n-1))
	}
	ages[0], ages[n-1] = s.Values[0], s.Values[len(s.Values)-1] // no rounding at the ends
	return ages
}

// tail holds sums over a sample from its longest run time down.
type tail struct {
	values     []float64
	jobs, time []float64 // sums over values[i:], so that those over long jobs are accurate
}

func newTail(s fit.Sample) tail {
	n := len(s.Values)
	t := tail{s.Values, make([]float64, n+1), make([]float64, n+1)}
	for i := n - 1; i >= 0; i-- {
		t.jobs[i] = t.jobs[i+1] + s.Counts[i]
		t.time[i] = t.time[i+1] + s.Counts[i]*s.Values[i]
	}
	return t
}

// above returns the index of the first value above x.
func (t tail) above(x float64) int {
	return sort.Search(len(t.values), func(i int) bool { return t.values[i] > x })
}

// remaining returns the number of jobs that last longer than age, and the median and the mean of
// their remaining times.
func (t tail) remaining(age float64) (left, median, mean float64) {
	from := t.above(age)
	left = t.jobs[from]
	if left == 0 {
		return 0, math.NaN(), math.NaN()
	}
	// The first value with at most half of the jobs above it.
	at := from + sort.Search(len(t.values)-from, func(i int) bool { return 2*t.jobs[from+i+1] <= left })
	median = t.values[at]
	if 2*t.jobs[at+1] == left {
		median = median/2 + t.values[at+1]/2
	}
	return left, median - age, max(0, t.time[from]/left-age)
}

// medianRemaining returns the median of L - age given L > age. Survival(age) must be above 0.
func medianRemaining(l dist.Law, age float64) float64 {
	if m, ok := l.(interface{ MedianRemaining(age float64) float64 }); ok {
		return m.MedianRemaining(age)
	}
	return max(0, dist.InverseSurvival(l, l.Survival(age)/2)-age)
}

// meanRemaining returns the mean of L - age given L > age, which is the integral of Pr{L > age+t
// | L > age} over t. Survival(age) must be above 0.
func meanRemaining(l dist.Law, age float64) float64 {
	if m, ok := l.(interface{ MeanRemaining(age float64) float64 }); ok {
		return m.MeanRemaining(age)
	}
	if math.IsInf(dist.Mean(l), 1) {
		return math.Inf(1)
	}
	// Integrate over y = ln t in panels: from the median down until t is negligible, and up until
	// the survival is.
	center := math.Log(max(medianRemaining(l, age), 1e-9*max(age, 1)))
	f := func(y float64) float64 {
		t := math.Exp(y)
		return t * dist.SurvivalGiven(l, age, t)
	}
	sum := 0.0
	for y := center; y > center-40; y -= panel {
		sum += gaussPanel(f, y-panel, y)
	}
	for y := center; ; y += panel {
		part := gaussPanel(f, y, y+panel)
		sum += part
		switch {
		case y > center && part <= 1e-13*sum:
			return sum
		case y > 700: // t is almost beyond the range of float64
			return math.Inf(1)
		}
	}
}

// panel is the width in ln t of an interval that gaussPanel integrates.
const panel = 0.25

// gaussPanel integrates f with ten Gauss-Legendre nodes.
func gaussPanel(f func(float64) float64, from, to float64) float64 {
	mid, half := (from+to)/2, (to-from)/2
	sum := 0.0
	for i, x := range num.GaussNodes {
		sum += num.GaussWeights[i] * (f(mid-half*x) + f(mid+half*x))
	}
	return half * sum
}

// The round ages of TableAges, in seconds.
const (
	MinuteAge = 60.
	HourAge   = 3600.
)

// TableAges returns the ages at which a table gives the remaining lifetimes of a sample: about 13
// from its shortest to its longest run time, and a minute and an hour. A minute and an hour
// replace ages within 5 % of them.
func TableAges(s fit.Sample) []float64 {
	ages := slices.DeleteFunc(Ages(s, 13), func(age float64) bool {
		near := func(round float64) bool { return math.Abs(age-round) < 0.05*round }
		return near(MinuteAge) || near(HourAge)
	})
	ages = append(ages, MinuteAge, HourAge)
	slices.Sort(ages)
	return ages
}
