package fit

import (
	"cmp"
	"errors"
	"math"
	"slices"
)

// rank sorts reports by BIC, the best first, and sets Place and Behind. The reports must be of
// one attribute of the same jobs, because other likelihoods cannot be compared.
func rank(reports []Report) {
	slices.SortStableFunc(reports, func(a, b Report) int { return cmp.Compare(a.BIC, b.BIC) })
	for i := range reports {
		r := &reports[i]
		if r.Behind = float64(r.BIC - reports[0].BIC); math.IsInf(float64(r.BIC), 1) {
			r.Behind = math.Inf(1)
			continue
		}
		if r.Place = i + 1; i > 0 && r.BIC == reports[i-1].BIC {
			r.Place = reports[i-1].Place
		}
	}
}

// RankFamilies fits families to an attribute and returns the reports in the order of BIC, the
// best first. It uses the jobs that all families can use, so that the reports can be compared. If
// any family is fitted to a logarithm, these are the jobs above 1 (second, processor or the
// like); the other jobs are in the reports' LeftOut. An empty list of names means all families.
// failed are the errors of the families that the jobs do not determine. Other errors are as for
// Fit.
func RankFamilies(names []string, a Attribute, s Sample, o Options) (ranked []Report, failed []*DegenerateError, err error) {
	if len(names) == 0 {
		names = namesOf(o.families(), func(family) bool { return true })
	}
	common, err := commonSample(names, a, s, o)
	if err != nil {
		return nil, nil, err
	}
	for _, name := range names {
		r, err := Fit(name, a, common, o)
		var degenerate *DegenerateError
		switch {
		case errors.As(err, &degenerate):
			failed = append(failed, degenerate)
		case err != nil:
			return nil, nil, err
		default:
			ranked = append(ranked, r)
		}
	}
	rank(ranked)
	return ranked, failed, nil
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
		if slices.Contains(names, f.name) {
			least = max(least, f.least(a))
		}
	}
	return s.above(a, least), nil
}
