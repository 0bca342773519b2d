package figure

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/fit/lifetimes"
	"github.com/loadstone-hpc/loadstone/fit/site"
	"github.com/loadstone-hpc/loadstone/fit/survey"
	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/workload"
)

const (
	// mostLaws is the number of laws that one picture shows: those closest to the
	// jobs. mostRemaining is that of remaining lifetimes, two lines each.
	mostLaws, mostRemaining = 6, 3
	// mostClasses is how many classes are drawn in one picture: those with the most
	// jobs.
	mostClasses = 6
	// fewestLeft is how many jobs the log's remaining lifetimes rest on at least,
	// and drawnAges at how many ages they are drawn.
	fewestLeft, drawnAges = 10, 120
)

// OfFits returns, for each class and attribute, the distribution with the laws
// fitted to it, its density, and the Q-Q plot; remaining lifetimes; and of
// the model the cycles and run times by size. Then the run times of the
// classes side by side.
func OfFits(r *survey.Result) []Spec {
	var all []Spec
	for _, class := range r.Classes {
		of := classPictures{filepath.Base(r.Log.Name), class}
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
		all = append(all, absentExtra(err.Error()+" (--least-jobs is how many)", "daily-cycle", "weekly-cycle", "run-times-by-size", "run-times-by-size-model")...)
	}
	if r.By != "" && slices.Contains(r.Attributes, fit.RunTime) {
		all = append(all, ofClasses(r))
	}
	return all
}

// classPictures are those of one class of a log.
type classPictures struct {
	log   string
	class fit.Class
}

// name is a picture's name with the class.
func (p classPictures) name(name string) string {
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
func (p classPictures) source(jobs int64, of string) string {
	if p.class.Column != "" {
		return fmt.Sprintf("%s, %s, %s with %s", p.log, p.class.Label(), words.Counted(jobs, "job"), of)
	}
	return fmt.Sprintf("%s, %s with %s", p.log, words.Counted(jobs, "job"), of)
}

// attribute are the pictures of an attribute with the laws fitted to it.
func (p classPictures) attribute(attribute fit.Attribute, reports []fit.Report) []Spec {
	sample, words := p.class.Sample(attribute), attributes[attribute]
	if len(sample.Values) == 0 {
		why := "no job has " + words.jobs
		extra := []string{p.name(words.name + "-density"), p.name(words.name + "-qq")}
		if attribute == fit.RunTime {
			extra = append(extra, p.name("remaining-lifetimes"))
		}
		return append([]Spec{absent(p.name(words.name), why)}, absentExtra(why, extra...)...)
	}
	own, source := closestTo(p.class, attribute, reports), p.source(sample.Jobs(), words.jobs)
	var laws []Law
	for _, r := range own {
		laws = append(laws, LawOf(r, sample))
	}
	if len(own) == 0 {
		source += "; no distribution could be fitted"
	}
	all := []Spec{Distribution(attribute, source, "the log", sample, laws), densities(attribute, source, sample, laws)}
	if len(own) == 0 {
		all = append(all, absentExtra("no distribution could be fitted that the log stands against", words.name+"-qq")...)
	} else {
		all = append(all, quantiles(attribute, source, own, sample))
	}
	if attribute == fit.RunTime {
		all = append(all, remaining(p.source(sample.Jobs(), words.jobs), sample, own))
	}
	for i := range all {
		all[i].Name = p.name(all[i].Name)
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

// remaining draws the median and the mean remaining lifetime of jobs against their
// age: figure 2 of Downey (1997, queue times), with the mean beside it. A law is cut
// where it is more than ten times outside of the log's remaining lifetimes.
func remaining(source string, sample fit.Sample, reports []fit.Report) Spec {
	s := Spec{Name: "remaining-lifetimes", Title: "How much longer a job runs", Source: source, Extra: true,
		X: Axis{Title: "age: how long the job has run", Kind: Duration}, Y: Axis{Title: "remaining lifetime", Kind: Duration}}
	ages := lifetimes.Ages(sample, drawnAges)
	add := func(name string, color int, median, mean []float64) {
		s.Series = append(s.Series, Series{Name: name + ", median", Kind: Line, Color: color, Dash: Solid, X: ages[:len(median)], Y: median})
		if slices.ContainsFunc(mean, Duration.has) { // a law of ln t may have none
			s.Series = append(s.Series, Series{Name: name + ", mean", Kind: Line, Color: color, Dash: Dashed, X: ages[:len(mean)], Y: mean})
		}
	}
	of := func(law dist.Law) []lifetimes.Remaining {
		points, err := lifetimes.RemainingAt(law, sample, ages)
		if err != nil {
			s.Why = err.Error()
		}
		return points
	}
	var median, mean, models []float64
	for _, x := range of(nil) {
		if x.Left < fewestLeft {
			break
		}
		median, mean = append(median, float64(x.MedianData)), append(mean, float64(x.MeanData))
	}
	if len(median) == 0 {
		s.Why = cmp.Or(s.Why, fmt.Sprintf("no age has %d jobs that run longer", fewestLeft))
		return s
	}
	ages = ages[:len(median)]
	add("the log", 0, median, mean)
	data := slices.Concat(median, mean)
	for i, r := range reports[:min(len(reports), mostRemaining)] {
		if law, ok := r.AttributeLaw(); ok {
			var median, mean []float64
			for _, x := range of(law) {
				median, mean = append(median, float64(x.MedianModel)), append(mean, float64(x.MeanModel))
			}
			add(r.Family, i+1, median, mean)
			models = append(append(models, median...), mean...)
		}
	}
	low, high := aroundData(data, models)
	s.Y.Min, s.Y.Max = low/1.2, high*1.2
	return s
}

// model are the pictures of what the site's model has beside laws of attributes.
func (p classPictures) model(r site.ClassReport) []Spec {
	all := absentExtra("the times of submission determine no cycle", "daily-cycle", "weekly-cycle")
	if c := r.Arrivals.Cycle; c != nil {
		all[0] = DailyCycle(p.source(c.N, "a time of submission"), p.class.Slots(), c)
	}
	if r.Arrivals.Week != nil {
		var jobs [7]float64
		var n int64
		for i, k := range r.Arrivals.Week.Jobs {
			jobs[i] = float64(k)
			n += k
		}
		all[1] = WeeklyCycle(p.source(n, "a time of submission"), jobs)
	}
	if len(r.BySize) < 2 {
		all = append(all, absentExtra("the site's fit has not two ranges of sizes", "run-times-by-size", "run-times-by-size-model")...)
	} else {
		all = append(all,
			p.bySize("run-times-by-size", "a size and a run time; dashed: two Gammas of ln t", r.BySize, func(f site.SizeFit, s fit.Sample) *Law {
				return lawWith(f.RunTime, s)
			}),
			p.bySize("run-times-by-size-model", "a size and a run time; dashed: the model with p(size)", r.BySize, func(f site.SizeFit, s fit.Sample) *Law {
				return p.modelOfSizes(f.SizeRange, s, r.RunTimes)
			}))
	}
	for i := range all {
		all[i].Name = p.name(all[i].Name)
	}
	return all
}

// lawWith is a law fitted to a sample; nil if there is no report.
func lawWith(r *fit.Report, s fit.Sample) *Law {
	if r == nil {
		return nil
	}
	law := LawOf(*r, s)
	return &law
}

// bySize are the run times of the groups of sizes that the site's fit takes apart,
// each with a law.
func (p classPictures) bySize(name, of string, fits []site.SizeFit, law func(site.SizeFit, fit.Sample) *Law) Spec {
	var groups []group
	var jobs int64
	for _, f := range fits {
		s := p.class.SampleOfSizes(fit.RunTime, f.SizeRange)
		if len(s.Values) == 0 {
			continue
		}
		label := fmt.Sprintf("%d to %d processors", f.From, f.To)
		if f.From == f.To {
			label = words.Counted(f.From, "processor")
		}
		groups = append(groups, group{label, s, law(f, s)})
		jobs += s.Jobs()
	}
	return byClass(name, p.source(jobs, of), "size", groups)
}

// modelOfSizes is the law that the model of Lublin and Feitelson (2003), section 3.2.3,
// has for the run times s of the jobs of a range of sizes: it is linear in
// p, so that p is the mean of p(size) over the jobs. It is nil without a model.
func (p classPictures) modelOfSizes(sizes fit.SizeRange, s fit.Sample, of site.RunTimesReport) *Law {
	law, ok := of.Law.Law.(dist.HyperGamma)
	i := slices.IndexFunc(of.Shares, func(f site.ShareFit) bool { return f.Form == of.Form && f.Estimator == of.Estimator })
	if !ok || i < 0 {
		return nil
	}
	jobs, share := 0.0, 0.0
	all := p.class.Sample(fit.Size)
	for k, size := range all.Values {
		if size >= float64(sizes.From) && size <= float64(sizes.To) {
			jobs += all.Counts[k]
			share += all.Counts[k] * max(0, min(1, of.Shares[i].At(size)))
		}
	}
	if jobs == 0 {
		return nil
	}
	law.P = share / jobs
	// Jobs of up to 1 s have no place in a law of ln t.
	drawn := newLaw(of.Law.Family, law, fit.Ln, shareUpTo(s)(1))
	return &drawn
}

// ofClasses draws the run times of the classes with the most jobs, each with the
// closest of the laws fitted to it.
func ofClasses(r *survey.Result) Spec {
	classes := slices.Clone(r.Classes)
	slices.SortStableFunc(classes, func(x, y fit.Class) int {
		return cmp.Compare(y.Sample(fit.RunTime).Jobs(), x.Sample(fit.RunTime).Jobs())
	})
	var groups []group
	var jobs int64
	for _, c := range classes {
		s := c.Sample(fit.RunTime)
		if c.Column == "" || len(s.Values) == 0 || len(groups) == mostClasses {
			continue
		}
		g := group{name: strings.ReplaceAll(c.Label(), "_id=", " "), sample: s}
		if own := closestTo(c, fit.RunTime, r.Fits); len(own) > 0 {
			g.law = lawWith(&own[0], s)
		}
		groups, jobs = append(groups, g), jobs+s.Jobs()
	}
	which := fmt.Sprintf("the %d largest classes", len(groups))
	if len(groups) < mostClasses {
		which = fmt.Sprintf("%d classes", len(groups))
	}
	source := fmt.Sprintf("%s, %d jobs of %s; dashed: the closest distribution", filepath.Base(r.Log.Name), jobs, which)
	return byClass("run-times-by-"+workload.InFileName(r.By), source, strings.TrimSuffix(r.By, "_id"), groups)
}

// OfLifetimes returns the run times of the classes with the most jobs, and of the
// periods of the largest if the log was divided, with their laws of a family.
func OfLifetimes(r *lifetimes.Result) []Spec {
	picture := func(name, what, by string, fits []lifetimes.Fitted, label func(lifetimes.Fitted) string) Spec {
		var groups []group
		var jobs int64
		for _, f := range fits {
			if s := f.Class.Sample; len(s.Values) > 0 {
				groups, jobs = append(groups, group{label(f), s, lawWith(f.Report, s)}), jobs+s.Jobs()
			}
		}
		return byClass(name, fmt.Sprintf("%s, %d jobs%s; dashed: %s", filepath.Base(r.Log), jobs, what, r.Family), by, groups)
	}
	var fits []lifetimes.Fitted
	for _, c := range r.Classes {
		fits = append(fits, c.Fitted)
	}
	slices.SortStableFunc(fits, func(x, y lifetimes.Fitted) int {
		return cmp.Compare(y.Class.Sample.Jobs(), x.Class.Sample.Jobs())
	})
	fits = fits[:min(len(fits), mostClasses)]
	all := []Spec{picture("lifetimes", "", "class", fits, func(f lifetimes.Fitted) string { return f.Class.Label })}
	for _, d := range r.Drift {
		if len(fits) == 0 || d.Label != fits[0].Class.Label {
			continue
		}
		var steps []lifetimes.Fitted
		for _, s := range d.Steps[max(0, len(d.Steps)-mostClasses):] { // the last ones
			steps = append(steps, s.Fit)
		}
		what := " of class " + d.Label
		if d.Label == "all" {
			what = " with a run time"
		}
		return append(all, picture("lifetimes-drift", what, byTime, steps, func(f lifetimes.Fitted) string { return f.Class.Period.Label }))
	}
	return all
}
