package tables

import (
	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit/site"
	"github.com/loadstone-hpc/loadstone/fit/survey"
	"github.com/loadstone-hpc/loadstone/model"
)

// Average is the result in its three forms.
func Average(r *survey.AverageResult) present.Result {
	return present.Result{Text: func(w *present.Screen) { writeAverage(w, r) }, JSON: r, CSV: averageCSV(r)}
}

// writeAverage is the table for people: the sites' classes, and what became of them.
func writeAverage(w *present.Screen, r *survey.AverageResult) {
	t := siteTable()
	t.Head[0] = "site"
	laws := present.Table{Head: []string{"site", "of", "shape 1", "scale 1", "shape 2", "scale 2", "p"}}
	add := func(s model.Site) {
		for _, c := range s.Classes {
			name := s.Name
			if len(s.Classes) > 1 {
				name += ", " + c.Name
			}
			c.Name = name
			addSiteRow(&t, c, nil)
			law := c.Lublin().RunTimes.Law
			laws.Add(name, "ln run time", present.Sig(law.First.Shape), present.Sig(law.First.Scale), present.Sig(law.Second.Shape), present.Sig(law.Second.Scale), present.Sig(law.P))
			if c.Work != nil {
				law = c.Work.Law
				laws.Add(name, "ln work", present.Sig(law.First.Shape), present.Sig(law.First.Scale), present.Sig(law.Second.Shape), present.Sig(law.Second.Scale), present.Sig(law.P))
			}
		}
	}
	for _, s := range r.Sites {
		add(s.Model.Site)
	}
	add(r.Model.Model.Site)
	w.Printf("model of %d sites by %s, %d processors\n\n", len(r.Sites), r.Method, r.Model.Model.Processors)
	w.Tables(t.Without("D sizes", "-"), laws)
	for _, c := range r.Report.Classes {
		for _, s := range []struct {
			of     string
			search *site.LawSearch
		}{{"run times", c.RunTimes}, {"work", c.Work}} {
			if s.search == nil {
				continue
			}
			w.Printf("\n%s, %s: of %d distributions %d have two modes in the right places; the best is %s from the middle of the sites' densities\n",
				c.Name, s.of, s.search.Tried, s.search.Kept, present.Fixed(s.search.Distance, 3))
		}
	}
}

// averageCSV has a row for each number of each model.
func averageCSV(r *survey.AverageResult) present.Table {
	t := present.Table{Head: []string{"site", "class", "parameter", "value"}}
	add := func(s model.Site) {
		for _, c := range s.Classes {
			row := func(name string, v float64) { t.Add(s.Name, c.Name, name, present.Full(v)) }
			l := c.Lublin()
			row("serial_share", l.Sizes.SerialShare)
			row("power_of_two_share", l.Sizes.PowerOfTwoShare)
			row("log2_low", l.Log2.Low)
			row("log2_mid", l.Log2.Mid)
			row("log2_high", l.Log2.High)
			row("log2_p", l.Log2.P)
			laws := func(of string, law dist.HyperGamma) {
				row(of+"_shape_1", law.First.Shape)
				row(of+"_scale_1", law.First.Scale)
				row(of+"_shape_2", law.Second.Shape)
				row(of+"_scale_2", law.Second.Scale)
				row(of+"_p", law.P)
			}
			laws("run_time", l.RunTimes.Law)
			row("p_slope", l.RunTimes.PSlope)
			row("p_intercept", l.RunTimes.PIntercept)
			if c.Work != nil {
				laws("work", c.Work.Law)
			}
			row("peak_shape", l.Gaps.Peak.Shape)
			row("peak_scale", l.Gaps.Peak.Scale)
			row("arar", l.Gaps.ARAR)
			if c.Arrivals.Method != model.Stationary {
				row("cycle_shape", l.Cycle.Shape)
				row("cycle_scale", l.Cycle.Scale)
			}
		}
	}
	for _, s := range r.Sites {
		add(s.Model.Site)
	}
	add(r.Model.Model.Site)
	return t
}
