package figure

import (
	"fmt"
	"math"

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
		var samples []fit.Sample
		known := x.Why == ""
		for _, profile := range c.Profiles {
			values, counts := profile.Sample(a.attribute)
			samples = append(samples, fit.Sample{Values: values, Counts: counts})
			known = known && values[len(values)-1] >= 1
		}
		if !known {
			all = append(all, absent(attributes[a.fitted].name, a.attribute+" needs values of 1 or more in both"))
			continue
		}
		s, xs := distributions(a.fitted, fmt.Sprintf("%d and %d jobs, whose shares are at most %s apart (D)", x.A.Jobs, x.B.Jobs, view.Fixed(x.D, 4)), samples...)
		for k, w := range c.Workloads {
			s.Series = append(s.Series, curve(w.Name, k+1, xs, shareUpTo(samples[k])))
		}
		all = append(all, s)
	}
	cycles := absent("daily-cycles", "submissions are not known of both")
	if day := c.Comparison.Day; day != nil {
		shares := make([][]float64, 2)
		for i := range day.A {
			shares[0], shares[1] = append(shares[0], float64(day.A[i])), append(shares[1], float64(day.B[i]))
		}
		cycles = DailyCycles(fmt.Sprintf("chi-square %s, both scaled to %s jobs; up to about %d by chance", view.Sig(day.ChiSquare), view.Sig(day.Jobs), len(day.A)),
			[]string{c.Workloads[0].Name, c.Workloads[1].Name}, shares)
	}
	all = append(all, cycles)
	if c.Verdict != nil {
		all = append(all, ofTwins(c)...)
	}
	return all
}

// TwinPicture is a picture of a log and its twins.
type TwinPicture struct {
	Name, What string
	Curve      string // score.Curve.Name
	title      string
	x, y       Axis
	needs      string
}

// TwinPictures are the pictures of a verdict.
var TwinPictures = []TwinPicture{
	{"twin-load", "offered load by day of a log and its twins", score.LoadByDay,
		"How much work arrives each day", Axis{Title: "days since the first submission", Kind: Days}, Axis{Title: "offered load", Kind: Number}, "the machine's processors, sizes and run times"},
	{"twin-users", "jobs by user of a log and its twins", score.JobsByUser,
		"How active users are", Axis{Title: "jobs of a user", Kind: Logarithm}, Axis{Title: "share of users with as many jobs or more", Kind: Share, Max: 1}, "users"},
	{"twin-queue", "the queue's length by day, of a log and its twins", score.QueuedByDay,
		"How long the queue is", Axis{Title: "days since the first submission", Kind: Days}, Axis{Title: "waiting jobs, mean of the day", Kind: Number}, "a schedule (--schedule)"},
	{"twin-waits", "distribution of the waits of a log and its twins", score.WaitsUpTo,
		"How long jobs wait", Axis{Title: "wait", Kind: Duration}, Axis{Title: "share of jobs that wait no longer", Kind: Share, Max: 1}, "a schedule (--schedule)"},
}

// ofTwins are the pictures of a verdict. Those of its first schedule have plain
// names, those of others end in the policy and the loop.
func ofTwins(c *evaluate.CompareResult) []Spec {
	var all []Spec
	for _, p := range TwinPictures {
		found := false
		for _, curve := range c.Curves {
			if curve.Name != p.Curve {
				continue
			}
			s := p.draw(c.Workloads[0].Name, curve)
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
			all = append(all, absent(p.Name, "needs "+p.needs))
		}
	}
	return all
}

// draw draws a curve of a log over the band of its twins: from the 5 to the 95 %
// quantile, with the median over a log axis; one twin is a line. A curve by day has a
// step for each; one over a log axis is cut where nothing of it changes any more.
func (p TwinPicture) draw(name string, c score.Curve) Spec {
	s := Spec{Name: p.Name, Title: p.title, X: p.x, Y: p.y}
	n, kind, x := len(c.X), Line, c.X
	if n == 0 {
		s.Why = "the curve has no points"
		return s
	}
	if byDay := p.x.Kind == Days; byDay {
		kind, x = Level, append(x[:n:n], x[n-1]+1)
	} else {
		for n > 2 && c.A[n-1] == c.A[n-2] && c.Low[n-1] == c.Low[n-2] && c.High[n-1] == c.High[n-2] {
			n--
		}
		x = x[:n]
	}
	middle := Series{Name: "its twin", Kind: kind, Color: 2, X: x, Y: c.Middle[:n]}
	if c.Twins > 1 {
		s.Series = append(s.Series, Series{Name: fmt.Sprintf("5 to 95 %% of %d twins", c.Twins), Kind: Band, X: x, Low: c.Low[:n], High: c.High[:n]})
		middle.Name = "median of its twins"
	}
	s.Series = append(s.Series, Series{Name: name, Kind: kind, Color: 1, X: x, Y: c.A[:n]})
	if c.Twins == 1 || kind == Line { // by day it would hide the band
		s.Series = append(s.Series, middle)
	}
	top := 0.0
	for i := range n {
		for _, y := range []float64{c.A[i], c.High[i]} {
			if !math.IsNaN(y) {
				top = max(top, y)
			}
		}
	}
	if top == 0 {
		s.Why = c.Name + " is nothing but 0"
	}
	return s
}
