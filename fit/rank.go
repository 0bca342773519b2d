package fit

import (
	"cmp"
	"errors"
	"math"
	"slices"
)

// Ranked is a report with its place among those that it can be compared with.
type Ranked struct {
	Report
	// Group numbers, from 1, the reports that can be compared: those of one
	// attribute of the same jobs. Likelihoods of different jobs cannot: a law
	// of ln t is fitted without the shortest jobs, one of t is not.
	Group int
	// Place is the rank by BIC in the group, from 1; equals share it. It is 0 for
	// a report without a likelihood.
	Place int
	// Behind is the BIC less that of the best in the group, whose own is 0. A
	// difference of 10 counts as very strong evidence (Kass and Raftery
	// 1995).
	Behind float64
}

// Rank orders the reports of one sample, the best first. Reports that cannot
// be compared, because they are not of the same attribute, class and number of
// jobs, go to groups of their own: the group with the most reports comes
// first, of equals the one with the most jobs.
func Rank(reports []Report) []Ranked {
	type key struct {
		attribute Attribute
		by        string
		n         int64
	}
	keyOf := func(r Ranked) key { return key{r.Attribute, r.By, r.N} }
	size, first := map[key]int{}, map[key]int{}
	out := make([]Ranked, len(reports))
	for i, r := range reports {
		out[i].Report = r
		k := keyOf(out[i])
		if size[k]++; size[k] == 1 {
			first[k] = i
		}
	}
	slices.SortStableFunc(out, func(a, b Ranked) int {
		x, y := keyOf(a), keyOf(b)
		return cmp.Or(cmp.Compare(size[y], size[x]), cmp.Compare(y.n, x.n), cmp.Compare(first[x], first[y]), cmp.Compare(a.BIC, b.BIC))
	})
	for i, best := 0, 0; i < len(out); i++ {
		r := &out[i]
		r.Group, r.Place = 1, 1
		if i > 0 {
			last := out[i-1]
			if r.Group = last.Group; keyOf(last) != keyOf(*r) {
				r.Group, best = r.Group+1, i
			} else if r.Place = i - best + 1; r.BIC == last.BIC {
				r.Place = last.Place
			}
		}
		if r.Behind = float64(r.BIC - out[best].BIC); math.IsInf(float64(r.BIC), 1) {
			r.Place, r.Behind = 0, math.Inf(1)
		}
	}
	return out
}

// Ranking is a table of families fitted to the same jobs.
type Ranking struct {
	Ranked []Ranked
	Failed []*DegenerateError // the families that the jobs do not determine
}

// RankFamilies fits families to an attribute and ranks them by BIC: to the jobs that
// all of them can use, so that all can be compared. If any family is fitted to
// a logarithm, that is the jobs above 1 (second, processor, ..); the rest is in
// the reports' LeftOut. An empty list of names is all families. Errors are
// those of Fit, except a *DegenerateError, which is in the result.
func RankFamilies(names []string, a Attribute, s Sample, o Options) (Ranking, error) {
	var out Ranking
	if len(names) == 0 {
		names = namesOf(o.families(), func(family) bool { return true })
	}
	common, err := commonSample(names, a, s, o)
	if err != nil {
		return out, err
	}
	var reports []Report
	for _, name := range names {
		r, err := Fit(name, a, common, o)
		var degenerate *DegenerateError
		if errors.As(err, &degenerate) {
			out.Failed = append(out.Failed, degenerate)
			continue
		}
		if err != nil {
			return out, err
		}
		reports = append(reports, r)
	}
	out.Ranked = Rank(reports)
	return out, nil
}

// commonSample returns the jobs of a sample that all of the named families can
// use. It is an error if the attribute or the sample is not valid.
func commonSample(names []string, a Attribute, s Sample, o Options) (Sample, error) {
	if err := a.Validate(); err != nil {
		return s, err
	}
	if err := s.Validate(); err != nil {
		return s, err
	}
	least := 0.0
	for _, f := range o.families() {
		if f.positive && slices.Contains(names, f.name) {
			least = max(least, o.filled(f, a, s).Transform.least())
		}
	}
	return s.above(a, least), nil
}
