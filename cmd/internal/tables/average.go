package tables

import (
	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit/survey"
	"github.com/loadstone-hpc/loadstone/model"
)

// Average is the result in its three forms.
func Average(r *survey.AverageResult) view.Result {
	var sites []model.Site
	for _, s := range append(r.Sites[:len(r.Sites):len(r.Sites)], r.Model) {
		sites = append(sites, s.Model.Site)
	}
	text := func(w *view.Screen) { w.Printf("%s", prose.Text("average", averagedOf(r, sites))) }
	return view.Result{Text: text, JSON: r, CSV: view.CSV(averagedParameters(sites))}
}

// averaged is what the template is given: the sites' classes, and what became of them.
type averaged struct {
	*survey.AverageResult
	Laws    view.Table
	Classes siteClasses
}

func averagedOf(r *survey.AverageResult, sites []model.Site) averaged {
	var rows []siteRow
	var laws []siteLaw
	for _, s := range sites {
		for _, c := range s.Classes {
			row := siteRowOf(c, nil)
			row.Class = s.Name
			if len(s.Classes) > 1 {
				row.Class += ", " + c.Name
			}
			rows = append(rows, row)
			laws = append(laws, siteLaw{Class: row.Class, Of: "run time", D: unknown, Law: lawText(c.Lublin().RunTimes.Law)})
			if c.Work != nil {
				laws = append(laws, siteLaw{Class: row.Class, Of: "work", D: unknown, Law: lawText(c.Work.Law)})
			}
		}
	}
	return averaged{r, view.For(laws).Without("jobs").Table(), siteClassesOf(rows)}
}

// averagedParameter is a number of a model.
type averagedParameter struct {
	Site  string `csv:"site"`
	Class string `csv:"class"`
	dist.Parameter
}

func averagedParameters(sites []model.Site) (all []averagedParameter) {
	for _, s := range sites {
		for _, c := range s.Classes {
			add := func(of string, parameters ...dist.Parameter) {
				for _, p := range parameters {
					p.Name = of + p.Name
					all = append(all, averagedParameter{s.Name, c.Name, p})
				}
			}
			l := c.Lublin()
			add("", dist.Parameter{Name: "serial_share", Value: l.Sizes.SerialShare}, dist.Parameter{Name: "power_of_two_share", Value: l.Sizes.PowerOfTwoShare})
			add("log2_", dist.Parameters(l.Log2)...)
			add("run_time_", dist.Parameters(l.RunTimes.Law)...)
			add("", dist.Parameter{Name: "p_slope", Value: l.RunTimes.PSlope}, dist.Parameter{Name: "p_intercept", Value: l.RunTimes.PIntercept})
			if c.Work != nil {
				add("work_", dist.Parameters(c.Work.Law)...)
			}
			add("peak_", dist.Parameters(l.Gaps.Peak)...)
			add("", dist.Parameter{Name: "arar", Value: l.Gaps.ARAR})
			if c.Arrivals.Method != model.Stationary {
				add("cycle_", dist.Parameters(l.Cycle)...)
			}
		}
	}
	return all
}
