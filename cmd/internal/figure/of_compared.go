package figure

import (
	"fmt"

	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/score"
)

// compared are the attributes in the order of a score.Comparison's.
var compared = []struct {
	attribute string // as package score names it
	fitted    fit.Attribute
}{{score.RunTimeOf, fit.RunTime}, {score.SizeOf, fit.Size}, {score.WorkOf, fit.Work}, {score.InterarrivalOf, fit.Interarrival}}

// OfCompared returns the pictures of two workloads: the distributions of each
// attribute, the daily cycles and those of a verdict.
func OfCompared(c *evaluate.CompareResult) []Spec {
	var all []Spec
	for i, a := range compared {
		x := c.Comparison.Attributes[i]
		var groups []group
		for k, profile := range c.Profiles {
			values, counts := profile.Sample(a.attribute)
			groups = append(groups, group{name: c.Workloads[k].Name, sample: fit.Sample{Values: values, Counts: counts}})
		}
		s, _ := distributions(a.fitted, fmt.Sprintf("%d and %d jobs, whose shares are at most %s apart (D)", x.A.Jobs, x.B.Jobs, view.Fixed(x.D, 4)), groups...)
		if x.Why != "" {
			s.Why = a.attribute + " is not known of both"
		}
		all = append(all, s)
	}
	cycles := absent("daily-cycles", "submissions are not known of both")
	if day := c.Comparison.Day; day != nil {
		cycles = DailyCycles(fmt.Sprintf("chi-square %s, both scaled to %s jobs; up to about %d by chance", view.Sig(day.ChiSquare), view.Sig(day.Jobs), len(day.A)),
			[]string{c.Workloads[0].Name, c.Workloads[1].Name}, day.A[:], day.B[:])
	}
	all = append(all, cycles)
	if c.Verdict != nil {
		all = append(all, ofTwins(c)...)
	}
	return all
}

// twinPictures are the pictures of a log and its twins.
var twinPictures = []struct {
	curve, needs string // a score.Curve's name, and what it is made of
	spec         Spec
}{
	{score.LoadByDay, "the machine's processors, sizes and run times",
		Spec{Name: "twin-load", Title: "How much work arrives each day", X: Axis{Title: "days since the first submission", Kind: Days}, Y: Axis{Title: "offered load", Kind: Number}}},
	{score.JobsByUser, "users",
		Spec{Name: "twin-users", Title: "How active users are", X: Axis{Title: "jobs of a user", Kind: Logarithm}, Y: Axis{Title: "users with as many or more", Kind: Share, Max: 1}}},
	{score.QueuedByDay, "a schedule (--schedule)",
		Spec{Name: "twin-queue", Title: "How long the queue is", X: Axis{Title: "days since the first submission", Kind: Days}, Y: Axis{Title: "waiting jobs, mean of the day", Kind: Number}}},
	{score.WaitsUpTo, "a schedule (--schedule)",
		Spec{Name: "twin-waits", Title: "How long jobs wait", X: Axis{Title: "wait", Kind: Duration}, Y: Axis{Title: "jobs that wait no longer", Kind: Share, Max: 1}}},
}

// ofTwins are the pictures of a verdict. Those of its first schedule have plain
// names, those of others end in the policy and the loop.
func ofTwins(c *evaluate.CompareResult) []Spec {
	var all []Spec
	for _, p := range twinPictures {
		found := false
		for _, curve := range c.Curves {
			if curve.Name != p.curve {
				continue
			}
			s := p.spec
			s.addTwins(c.Workloads[0].Name, curve)
			s.Source = fmt.Sprintf("%s: %d jobs", c.Workloads[0].Name, c.Workloads[0].Jobs)
			if curve.Policy != "" {
				s.Source += fmt.Sprintf(", %s, %s estimates, %s", curve.Policy, c.Verdict.Estimates, curve.Loop)
				if found {
					s.Name += "-" + curve.Policy + "-" + curve.Loop
				}
			}
			found = true
			all = append(all, s)
		}
		if !found {
			all = append(all, absent(p.spec.Name, "needs "+p.needs))
		}
	}
	return all
}

// addTwins draws a curve of a log over the band of its twins: from the 5 to the 95 %
// quantile, with the median over a log axis; one twin is a line. A curve by day has a
// step for each; one over a log axis is cut where nothing of it changes any more.
func (s *Spec) addTwins(name string, c score.Curve) {
	n, kind, x := len(c.X), Line, c.X
	if n == 0 {
		s.Why = "the curve has no points"
		return
	}
	if byDay := s.X.Kind == Days; byDay {
		kind, x = Level, append(x[:n:n], x[n-1]+1)
	} else {
		for n > 2 && c.A[n-1] == c.A[n-2] && c.Low[n-1] == c.Low[n-2] && c.High[n-1] == c.High[n-2] {
			n--
		}
		x = x[:n]
	}
	middle := Series{Name: "its twin", Kind: kind, Color: 2, X: x, Y: c.Middle[:n]}
	if c.Twins > 1 {
		s.Series = append(s.Series, Series{Name: fmt.Sprintf("5 to 95 %% of %d twins", c.Twins), Kind: kind, X: x, Low: c.Low[:n], High: c.High[:n]})
		middle.Name = "median of its twins"
	}
	s.Series = append(s.Series, Series{Name: name, Kind: kind, Color: 1, X: x, Y: c.A[:n]})
	if c.Twins == 1 || kind == Line { // by day it would hide the band
		s.Series = append(s.Series, middle)
	}
}
