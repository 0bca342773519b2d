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

// Fit presents the fits of a log. show is SiteBrief, SiteFull or SiteNone.
func Fit(r *site.Result, show string) view.Result {
	shown := *r
	if show == SiteNone {
		shown.Site = nil
	}
	laws := lawsOf(r)
	return prose.Result("fit", fitted{&shown, laws, show == SiteFull}, shown, lawParameters(laws))
}

// Fits presents the distributions fitted to several logs in one table.
func Fits(fits []*site.Result) view.Result {
	laws := lawsOf(fits...)
	return prose.Result("laws", fitted{Laws: laws}, site.Several{Schema: site.SeveralSchema, Logs: fits}, lawParameters(laws))
}

// fitted is the data of the templates of prose/fit.txt.
type fitted struct {
	*site.Result
	Laws []fittedLaw
	Full bool // whether to show the complete model of each class of the site
}

// mostLaws is the largest number of laws in a table for people; if there are more, it has
// only the best one of each attribute and class.
const mostLaws = 40

// Shown returns the laws shown to people.
func (f fitted) Shown() []fittedLaw {
	if len(f.Laws) <= mostLaws {
		return f.Laws
	}
	return slices.DeleteFunc(slices.Clone(f.Laws), func(l fittedLaw) bool { return l.Place != 1 })
}

// Named returns the classes of the site's model.
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
	Label string // name of the site and, if it has several classes, of the class
	Of    string // name of the site
	model.Class
	Report *site.ClassReport // nil where it was not fitted to one log
}

// fittedLaw is a row of the table of laws.
type fittedLaw struct {
	Log string `csv:"log"`
	fit.Report
}

// lawsOf returns the laws fitted to logs. For one log they are grouped by attribute and class,
// each group sorted by BIC; for several logs they are sorted by attribute, class and family, so
// that comparable laws are adjacent.
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

// lawParameter is a row of the CSV: a parameter of a law.
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

// Average presents the average of the models of several sites.
func Average(r *site.AverageResult) view.Result {
	return prose.Result("average", averaged{r}, r, averaged{r}.parameters())
}

// averaged is the data of the template.
type averaged struct{ *site.AverageResult }

// Named returns the classes of the sites, followed by those of their average.
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

// averagedParameter is a row of the CSV: a parameter of a class of a model.
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
