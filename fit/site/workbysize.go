package site

import (
	"errors"
	"fmt"

	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/workload"
)

// SizeFit is the fit of the jobs in a range of sizes: two Gammas of ln of their
// run time and of ln of their total work. The paper's table 4 says run time,
// but its figures are of the work.
type SizeFit struct {
	fit.SizeRange
	Jobs         int64       `json:"jobs"` // of these sizes
	RunTime      *fit.Report `json:"run_time"`
	WhyNoRunTime string      `json:"why_no_run_time,omitempty"` // where RunTime is nil
	Work         *fit.Report `json:"work"`
	WhyNoWork    string      `json:"why_no_work,omitempty"` // where Work is nil
}

// mostSizeRanges is the largest number of groups of sizes, and ownSizeRanges
// how many there are where none are given.
const (
	mostSizeRanges = 64
	ownSizeRanges  = 3
)

func validateRanges(ranges []fit.SizeRange) error {
	if len(ranges) > mostSizeRanges {
		return workload.OptionFault("size-ranges", len(ranges), "at most %d groups of sizes", mostSizeRanges)
	}
	for i, r := range ranges {
		if r.From < 1 || r.To < r.From {
			return workload.OptionFault("size-ranges", fmt.Sprintf("%d-%d", r.From, r.To), "1 or more, the first not above the last")
		}
		for _, other := range ranges[:i] {
			if r.From <= other.To && other.From <= r.To {
				return workload.OptionFault("size-ranges", fmt.Sprintf("%d-%d and %d-%d", other.From, other.To, r.From, r.To), "each size in one group")
			}
		}
	}
	return nil
}

// fitBySize fits run times and work in each group of sizes.
func fitBySize(c fit.Class, o Options) ([]SizeFit, error) {
	ranges, shapes := o.SizeRanges, c.Shapes()
	if ranges == nil {
		ranges = sizeRanges(shapes, ownSizeRanges)
	}
	fits := make([]SizeFit, len(ranges))
	errs := make([]error, 2*len(ranges))
	par.Each(o.Workers, 2*len(ranges), func(i int) {
		r := ranges[i/2]
		f := &fits[i/2]
		attribute, law, why := fit.RunTime, &f.RunTime, &f.WhyNoRunTime
		if i%2 == 1 {
			attribute, law, why = fit.Work, &f.Work, &f.WhyNoWork
		} else {
			f.SizeRange, f.Jobs = r, jobsOfSizes(shapes, r)
		}
		by := fmt.Sprintf("%s, size %d to %d", c.Label(), r.From, r.To)
		options := fit.Options{By: by}
		if attribute == fit.RunTime {
			options = o.ofRunTimes(by)
		}
		options.Workers = 1
		report, err := fit.Fit("hyper-gamma", attribute, c.SampleOfSizes(attribute, r), options)
		var degenerate *fit.DegenerateError
		switch {
		case err == nil:
			*law = &report
		case errors.As(err, &degenerate):
			*why = err.Error()
		default:
			errs[i] = err
		}
	})
	return fits, errors.Join(errs...)
}

// jobsOf is the number of jobs of some sizes.
func jobsOfSizes(shapes []fit.Shape, r fit.SizeRange) int64 {
	jobs := 0.0
	for _, k := range shapes {
		if r.Has(k.Size) {
			jobs += k.Jobs
		}
	}
	return int64(jobs)
}

// sizeRanges are at most n ranges of sizes with about equal numbers of jobs.
func sizeRanges(shapes []fit.Shape, n int) []fit.SizeRange {
	var sizes, jobs []float64
	for _, k := range shapes {
		if !(k.Size > 0) {
			continue
		}
		if len(sizes) == 0 || k.Size != sizes[len(sizes)-1] {
			sizes, jobs = append(sizes, k.Size), append(jobs, 0)
		}
		jobs[len(jobs)-1] += k.Jobs
	}
	var ranges []fit.SizeRange
	for _, g := range equalGroups(jobs, n) {
		ranges = append(ranges, fit.SizeRange{From: int64(sizes[g.from]), To: int64(sizes[g.to-1])})
	}
	return ranges
}
