package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/figure"
	"github.com/loadstone-hpc/loadstone/fit"
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

// drawGroups draws classes together; fewer than two are no picture.
func (a *app) drawGroups(path, source, by string, groups []figure.Group) error {
	if len(groups) < 2 {
		a.notDrawn(path, errors.New("there are not two classes with jobs"))
		return nil
	}
	return a.drawTo(path, func(w io.Writer) error {
		return figure.ByClass(w, a.pictureFormat(), source, by, figure.RunTime, groups)
	})
}

// bySize draws the run times of the groups of sizes that the site's fit takes
// apart.
func (p plotter) bySize(fits []fit.SizeFit) error {
	var groups []figure.Group
	var jobs int64
	for _, f := range fits {
		s := p.class.SampleOfSizes(fit.RunTime, f.SizeRange)
		if len(s.Values) == 0 {
			continue
		}
		g, err := groupOf(fmt.Sprintf("%d to %d processors", f.From, f.To), s, f.RunTime)
		if err != nil {
			return err
		}
		groups, jobs = append(groups, g), jobs+s.Jobs()
	}
	path, source := p.place("run-times-by-size", jobs, "a size and a run time; dashed: two Gammas of ln t")
	return p.a.drawGroups(path, source, "size", groups)
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
		g, err := groupOf(c.Label(), s, closest)
		if err != nil {
			return err
		}
		groups, jobs = append(groups, g), jobs+s.Jobs()
	}
	if o.by == "" {
		return nil
	}
	source := fmt.Sprintf("%s, %d jobs of the %d largest classes; dashed: the closest law", name, jobs, len(groups))
	return a.drawGroups(filepath.Join(o.plots, "run-times-by-"+o.by+".svg"), source, strings.TrimSuffix(o.by, "_id"), groups)
}

// plotLifetimes draws the classes with the most jobs, and the periods of the
// largest, with their laws.
func (a *app) plotLifetimes(o fitOptions, l lifetimes) error {
	if err := os.MkdirAll(o.plots, 0o777); err != nil {
		return fileFault(o.plots, err)
	}
	fits := slices.Clone(l.fits)
	slices.SortStableFunc(fits, func(x, y fit.LifetimeFit) int {
		return cmp.Compare(y.Class.Sample.Jobs(), x.Class.Sample.Jobs())
	})
	draw := func(name, what, by string, fits []fit.LifetimeFit, label func(fit.LifetimeFit) string) error {
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
	if err := draw("lifetimes", "", "class", fits, func(f fit.LifetimeFit) string { return f.Class.Label }); err != nil {
		return err
	}
	for _, d := range l.drifts {
		if len(fits) == 0 || d.Label != fits[0].Class.Label {
			continue
		}
		var steps []fit.LifetimeFit
		for _, s := range d.Steps {
			steps = append(steps, s.Fit)
		}
		// The last ones, where they are too many for one picture.
		steps = steps[max(0, len(steps)-classesTogether):]
		return draw("lifetimes-drift", " of class "+d.Label, "time of submission", steps, func(f fit.LifetimeFit) string { return f.Class.Period.Label })
	}
	return nil
}
