package fit

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/loadstone-hpc/loadstone/stats"
)

// Sample contains the known and positive values of an attribute: distinct, in
// ascending order, with the number of jobs of each, as stats.Distinct returns
// them. The cost of a fit depends on the distinct values, not on the number of
// jobs.
type Sample struct {
	Values  []float64 // distinct, ascending, finite, above 0
	Counts  []float64 // number of jobs of each value, above 0
	LeftOut []LeftOut // jobs that are not in the sample

	// Censored[i] is the number of the Counts[i] jobs that were killed at their limit, so that
	// their value is only a lower bound; nil if unknown. A fit uses it if Options.Censored is
	// set.
	Censored []float64
}

// LeftOut is a number of jobs that a fit did not use, and the reason.
type LeftOut struct {
	Why  string `json:"why"`
	Jobs int64  `json:"jobs"`
}

// NewSample returns the sample of an attribute's values, one for each job.
// Unknown (NaN) and infinite values and those not above 0 are left out. values
// is not changed.
func NewSample(a Attribute, values []float64) Sample {
	v, c := stats.Distinct(values)
	return newSample(a, v, c, int64(len(values))-Sample{Counts: c}.Jobs())
}

// SampleOfCounts returns the sample of an attribute from a map of values to
// numbers of jobs; values may have any sign. unknown is the number of jobs
// without a value.
func SampleOfCounts(a Attribute, counts map[float64]float64, unknown int64) Sample {
	keys := make([]float64, 0, len(counts))
	for v := range counts {
		keys = append(keys, v)
	}
	values, _ := stats.Distinct(keys) // sorted
	n := make([]float64, len(values))
	for i, v := range values {
		n[i] = counts[v]
	}
	return newSample(a, values, n, unknown)
}

// newSample returns the sample of distinct values, of any sign, with counts. unknown is the
// number of jobs without a value.
func newSample(a Attribute, values, counts []float64, unknown int64) Sample {
	all := Sample{Values: values, Counts: counts}
	name, _ := a.words()
	from, to := all.place(0), sort.SearchFloat64s(values, math.Inf(1))
	s := all.part(from, to)
	s.LeaveOut(name+" unknown", unknown)
	s.LeaveOut(name+" not positive", all.part(0, from).Jobs())
	s.LeaveOut(name+" infinite", all.part(to, len(values)).Jobs())
	return s
}

// place returns the index of the first value above v.
func (s Sample) place(v float64) int {
	return sort.Search(len(s.Values), func(i int) bool { return s.Values[i] > v })
}

// part returns the sample of Values[from:to].
func (s Sample) part(from, to int) Sample {
	s.Values, s.Counts = s.Values[from:to], s.Counts[from:to]
	if s.Censored != nil {
		s.Censored = s.Censored[from:to]
	}
	return s
}

// LeaveOut records a number of jobs that are left out, unless it is 0, and the
// reason.
func (s *Sample) LeaveOut(why string, jobs int64) {
	if jobs > 0 {
		// Copy the list, because samples may share it.
		s.LeftOut = append(s.LeftOut[:len(s.LeftOut):len(s.LeftOut)], LeftOut{why, jobs})
	}
}

// Jobs returns the number of jobs in the sample.
func (s Sample) Jobs() int64 {
	n := 0.0
	for _, c := range s.Counts {
		n += c
	}
	return int64(n)
}

// Validate returns nil, or an error that names the first value that breaks the rules
// of a Sample.
func (s Sample) Validate() error {
	if len(s.Values) != len(s.Counts) {
		return fmt.Errorf("sample has %d values and %d counts, want as many", len(s.Values), len(s.Counts))
	}
	last := 0.0
	for i, v := range s.Values {
		if !(v > last) || math.IsInf(v, 1) {
			return fmt.Errorf("sample's value %d is %g after %g, want distinct finite values above 0 in ascending order", i, v, last)
		}
		if c := s.Counts[i]; !(c > 0) || math.IsInf(c, 1) {
			return fmt.Errorf("sample's count %d is %g, want a finite number above 0", i, c)
		}
		last = v
	}
	if s.Censored != nil && len(s.Censored) != len(s.Values) {
		return fmt.Errorf("sample has %d values and %d counts of censored jobs, want as many, or none", len(s.Values), len(s.Censored))
	}
	for i, c := range s.Censored {
		if !(c >= 0 && c <= s.Counts[i]) {
			return fmt.Errorf("sample's count of censored jobs %d is %g, want 0 to the count, %g", i, c, s.Counts[i])
		}
	}
	return nil
}

// Above returns the part of the sample with values above least, and the
// number of jobs cut off.
func (s Sample) Above(least float64) (Sample, int64) {
	at := s.place(least)
	return s.part(at, len(s.Values)), s.part(0, at).Jobs()
}

// above leaves out the jobs whose attribute is not above least, unless that is 0.
func (s Sample) above(a Attribute, least float64) Sample {
	if least == 0 {
		return s
	}
	name, unit := a.words()
	kept, cut := s.Above(least)
	kept.LeaveOut(fmt.Sprintf("%s not above %g%s", name, least, unit), cut)
	return kept
}

// whole reports whether all values are whole numbers.
func (s Sample) whole() bool {
	return !slices.ContainsFunc(s.Values, func(v float64) bool { return v != math.Trunc(v) })
}

// UpTo returns the part of the sample with values up to most; the others are left out for the
// reason why.
func (s Sample) UpTo(most float64, why string) Sample {
	at := s.place(most)
	kept := s.part(0, at)
	kept.LeaveOut(why, s.part(at, len(s.Values)).Jobs())
	return kept
}
