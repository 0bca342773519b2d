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

// Target is a limit for a statistic of the waits of a class of jobs. The zero Target has the mean
// wait of all jobs as its statistic.
type Target struct {
	Name     string  // name of the statistic as typed, such as wait_p95(gpu)
	Quantile float64 // in (0, 1); 0 means the mean
	Class    string  // label of the class; "" means all jobs
	Limit    float64 // s
}

var targetForm = regexp.MustCompile(`^\s*(wait_(mean|p([0-9]{1,2}(?:\.[0-9]+)?))(?:\((.+)\))?)\s*<=\s*(.*\S)\s*$`)

// ParseTarget parses a target such as "wait_p95(gpu) <= 1h". An error is a *workload.OptionError.
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
		return t, workload.OptionFault("target", strconv.Quote(text), "wait_mean or a percentile such as wait_p95, optionally a class, and a time above 0, such as 'wait_p95(gpu) <= 1h'")
	}
	return t, nil
}

// String returns the target in a form that ParseTarget accepts.
func (t Target) String() string {
	return fmt.Sprintf("%s <= %gs", t.Name, t.Limit)
}

// most returns the largest mean excess for which the target is met.
func (t Target) most() float64 {
	if t.Quantile > 0 {
		return 1 - t.Quantile
	}
	return t.Limit
}

// excess returns the excess of a wait: 1 if it exceeds the limit, else 0, or for the mean the wait
// itself. The target is met if the mean excess of the jobs is at most Target.most.
func (t Target) excess(wait float64) float64 {
	switch {
	case t.Quantile == 0:
		return wait
	case wait > t.Limit:
		return 1
	}
	return 0
}

// of returns the statistic of waits: their mean, or the smallest wait that a share Quantile of the
// jobs does not exceed. It ignores NaN, and returns NaN if there are no other waits.
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
