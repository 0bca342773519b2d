package cli

import (
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/fit/site"
)

// criterion is what laws are ranked by.
func (o fitOptions) criterion() fit.Criterion {
	if o.rank == "" {
		return fit.ByBIC
	}
	return o.rank
}

// warnLeader says where the first of several laws leads by a repeated value.
func (a *app) warnLeader(input string, ranked []fit.Ranked) {
	if len(ranked) < 2 || ranked[0].Place != 1 || len(ranked[0].Atoms) == 0 {
		return
	}
	r := ranked[0]
	a.warn("%s: %s leads the laws of %s, %s, but its %s; --rounding nearest takes the probability of such a value in place of a density",
		input, r.Family, r.Attribute, r.By, r.Atoms[0])
}

// markModel marks the laws that stand in the site's model, and not others of
// the same family: of interarrival times and sizes the model has laws of its
// own, of peak hours and of rounded sizes.
func markModel(reports []fit.Report, f siteFit) {
	for i := range reports {
		r := &reports[i]
		if r.Attribute != fit.RunTime {
			continue
		}
		for _, s := range []*site.Report{f.allReport, &f.report} {
			if s == nil {
				continue
			}
			for _, c := range s.Classes {
				if c.Label == r.By && c.RunTimes.Law.By == r.By && c.RunTimes.Law.Law == r.Law {
					r.InModel = true
				}
			}
		}
	}
}
