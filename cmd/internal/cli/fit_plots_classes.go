package cli

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/figure"
	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/fit/lifetimes"
	"github.com/loadstone-hpc/loadstone/fit/site"
)

// classesTogether is how many classes are drawn in one picture: those with the
// most jobs.
const classesTogether = 6

// groupOf is a class to draw with the law fitted to it; report may be nil.
func groupOf(name string, s fit.Sample, report *fit.Report) (figure.Group, error) {
	g := figure.Group{Name: name, Sample: figure.Sample{Values: s.Values, Counts: s.Counts}}
	if report == nil {
		return g, nil
	}
	jobs := float64(s.Jobs())
	law, err := figure.NewLaw(report.Family, report.Law, figure.Transform(report.Transform), (jobs-float64(report.N))/jobs)
	g.Law = &law
	return g, err
}

// byTime is what makes classes that are stretches of time.
const byTime = "time of submission"

// drawGroups draws classes together; fewer than two are no picture.
func (a *app) drawGroups(path, source, by string, groups []figure.Group) error {
	if len(groups) < 2 {
		what := "classes"
		if by == byTime {
			what = "stretches of time (--months)"
		}
		a.notDrawn(path, fmt.Errorf("there are not two %s with jobs", what))
		return nil
	}
	return a.drawTo(path, func(w io.Writer) error {
		return figure.ByClass(w, a.pictureFormat(), source, by, figure.RunTime, groups)
	})
}

// bySize draws the run times of the groups of sizes that the site's fit takes
// apart, with the law of each, and then with the model of all: the two Gammas of
// all jobs, mixed by p(size).
func (p plotter) bySize(fits []site.SizeFit, of site.RunTimesReport) error {
	var groups, modelled []figure.Group
	var jobs int64
	for _, f := range fits {
		s := p.class.SampleOfSizes(fit.RunTime, f.SizeRange)
		if len(s.Values) == 0 {
			continue
		}
		name := fmt.Sprintf("%d to %d processors", f.From, f.To)
		if f.From == f.To {
			name = strings.TrimSuffix(fmt.Sprintf("%d processors", f.From), map[bool]string{true: "s"}[f.From == 1])
		}
		g, err := groupOf(name, s, f.RunTime)
		if err != nil {
			return err
		}
		groups, jobs = append(groups, g), jobs+s.Jobs()
		if g.Law, err = p.modelOfSizes(f.SizeRange, s, of); err != nil {
			return err
		}
		modelled = append(modelled, g)
	}
	path, source := p.place("run-times-by-size", jobs, "a size and a run time; dashed: two Gammas of ln t")
	if err := p.a.drawGroups(path, source, "size", groups); err != nil {
		return err
	}
	path, source = p.place(bySizeModelPlot, jobs, "a size and a run time; dashed: the model with p(size)")
	return p.a.drawGroups(path, source, "size", modelled)
}

const bySizeModelPlot = "run-times-by-size-model"

// modelOfSizes is what the model of Lublin and Feitelson (2003), section 3.2.3,
// says of the run times s of the jobs of a range of sizes: its law is linear in
// p, so that p is the mean of p(size) over the jobs. It is nil without a model.
func (p plotter) modelOfSizes(sizes fit.SizeRange, s fit.Sample, of site.RunTimesReport) (*figure.Law, error) {
	law, ok := of.Law.Law.(dist.HyperGamma)
	i := slices.IndexFunc(of.Shares, func(f site.ShareFit) bool { return f.Estimator == site.ByLikelihood })
	if !ok || i < 0 {
		return nil, nil
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
		return nil, nil
	}
	law.P = share / jobs
	below := 0.0 // jobs of up to 1 s, which have no place in a law of ln t
	for k, t := range s.Values {
		if t <= 1 {
			below += s.Counts[k]
		}
	}
	drawn, err := figure.NewLaw(of.Law.Family, law, figure.Ln, below/float64(s.Jobs()))
	return &drawn, err
}

// byClass draws the run times of the classes with the most jobs, each with the
// closest of the laws fitted to it.
func (a *app) byClass(o fitOptions, name string, classes []fit.Class, reports []fit.Report) error {
	classes = slices.Clone(classes)
	slices.SortStableFunc(classes, func(x, y fit.Class) int {
		return cmp.Compare(y.Sample(fit.RunTime).Jobs(), x.Sample(fit.RunTime).Jobs())
	})
	var groups []figure.Group
	var jobs int64
	for _, c := range classes {
		s := c.Sample(fit.RunTime)
		if c.Column == "" || len(s.Values) == 0 || len(groups) == classesTogether {
			continue
		}
		var closest *fit.Report
		for i, r := range reports {
			if r.Attribute == fit.RunTime && r.By == c.Label() && (closest == nil || r.KS.D < closest.KS.D) {
				closest = &reports[i]
			}
		}
		g, err := groupOf(strings.ReplaceAll(c.Label(), "_id=", " "), s, closest)
		if err != nil {
			return err
		}
		groups, jobs = append(groups, g), jobs+s.Jobs()
	}
	if o.by == "" {
		return nil
	}
	which := fmt.Sprintf("the %d largest classes", len(groups))
	if len(groups) < classesTogether {
		which = fmt.Sprintf("%d classes", len(groups))
	}
	source := fmt.Sprintf("%s, %d jobs of %s; dashed: the closest law", name, jobs, which)
	return a.drawGroups(filepath.Join(o.plots, "run-times-by-"+o.by+".svg"), source, strings.TrimSuffix(o.by, "_id"), groups)
}

// plotLifetimes draws the classes with the most jobs, and the periods of the
// largest, with their laws.
func (a *app) plotLifetimes(o fitOptions, l classLifetimes) error {
	fits := slices.Clone(l.fits)
	slices.SortStableFunc(fits, func(x, y lifetimes.Fitted) int {
		return cmp.Compare(y.Class.Sample.Jobs(), x.Class.Sample.Jobs())
	})
	draw := func(name, what, by string, fits []lifetimes.Fitted, label func(lifetimes.Fitted) string) error {
		var groups []figure.Group
		var jobs int64
		for _, f := range fits[:min(len(fits), classesTogether)] {
			if len(f.Class.Sample.Values) == 0 {
				continue
			}
			g, err := groupOf(label(f), f.Class.Sample, f.Report)
			if err != nil {
				return err
			}
			groups, jobs = append(groups, g), jobs+f.Class.Sample.Jobs()
		}
		source := fmt.Sprintf("%s, %d jobs%s; dashed: %s", filepath.Base(l.log), jobs, what, l.family)
		return a.drawGroups(filepath.Join(o.plots, name+".svg"), source, by, groups)
	}
	if err := draw("lifetimes", "", "class", fits, func(f lifetimes.Fitted) string { return f.Class.Label }); err != nil {
		return err
	}
	for _, d := range l.drifts {
		if len(fits) == 0 || d.Label != fits[0].Class.Label {
			continue
		}
		var steps []lifetimes.Fitted
		for _, s := range d.Steps {
			steps = append(steps, s.Fit)
		}
		// The last ones, where they are too many for one picture.
		steps = steps[max(0, len(steps)-classesTogether):]
		what := " of class " + d.Label
		if d.Label == "all" {
			what = " with a run time"
		}
		return draw("lifetimes-drift", what, byTime, steps, func(f lifetimes.Fitted) string { return f.Class.Period.Label })
	}
	return nil
}
