package figure

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/fit/survey"
	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/workload"
)

// mostLaws is the number of laws that one picture shows: those closest to the
// jobs.
const mostLaws = 6

// The names of the pictures of a site's model.
const (
	RemainingName     = "remaining-lifetimes"
	DailyCycleName    = "daily-cycle"
	WeeklyCycleName   = "weekly-cycle"
	BySizeName        = "run-times-by-size"
	BySizeModelName   = "run-times-by-size-model"
	ByColumnName      = "run-times-by-" // and the column
	LifetimesName     = "lifetimes"
	LifetimeDriftName = "lifetimes-drift"
)

// attributeNames are the beginnings of the names of an attribute's pictures.
var attributeNames = map[fit.Attribute]string{
	fit.RunTime: "run-times", fit.Size: "sizes", fit.Work: "work", fit.Interarrival: "interarrivals",
}

// ofWords say what the jobs of a picture have.
var ofWords = map[fit.Attribute]string{
	fit.RunTime: "a run time", fit.Size: "a size", fit.Work: "a size and a run time", fit.Interarrival: "an interarrival time",
}

// OfFits returns, for each class and attribute, the distribution with the laws
// fitted to it, its density, and the Q-Q plot; remaining lifetimes; and of
// the model the cycles and run times by size. Then the run times of the
// classes side by side.
func OfFits(r *survey.Result) []Picture {
	var all []Picture
	for _, class := range r.Classes {
		of := fitsOf{filepath.Base(r.Log.Name), class}
		for _, attribute := range r.Attributes {
			all = append(all, of.attribute(attribute, r.Fits)...)
		}
		for _, s := range r.Sites() {
			for _, c := range s.Classes {
				if c.Label == class.Label() {
					all = append(all, of.model(c)...)
				}
			}
		}
	}
	if err := r.WhyNoModel; err != nil {
		all = append(all, absentExtra(err.Error()+" (--least-jobs is how many)", DailyCycleName, WeeklyCycleName, BySizeName, BySizeModelName)...)
	}
	if r.By != "" && slices.Contains(r.Attributes, fit.RunTime) {
		all = append(all, OfClasses(r))
	}
	return all
}

// fitsOf are the pictures of one class of a log.
type fitsOf struct {
	log   string
	class fit.Class
}

// name is a picture's name with the class.
func (p fitsOf) name(name string) string {
	if p.class.Column == "" {
		return name
	}
	if p.class.Name != "" {
		return name + "-" + workload.InFileName(p.class.Name)
	}
	value := "-"
	if p.class.Value != workload.Unknown {
		value = strconv.FormatInt(p.class.Value, 10)
	}
	return name + "-" + p.class.Column + "-" + value
}

// source is the line below a picture's title.
func (p fitsOf) source(jobs int64, of string) string {
	if p.class.Column != "" {
		return fmt.Sprintf("%s, %s, %s with %s", p.log, p.class.Label(), words.Counted(jobs, "job"), of)
	}
	return fmt.Sprintf("%s, %s with %s", p.log, words.Counted(jobs, "job"), of)
}

// picture is one that is drawn from so many jobs.
func (p fitsOf) picture(name string, jobs int64, of string, draw func(w io.Writer, format, source string) error) Picture {
	return Picture{Name: p.name(name), Draw: func(w io.Writer, format string) error { return draw(w, format, p.source(jobs, of)) }}
}

// attribute are the pictures of an attribute with the laws fitted to it.
func (p fitsOf) attribute(attribute fit.Attribute, reports []fit.Report) []Picture {
	sample := p.class.Sample(attribute)
	name := attributeNames[attribute]
	density, qq := name+"-density", name+"-qq"
	if len(sample.Values) == 0 {
		why := "no job has " + ofWords[attribute]
		extra := []string{p.name(density), p.name(qq)}
		if attribute == fit.RunTime {
			extra = append(extra, p.name(RemainingName))
		}
		return append([]Picture{absent(p.name(name), why)}, absentExtra(why, extra...)...)
	}
	own := closestTo(p.class, attribute, reports)
	quantity, jobs, of := Quantity(attribute), sample.Jobs(), ofWords[attribute]
	data := Sample{Values: sample.Values, Counts: sample.Counts}
	if len(own) == 0 {
		of += "; no distribution could be fitted"
	}
	all := []Picture{
		p.picture(name, jobs, of, func(w io.Writer, format, source string) error {
			laws, err := lawsOf(own, sample)
			if err != nil {
				return err
			}
			return Distribution(w, format, source, quantity, data, laws)
		}),
		p.picture(density, jobs, of, func(w io.Writer, format, source string) error {
			laws, err := lawsOf(own, sample)
			if err != nil {
				return err
			}
			return Density(w, format, source, quantity, data, laws)
		}),
	}
	if len(own) == 0 {
		all = append(all, absentExtra("no distribution could be fitted that the log stands against", p.name(qq))...)
	} else {
		all = append(all, p.picture(qq, jobs, of, func(w io.Writer, format, source string) error {
			pairs, err := pairsOf(own, sample, len(sample.Values))
			if err != nil {
				return err
			}
			return QQ(w, format, source, quantity, pairs)
		}))
	}
	if attribute == fit.RunTime {
		all = append(all, p.remaining(sample, own))
	}
	return all
}

// closestTo are the fits to an attribute of a class, those with the least D first,
// as many as a picture tells apart.
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

// LawOf returns a fitted law as it is drawn beside the sample it was fitted to.
func LawOf(r fit.Report, sample fit.Sample) (Law, error) {
	jobs := float64(sample.Jobs())
	return NewLaw(r.Family, r.Law, Transform(r.Transform), (jobs-float64(r.N))/jobs)
}

func lawsOf(reports []fit.Report, sample fit.Sample) (laws []Law, err error) {
	for _, r := range reports {
		law, err := LawOf(r, sample)
		if err != nil {
			return nil, err
		}
		laws = append(laws, law)
	}
	return laws, nil
}

// pairsOf returns n points of a Q-Q plot of each law, from the values of the sample that it
// is fitted to.
func pairsOf(reports []fit.Report, sample fit.Sample, n int) (all []Pairs, err error) {
	for _, r := range reports {
		got, err := r.QQ(fittedPart(r, sample), n)
		if err != nil {
			return nil, err
		}
		p := Pairs{Name: r.Family}
		for _, q := range got {
			p.Model, p.Log = append(p.Model, q.Theoretical), append(p.Log, q.Empirical)
		}
		all = append(all, p)
	}
	return all, nil
}

// fittedPart is the part of a sample that a law is fitted to. Distributions that are compared
// are fitted without the smallest values if one of them, of the logarithm, cannot take those.
func fittedPart(r fit.Report, sample fit.Sample) fit.Sample {
	more := float64(-r.N) // values left above least
	for _, jobs := range sample.Counts {
		more += jobs
	}
	least := 0.0
	for i := 0; i < len(sample.Values) && more > 0; i++ {
		least = sample.Values[i]
		more -= sample.Counts[i]
	}
	part, _ := sample.Above(least)
	return part
}
