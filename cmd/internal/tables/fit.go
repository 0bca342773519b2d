package tables

import (
	"cmp"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/fit/site"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/stats"
)

// How much of the site's model is printed.
const (
	SiteBrief = "brief"
	SiteFull  = "full"
	SiteNone  = "none"
)

// Fit is the result in its three forms.
func Fit(r *site.Result, show string) view.Result {
	shown := *r
	if show == SiteNone {
		shown.Site = nil
	}
	laws := lawsOf(r)
	return prose.Result("fit", fitted{&shown, laws, show == SiteFull}, shown, lawParameters(laws))
}

// Fits are the distributions of several logs side by side, in its three forms.
func Fits(fits []*site.Result) view.Result {
	laws := lawsOf(fits...)
	return prose.Result("laws", fitted{Laws: laws}, site.Several{Schema: site.SeveralSchema, Logs: fits}, lawParameters(laws))
}

// fitted is what the templates of prose/fit.txt are given.
type fitted struct {
	*site.Result
	Laws []fittedLaw
	Full bool // all that was fitted of each class of the site
}

// mostLaws is how many laws a table for people shows before it shows the best alone.
const mostLaws = 40

// Shown are the laws that people see.
func (f fitted) Shown() []fittedLaw {
	if len(f.Laws) <= mostLaws {
		return f.Laws
	}
	return slices.DeleteFunc(slices.Clone(f.Laws), func(l fittedLaw) bool { return l.Place != 1 })
}

// Named are the classes of the site's model.
func (f fitted) Named() (all []siteClass) {
	if f.Site != nil {
		for i := range f.Site.Classes {
			all = append(all, siteClass{"", "", f.Model.Classes[i], &f.Site.Classes[i]})
		}
	}
	return all
}

// siteClass is a class of a site's model.
type siteClass struct {
	Label string // the site's name, and of several classes the class's
	Of    string // the site
	model.Class
	Report *site.ClassReport // nil where it was not fitted to one log
}

// fittedLaw is a row of the table of laws.
type fittedLaw struct {
	Log string `csv:"log"`
	fit.Report
}

// lawsOf are the laws of logs, those of each attribute and class in the order of BIC. Those of
// several logs that are to be compared stand together.
func lawsOf(logs ...*site.Result) (laws []fittedLaw) {
	for _, r := range logs {
		for _, f := range r.Fits {
			laws = append(laws, fittedLaw{r.Log.Name, f})
		}
	}
	if len(logs) > 1 {
		slices.SortStableFunc(laws, func(a, b fittedLaw) int {
			return cmp.Or(cmp.Compare(a.Attribute, b.Attribute), cmp.Compare(a.By, b.By), cmp.Compare(a.Family, b.Family))
		})
	}
	return laws
}

// lawParameter is a parameter of a law, a row of CSV.
type lawParameter struct {
	fittedLaw
	dist.Parameter
	fit.Interval
}

func lawParameters(laws []fittedLaw) (all []lawParameter) {
	for _, l := range laws {
		for _, p := range l.Parameters {
			i, ok := l.Report.Interval(p.Name)
			if !ok {
				i.Low, i.High = stats.Number(math.NaN()), stats.Number(math.NaN())
			}
			all = append(all, lawParameter{l, p, i})
		}
	}
	return all
}

// Average is the result in its three forms.
func Average(r *site.AverageResult) view.Result {
	return prose.Result("average", averaged{r}, r, averaged{r}.parameters())
}

// averaged is what the template is given.
type averaged struct{ *site.AverageResult }

// Named are the classes of the sites and of their average.
func (a averaged) Named() (all []siteClass) {
	for _, s := range append(slices.Clone(a.Sites), a.Model) {
		for _, c := range s.Model.Classes {
			label := s.Model.Name
			if len(s.Model.Classes) > 1 {
				label += ", " + c.Name
			}
			all = append(all, siteClass{label, s.Model.Name, c, nil})
		}
	}
	return all
}

// averagedParameter is a number of a model.
type averagedParameter struct {
	Site  string `csv:"site"`
	Class string `csv:"class"`
	dist.Parameter
}

func (a averaged) parameters() (all []averagedParameter) {
	for _, c := range a.Named() {
		add := func(of string, parameters ...dist.Parameter) {
			for _, p := range parameters {
				p.Name = of + p.Name
				all = append(all, averagedParameter{c.Of, c.Name, p})
			}
		}
		sizes, times := c.Sizes.(*model.TwoStageSizes), c.RunTimes.(*model.GammaRunTimes)
		add("", dist.Parameter{Name: "serial_share", Value: sizes.SerialShare}, dist.Parameter{Name: "power_of_two_share", Value: sizes.PowerOfTwoShare})
		add("log2_", dist.Parameters(sizes.Log2)...)
		add("run_time_", dist.Parameters(times.Law.HyperGamma)...)
		add("", dist.Parameter{Name: "p_slope", Value: times.PSlope}, dist.Parameter{Name: "p_intercept", Value: times.PIntercept})
		add("peak_", dist.Parameters(c.Arrivals.Peak.Gamma)...)
		add("", dist.Parameter{Name: "arar", Value: c.Arrivals.ARAR})
		if c.Arrivals.Method != model.Stationary {
			add("cycle_", dist.Parameters(c.Arrivals.Cycle)...)
		}
	}
	return all
}
