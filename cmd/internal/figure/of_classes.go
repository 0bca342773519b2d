package figure

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/fit/lifetimes"
	"github.com/loadstone-hpc/loadstone/fit/survey"
	"github.com/loadstone-hpc/loadstone/workload"
)

// classesTogether is how many classes are drawn in one picture: those with the
// most jobs.
const classesTogether = 6

// lawBeside is a law fitted to a sample; nil where there is no report.
func lawBeside(r *fit.Report, s fit.Sample) (*Law, error) {
	if r == nil {
		return nil, nil
	}
	law, err := LawOf(*r, s)
	return &law, err
}

// byTime is what makes classes that are stretches of time.
const byTime = "time of submission"

// together draws the run times of classes; fewer than two are an error.
func together(w io.Writer, format, source, by string, groups []Group) error {
	if len(groups) < 2 {
		what := "classes"
		if by == byTime {
			what = "stretches of time (--months)"
		}
		return fmt.Errorf("there are not two %s with jobs", what)
	}
	return ByClass(w, format, source, by, RunTime, groups)
}

// OfClasses returns the run times of the classes with the most jobs, each with the
// closest of the laws fitted to it.
func OfClasses(r *survey.Result) Picture {
	return Picture{Name: ByColumnName + workload.InFileName(r.By), Draw: func(w io.Writer, format string) error {
		classes := slices.Clone(r.Classes)
		slices.SortStableFunc(classes, func(x, y fit.Class) int {
			return cmp.Compare(y.Sample(fit.RunTime).Jobs(), x.Sample(fit.RunTime).Jobs())
		})
		var groups []Group
		var jobs int64
		for _, c := range classes {
			s := c.Sample(fit.RunTime)
			if c.Column == "" || len(s.Values) == 0 || len(groups) == classesTogether {
				continue
			}
			g := Group{Name: strings.ReplaceAll(c.Label(), "_id=", " "), Sample: Sample{Values: s.Values, Counts: s.Counts}}
			if own := closestTo(c, fit.RunTime, r.Fits); len(own) > 0 {
				law, err := LawOf(own[0], s)
				if err != nil {
					return err
				}
				g.Law = &law
			}
			groups, jobs = append(groups, g), jobs+s.Jobs()
		}
		which := fmt.Sprintf("the %d largest classes", len(groups))
		if len(groups) < classesTogether {
			which = fmt.Sprintf("%d classes", len(groups))
		}
		source := fmt.Sprintf("%s, %d jobs of %s; dashed: the closest distribution", filepath.Base(r.Log.Name), jobs, which)
		return together(w, format, source, strings.TrimSuffix(r.By, "_id"), groups)
	}}
}

// OfLifetimes returns the run times of the classes with the most jobs, and of the
// periods of the largest where the log was divided, with their laws of a family.
func OfLifetimes(r *lifetimes.Result) []Picture {
	var fits []lifetimes.Fitted
	for _, c := range r.Classes {
		fits = append(fits, c.Fitted)
	}
	slices.SortStableFunc(fits, func(x, y lifetimes.Fitted) int {
		return cmp.Compare(y.Class.Sample.Jobs(), x.Class.Sample.Jobs())
	})
	picture := func(name, what, by string, fits []lifetimes.Fitted, label func(lifetimes.Fitted) string) Picture {
		return Picture{Name: name, Draw: func(w io.Writer, format string) error {
			var groups []Group
			var jobs int64
			for _, f := range fits[:min(len(fits), classesTogether)] {
				s := f.Class.Sample
				if len(s.Values) == 0 {
					continue
				}
				law, err := lawBeside(f.Report, s)
				if err != nil {
					return err
				}
				groups, jobs = append(groups, Group{Name: label(f), Sample: Sample{Values: s.Values, Counts: s.Counts}, Law: law}), jobs+s.Jobs()
			}
			return together(w, format, fmt.Sprintf("%s, %d jobs%s; dashed: %s", filepath.Base(r.Log), jobs, what, r.Family), by, groups)
		}}
	}
	all := []Picture{picture(LifetimesName, "", "class", fits, func(f lifetimes.Fitted) string { return f.Class.Label })}
	for _, d := range r.Drift {
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
		return append(all, picture(LifetimeDriftName, what, byTime, steps, func(f lifetimes.Fitted) string { return f.Class.Period.Label }))
	}
	return all
}
