package figure

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/fit/lifetimes"
	"github.com/loadstone-hpc/loadstone/fit/site"
	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/workload"
)

const (
	// mostLaws is the largest number of laws in a picture, which shows those closest
	// to the jobs.
	mostLaws = 6
	// mostClasses is the largest number of classes in a picture, which shows those with
	// the most jobs.
	mostClasses = 6
)

// OfFits returns, for each class, pictures of the distribution and the density of each attribute
// with the laws fitted to it, and of the daily cycle of the model. If there are several classes,
// a picture of the run times of all follows.
func OfFits(r *site.Result) []Spec {
	var all []Spec
	log := filepath.Base(r.Log.Name)
	for _, class := range r.Classes {
		source := log
		if class.Column != "" {
			source += ", " + class.Label()
		}
		var own []Spec
		for _, attribute := range r.Attributes {
			own = append(own, ofAttribute(source, class, attribute, r.Fits)...)
		}
		if r.Site != nil {
			for _, c := range r.Site.Classes {
				if c.Label == class.Label() {
					own = append(own, ofSite(source, class, c)...)
				}
			}
		}
		for _, s := range own {
			if class.Column != "" {
				s.Name += "-" + strings.ReplaceAll(workload.InFileName(class.Label()), "=", "-")
			}
			all = append(all, s)
		}
	}
	if r.By == "" || !slices.Contains(r.Attributes, fit.RunTime) {
		return all
	}
	var groups []group
	for _, c := range r.Classes {
		g := group{name: strings.ReplaceAll(c.Label(), "_id=", " "), sample: c.Sample(fit.RunTime)}
		if own := closestTo(c, fit.RunTime, r.Fits); len(own) > 0 {
			g.law = lawWith(&own[0], g.sample)
		}
		if c.Column != "" {
			groups = append(groups, g)
		}
	}
	return append(all, ofClasses("run-times-by-"+workload.InFileName(r.By), log, "the closest distribution", strings.TrimSuffix(r.By, "_id"), groups))
}

// ofClasses returns a picture of the run times of the classes with the most jobs, each with its
// law. It sorts groups in place, the largest first.
func ofClasses(name, source, law, by string, groups []group) Spec {
	groups = slices.DeleteFunc(groups, func(g group) bool { return len(g.sample.Values) == 0 })
	slices.SortStableFunc(groups, func(x, y group) int { return cmp.Compare(y.sample.Jobs(), x.sample.Jobs()) })
	groups = groups[:min(len(groups), mostClasses)]
	return byClass(name, fmt.Sprintf("%s, %s; dashed: %s", source, words.Counted(jobsOf(groups), "job"), law), by, groups)
}

func jobsOf(groups []group) (jobs int64) {
	for _, g := range groups {
		jobs += g.sample.Jobs()
	}
	return jobs
}

// ofAttribute returns the pictures of an attribute with the laws fitted to it.
func ofAttribute(source string, class fit.Class, attribute fit.Attribute, reports []fit.Report) []Spec {
	sample, of := class.Sample(attribute), attributes[attribute]
	if len(sample.Values) == 0 {
		return []Spec{absent(of.name, "no job has "+of.jobs)}
	}
	source = fmt.Sprintf("%s, %s with %s", source, words.Counted(sample.Jobs(), "job"), of.jobs)
	own := closestTo(class, attribute, reports)
	var laws []Law
	for _, r := range own {
		laws = append(laws, LawOf(r, sample))
	}
	if len(own) == 0 {
		source += "; no distribution could be fitted"
	}
	return []Spec{Distribution(attribute, source, "the log", sample, laws), densities(attribute, source, sample, laws)}
}

// closestTo returns the fits to an attribute of a class with the smallest D, closest first,
// at most mostLaws of them.
func closestTo(class fit.Class, attribute fit.Attribute, reports []fit.Report) []fit.Report {
	var own []fit.Report
	for _, r := range reports {
		if r.Attribute == attribute && r.By == class.Label() {
			own = append(own, r)
		}
	}
	slices.SortStableFunc(own, func(a, b fit.Report) int { return cmp.Compare(a.KS.D, b.KS.D) })
	return own[:min(len(own), mostLaws)]
}

// lawWith returns a law fitted to a sample; nil if there is no report.
func lawWith(r *fit.Report, s fit.Sample) *Law {
	if r == nil {
		return nil
	}
	law := LawOf(*r, s)
	return &law
}

// ofSite returns the picture of the daily cycle of a class of a site's model, if it has one.
func ofSite(source string, class fit.Class, r site.ClassReport) (all []Spec) {
	if c := r.Arrivals.Cycle; c != nil {
		all = append(all, dailyCycle(fmt.Sprintf("%s, %s", source, words.Counted(c.N, "job")), class.Slots(), c))
	}
	return all
}

// OfLifetimes returns pictures of the run times of the classes with the most jobs and, if the log
// was divided into periods, of the last periods of the largest class, each with its fitted law.
func OfLifetimes(r *lifetimes.Result) []Spec {
	log := filepath.Base(r.Log)
	groupOf := func(label string, f lifetimes.Fitted) group {
		return group{label, f.Class.Sample, lawWith(f.Report, f.Class.Sample)}
	}
	var classes []group
	for _, c := range r.Classes {
		classes = append(classes, groupOf(c.Class.Label, c.Fitted))
	}
	all := []Spec{ofClasses("lifetimes", log, r.Family, "class", classes)}
	for _, d := range r.Drift {
		if d.Label != classes[0].name { // ofClasses has put the largest first
			continue
		}
		var steps []group
		for _, s := range d.Steps[max(0, len(d.Steps)-mostClasses):] { // the last ones
			if len(s.Fit.Class.Sample.Values) > 0 {
				steps = append(steps, groupOf(s.Fit.Class.Period.Label, s.Fit))
			}
		}
		if d.Label != "all" {
			log += ", class " + d.Label
		}
		all = append(all, byClass("lifetimes-drift", fmt.Sprintf("%s, %s; dashed: %s", log, words.Counted(jobsOf(steps), "job"), r.Family), byTime, steps))
	}
	return all
}
