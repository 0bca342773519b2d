package fit

import (
	"cmp"
	"errors"
	"math"
	"slices"
)

// Ranked is a report with its place among those of the same jobs.
type Ranked struct {
	Report
	// Place is the rank by BIC, from 1; equals share it. It is 0 for a report without a
	// likelihood.
	Place int
	// Behind is the BIC less that of the best, whose own is 0. A difference of 10 counts as
	// very strong evidence (Kass and Raftery 1995).
	Behind float64
}

// Rank orders the reports of one attribute of the same jobs, as RankFamilies makes them, the best
// first. Likelihoods of different jobs cannot be compared.
func Rank(reports []Report) []Ranked {
	out := make([]Ranked, len(reports))
	for i, r := range reports {
		out[i].Report = r
	}
	slices.SortStableFunc(out, func(a, b Ranked) int { return cmp.Compare(a.BIC, b.BIC) })
	for i := range out {
		r := &out[i]
		if r.Behind = float64(r.BIC - out[0].BIC); math.IsInf(float64(r.BIC), 1) {
			r.Behind = math.Inf(1)
			continue
		}
		if r.Place = i + 1; i > 0 && r.BIC == out[i-1].BIC {
			r.Place = out[i-1].Place
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
