package capacity

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/stat"

	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Target is what users are to be given: a statistic of the waits of a class of jobs, and the
// most that it may be.
type Target struct {
	Name     string  // as typed, such as wait_p95(gpu)
	Quantile float64 // in (0, 1); 0 is the mean
	Class    string  // label of the class; "" is all jobs
	Limit    float64 // s
}

var targetForm = regexp.MustCompile(`^\s*(wait_(mean|p([0-9]{1,2}(?:\.[0-9]+)?))(?:\((.+)\))?)\s*<=\s*(.*\S)\s*$`)

// ParseTarget reads a target such as "wait_p95(gpu) <= 1h".
func ParseTarget(text string) (t Target, err error) {
	parts := targetForm.FindStringSubmatch(text)
	if parts != nil {
		t.Name, t.Class = parts[1], parts[4]
		if t.Limit, err = opt.Seconds(parts[5]); err == nil && parts[3] != "" {
			var percent float64
			percent, err = strconv.ParseFloat(parts[3], 64)
			t.Quantile = percent / 100
		}
	}
	if parts == nil || err != nil || !(t.Limit > 0) || math.IsInf(t.Limit, 1) || parts[3] != "" && !(t.Quantile > 0) {
		return t, workload.OptionFault("target", strconv.Quote(text), "wait_mean or wait_p and a percentage, perhaps a class, and a time above 0, such as 'wait_p95(gpu) <= 1h'")
	}
	return t, nil
}

// String returns the target as it is typed.
func (t Target) String() string {
	return fmt.Sprintf("%s <= %gs", t.Name, t.Limit)
}

// most is the largest excess that a job may have on average for the target to be met.
func (t Target) most() float64 {
	if t.Quantile > 0 {
		return 1 - t.Quantile
	}
	return t.Limit
}

// excess is what a wait adds: the target is met if its mean over the jobs is at most Target.most.
// Of a quantile it counts the waits beyond the limit.
func (t Target) excess(wait float64) float64 {
	switch {
	case t.Quantile == 0:
		return wait
	case wait > t.Limit:
		return 1
	}
	return 0
}

// of returns the statistic of waits: their mean, or the smallest that a share of Quantile of the jobs does not
// exceed. NaN are left out; of no others it is NaN.
func (t Target) of(waits []float64) float64 {
	known := slices.DeleteFunc(slices.Clone(waits), math.IsNaN)
	n := len(known)
	switch {
	case n == 0:
		return math.NaN()
	case t.Quantile == 0:
		return stat.Mean(known, nil)
	}
	slices.Sort(known)
	return known[max(0, int(math.Ceil(t.Quantile*float64(n)*(1-1e-12)))-1)]
}
