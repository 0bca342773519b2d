package fit

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/internal/par"
)

// SizeRange is the sizes from From to To, both included.
type SizeRange struct{ From, To int64 }

// SizeFit is the fit of the jobs of some sizes: two Gammas of ln of their run
// time and of ln of their total work. The paper's table 4 says run time, but
// its figures are of the work.
type SizeFit struct {
	SizeRange
	Jobs          int64 // of these sizes
	RunTime, Work *Report
	// WhyNoRunTime and WhyNoWork say why RunTime or Work is nil.
	WhyNoRunTime, WhyNoWork string
}

// PaperSizeRanges are the groups of sizes in table 4 of Lublin and Feitelson
// (2003) for its logs: SDSC95, SDSC96, KTH and LANL; false for any other name.
func PaperSizeRanges(log string) ([]SizeRange, bool) {
	switch log {
	case "SDSC95":
		return []SizeRange{{1, 4}, {5, 16}, {17, 400}}, true
	case "SDSC96":
		return []SizeRange{{1, 8}, {9, 16}, {17, 320}}, true
	case "KTH":
		return []SizeRange{{1, 4}, {5, 100}}, true
	case "LANL":
		return []SizeRange{{32, 32}, {64, 64}, {128, 128}, {256, 1024}}, true
	}
	return nil, false
}

// mostSizeRanges is the largest number of groups of sizes, and ownSizeRanges
// how many there are where none are given.
const (
	mostSizeRanges = 64
	ownSizeRanges  = 3
)

func validateRanges(ranges []SizeRange) error {
	if len(ranges) > mostSizeRanges {
		return fmt.Errorf("fit: %d groups of sizes, want at most %d", len(ranges), mostSizeRanges)
	}
	for i, r := range ranges {
		if r.From < 1 || r.To < r.From {
			return fmt.Errorf("fit: group of sizes is from %d to %d, want 1 or more, the first not above the last", r.From, r.To)
		}
		for _, other := range ranges[:i] {
			if r.From <= other.To && other.From <= r.To {
				return fmt.Errorf("fit: groups of sizes %d-%d and %d-%d overlap, want each size in one", other.From, other.To, r.From, r.To)
			}
		}
	}
	return nil
}

// fitBySize fits run times and work in each group of sizes.
func fitBySize(c Class, o SiteOptions) ([]SizeFit, error) {
	ranges := o.SizeRanges
	if ranges == nil {
		ranges = c.sizeRanges(ownSizeRanges)
	}
	fits := make([]SizeFit, len(ranges))
	errs := make([]error, 2*len(ranges))
	par.Each(o.Workers, 2*len(ranges), func(i int) {
		r := ranges[i/2]
		f := &fits[i/2]
		attribute, law, why := RunTime, &f.RunTime, &f.WhyNoRunTime
		if i%2 == 1 {
			attribute, law, why = Work, &f.Work, &f.WhyNoWork
		} else {
			f.SizeRange, f.Jobs = r, c.jobsOf(r)
		}
		by := fmt.Sprintf("%s, size %d to %d", c.Label(), r.From, r.To)
		options := Options{By: by}
		if attribute == RunTime {
			options = o.ofRunTimes(by)
		}
		options.Workers = 1
		report, err := Fit("hyper-gamma", attribute, c.SampleOfSizes(attribute, r), options)
		var degenerate *DegenerateError
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
func (c *Collector) jobsOf(r SizeRange) int64 {
	jobs := 0.0
	for k, n := range c.shapes {
		if r.has(k.size) {
			jobs += n
		}
	}
	return int64(jobs)
}

// SampleOfSizes is Sample of the jobs of some sizes alone.
func (c *Collector) SampleOfSizes(a Attribute, r SizeRange) Sample {
	counts := map[float64]float64{}
	missing := 0.0
	for k, n := range c.shapes {
		if !r.has(k.size) {
			continue
		}
		if v := k.of(a); math.IsNaN(v) {
			missing += n
		} else {
			counts[v] += n
		}
	}
	return SampleOfCounts(a, counts, int64(missing))
}

func (r SizeRange) has(size float64) bool {
	return size >= float64(r.From) && size <= float64(r.To)
}

// sizeRanges are at most n ranges of sizes with about equal numbers of jobs.
func (c *Collector) sizeRanges(n int) []SizeRange {
	counts := map[float64]float64{}
	for k, n := range c.shapes {
		if k.size > 0 {
			counts[k.size] += n
		}
	}
	sizes := make([]float64, 0, len(counts))
	for size := range counts {
		sizes = append(sizes, size)
	}
	slices.Sort(sizes)
	jobs := make([]float64, len(sizes))
	for i, size := range sizes {
		jobs[i] = counts[size]
	}
	var ranges []SizeRange
	for _, g := range equalGroups(jobs, n) {
		ranges = append(ranges, SizeRange{int64(sizes[g.from]), int64(sizes[g.to-1])})
	}
	return ranges
}
