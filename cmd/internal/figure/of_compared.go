package figure

import (
	"fmt"

	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/fit"
)

// compared lists the attributes in the order of score.Comparison.Attributes.
var compared = []fit.Attribute{fit.RunTime, fit.Size, fit.Work, fit.Interarrival}

// OfCompared returns the pictures of a comparison of two workloads: the distributions of
// each attribute, and the daily cycles.
func OfCompared(c *evaluate.CompareResult) []Spec {
	var all []Spec
	for i, a := range compared {
		x := c.Comparison.Attributes[i]
		var groups []group
		for k, profile := range c.Profiles {
			values, counts := profile.Sample(i)
			groups = append(groups, group{name: c.Workloads[k].Name, sample: fit.Sample{Values: values, Counts: counts}})
		}
		s, _ := distributions(a, fmt.Sprintf("%d and %d jobs, whose shares are at most %s apart (D)", x.A.Jobs, x.B.Jobs, view.Fixed(x.D, 4)), groups...)
		if x.Why != "" {
			s.Why = x.Name + ": " + x.Why
		}
		all = append(all, s)
	}
	cycles := absent("daily-cycles", "submissions are unknown in one of the workloads")
	if day := c.Comparison.Day; day != nil {
		cycles = DailyCycles(fmt.Sprintf("chi-square %s, both scaled to %s jobs; up to about %d by chance", view.Sig(day.ChiSquare), view.Sig(day.Jobs), len(day.A)),
			[]string{c.Workloads[0].Name, c.Workloads[1].Name}, day.A[:], day.B[:])
	}
	return append(all, cycles)
}
