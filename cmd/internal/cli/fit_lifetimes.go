package cli

import (
	"context"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/cmd/internal/figure"
	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/fit/lifetimes"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// lifetimeOptions say how run times are looked at class by class.
type lifetimeOptions struct {
	by      []string // columns whose cross product makes the classes; "all" is one class
	months  int      // length of periods
	periods int      // number of equal periods
}

func (o lifetimeOptions) asked() bool { return len(o.by) > 0 }

func addLifetimeFlags(cmd *cobra.Command, o *lifetimeOptions) {
	flags := cmd.Flags()
	flags.StringSliceVar(&o.by, "lifetimes", nil, "run times by class: all, or up to four columns whose cross product makes the classes: "+strings.Join(fit.ClassColumns(), ", "))
	complete(cmd, "lifetimes", append([]string{"all"}, fit.ClassColumns()...))
	flags.IntVar(&o.months, "months", 0, "--lifetimes: by periods of 1, 2, 3, 4, 6 or 12 months")
	flags.IntVar(&o.periods, "periods", 0, "--lifetimes: by so many periods of equal length")
}

// mostPeriods is more than a log has months.
const mostPeriods = 1000

func (o *lifetimeOptions) check(cmd *cobra.Command) error {
	switch {
	case !o.asked():
		for _, name := range []string{"months", "periods"} {
			if cmd.Flags().Changed(name) {
				return usagef(cmd, "--%s goes with --lifetimes", name)
			}
		}
		return nil
	case o.months != 0 && o.periods != 0:
		return usagef(cmd, "want one of --months and --periods")
	case o.months < 0 || o.months > 0 && 12%o.months != 0 || o.months > 12:
		return usagef(cmd, "--months %d: want 1, 2, 3, 4, 6 or 12", o.months)
	case o.periods < 0 || o.periods > mostPeriods:
		return usagef(cmd, "--periods %d: want 1 to %d", o.periods, mostPeriods)
	}
	if _, err := lifetimes.NewCollector(lifetimes.Options{By: o.columns()}); err != nil {
		return usagef(cmd, "--lifetimes: %w", err)
	}
	return nil
}

func (o lifetimeOptions) columns() []fit.ClassColumn {
	var columns []fit.ClassColumn
	for _, name := range o.by {
		if name = strings.TrimSpace(name); name != "all" || len(o.by) > 1 {
			columns = append(columns, fit.ClassColumn{Column: name})
		}
	}
	return columns
}

func runLifetimes(ctx context.Context, a *app, o fitOptions) error {
	l, err := lifetimesOf(ctx, a, o)
	if err != nil {
		return err
	}
	if o.plots != "" {
		if err := a.drawAll(o.plots, figure.OfLifetimes(l.log, l.family, l.fits, l.drifts)); err != nil {
			return err
		}
	}
	return a.put(o.result, l.result())
}

// lifetimesOf reads a log and fits the lifetimes of its classes.
func lifetimesOf(ctx context.Context, a *app, o fitOptions) (l classLifetimes, err error) {
	src, err := a.source(o.input)
	if err != nil {
		return l, err
	}
	defer src.close()
	options := lifetimes.Options{By: o.lifetimes.columns(), Status: o.Status}
	family := "uniform-log"
	if len(o.Families) == 1 {
		family = o.Families[0]
	}
	over, err := a.periods(ctx, src, o)
	if err != nil {
		return l, err
	}
	collect := func(options lifetimes.Options) (classes []lifetimes.Class, err error) {
		var warnings []string
		log, err := src.read(func(log *workload.Log) (err error) {
			classes, warnings, err = lifetimes.Collect(workload.Until(ctx, log.Jobs()), options)
			return about(o.input, err)
		})
		if err == nil && options.Over == nil {
			a.warnAll(o.input, log.Warnings())
		}
		for _, w := range warnings {
			a.warn("%s: %s", o.input, w)
		}
		return classes, err
	}
	classes, err := collect(options)
	if err != nil {
		return l, err
	}
	l = classLifetimes{log: o.input, family: family}
	if o.Fit.Replicates > 0 {
		var end func()
		o.Fit.Replicated, end = a.work(family+" of each class", "replicates", len(classes)*o.Fit.Replicates)
		defer end()
	}
	if l.fits, err = lifetimes.Fit(classes, family, o.Fit, o.LeastJobs); err != nil {
		return l, about(o.input, err)
	}
	l.overlap = lifetimes.NewOverlap(classes, o.LeastJobs)
	for _, f := range l.fits {
		var remaining []lifetimes.Remaining
		if f.Report != nil {
			law, _ := f.Report.AttributeLaw()
			if remaining, err = lifetimes.RemainingAt(law, f.Class.Sample, lifetimes.TableAges(f.Class.Sample)); err != nil {
				return l, about(o.input, err)
			}
		}
		l.remaining = append(l.remaining, remaining)
	}
	if over != nil {
		options.Over = over
		classes, err := collect(options)
		if err != nil {
			return l, err
		}
		if l.drifts, err = lifetimes.Drift(classes, o.Fit, o.LeastJobs); err != nil {
			return l, about(o.input, err)
		}
	}
	return l, nil
}

// periods is what the options divide the log's time into; nil for nothing.
func (a *app) periods(ctx context.Context, src *source, o fitOptions) (*fit.Division, error) {
	switch {
	case o.lifetimes.months > 0:
		log, err := src.read(func(*workload.Log) error { return nil })
		if err != nil {
			return nil, err
		}
		clock, note := log.Header.Clock()
		if note != "" {
			a.warn("%s: %s", o.input, note)
		}
		d, err := fit.Months(clock, o.lifetimes.months)
		return &d, err
	case o.lifetimes.periods > 0:
		var first, last float64
		_, err := src.read(func(log *workload.Log) (err error) {
			first, last, _, err = fit.SubmitSpan(workload.Until(ctx, log.Jobs()))
			return err
		})
		if err != nil {
			return nil, about(o.input, err)
		}
		d, err := fit.Parts(first, last, o.lifetimes.periods)
		return &d, about(o.input, err)
	}
	return nil, nil
}

// classLifetimes is the result.
type classLifetimes struct {
	log, family string
	fits        []lifetimes.Fitted
	remaining   [][]lifetimes.Remaining // of each fit
	overlap     lifetimes.Overlap
	drifts      []lifetimes.ClassDrift
}

type fitLifetimesJSON struct {
	Schema  string              `json:"schema"`
	Log     string              `json:"log"`
	Family  string              `json:"family"`
	Classes []classLifetimeJSON `json:"classes"`
	Overlap overlapJSON         `json:"overlap"`
	Drift   []driftJSON         `json:"drift,omitempty"`
}

type classLifetimeJSON struct {
	Class     string          `json:"class"`
	Jobs      int64           `json:"jobs"`
	Fit       *fit.Report     `json:"fit"`
	Why       string          `json:"why_not_fitted,omitempty"`
	Remaining []remainingJSON `json:"remaining"`
}

type remainingJSON struct {
	Age         stats.Number `json:"age_s"`
	Left        stats.Number `json:"jobs_left"`
	MedianData  stats.Number `json:"median_data_s"`
	MedianModel stats.Number `json:"median_model_s"`
	MeanData    stats.Number `json:"mean_data_s"`
	MeanModel   stats.Number `json:"mean_model_s"`
}

type overlapJSON struct {
	Classes []string         `json:"classes"`
	Medians []stats.Number   `json:"medians_s"`
	Longer  [][]stats.Number `json:"longer"`
}

type driftJSON struct {
	Class string          `json:"class"`
	Steps []driftStepJSON `json:"steps"`
}

type driftStepJSON struct {
	Period      string       `json:"period"`
	Jobs        int64        `json:"jobs"`
	Slope       stats.Number `json:"slope"`
	Intercept   stats.Number `json:"intercept"`
	RSquared    stats.Number `json:"r_squared"`
	Median      stats.Number `json:"median_s"`
	D           stats.Number `json:"d"`
	PreviousD   stats.Number `json:"d_of_previous_law"`
	MedianRatio stats.Number `json:"median_ratio_of_previous_law"`
	Why         string       `json:"why_not_fitted,omitempty"`
}

func (l classLifetimes) result() result {
	js := fitLifetimesJSON{Schema: "loadstone.lifetimes/1", Log: l.log, Family: l.family}
	csv := present.Table{Head: []string{"class", "jobs", "age_s", "jobs_left", "median_data_s", "median_model_s", "mean_data_s", "mean_model_s"}}
	for i, f := range l.fits {
		j := classLifetimeJSON{Class: f.Class.Label, Jobs: f.Class.Sample.Jobs(), Fit: f.Report, Why: f.Why, Remaining: []remainingJSON{}}
		for _, r := range l.remaining[i] {
			x := remainingJSON{stats.Number(r.Age), stats.Number(r.Left), stats.Number(r.MedianData), stats.Number(r.MedianModel), stats.Number(r.MeanData), stats.Number(r.MeanModel)}
			nan := stats.Number(math.NaN())
			if r.Outlived {
				x.MedianModel, x.MeanModel = nan, nan
			}
			if r.Left == 0 {
				x.MedianData, x.MeanData = nan, nan
			}
			j.Remaining = append(j.Remaining, x)
			csv.Add(j.Class, present.Whole(j.Jobs), present.Full(x.Age), present.Full(x.Left), present.Full(x.MedianData), present.Full(x.MedianModel), present.Full(x.MeanData), present.Full(x.MeanModel))
		}
		js.Classes = append(js.Classes, j)
	}
	js.Overlap = overlapJSON{Classes: l.overlap.Labels, Medians: numbers(l.overlap.Medians)}
	for _, row := range l.overlap.Longer {
		js.Overlap.Longer = append(js.Overlap.Longer, numbers(row))
	}
	for _, d := range l.drifts {
		j := driftJSON{Class: d.Label}
		for _, s := range d.Steps {
			nan := stats.Number(math.NaN())
			x := driftStepJSON{Period: s.Period.Label, Jobs: s.Jobs, Slope: nan, Intercept: nan, RSquared: nan, Median: nan, D: nan, PreviousD: nan, MedianRatio: nan, Why: s.Fit.Why}
			if r := s.Fit.Report; r != nil {
				for _, p := range r.Parameters {
					switch p.Name {
					case "slope":
						x.Slope = stats.Number(p.Value)
					case "intercept":
						x.Intercept = stats.Number(p.Value)
					case "r_squared":
						x.RSquared = stats.Number(p.Value)
					}
				}
				x.Median, x.D = stats.Number(s.Median), stats.Number(s.Own.D)
			}
			if s.Previous != nil {
				x.PreviousD, x.MedianRatio = stats.Number(s.Previous.D), stats.Number(s.Previous.MedianRatio)
			}
			j.Steps = append(j.Steps, x)
		}
		js.Drift = append(js.Drift, j)
	}
	return result{text: func(w io.Writer) error { return js.write(w) }, json: js, csv: csv}
}

func numbers(xs []float64) []stats.Number {
	out := make([]stats.Number, len(xs))
	for i, x := range xs {
		out[i] = stats.Number(x)
	}
	return out
}

// mostUnfitted is up to which class those that are not fitted have a row.
const mostUnfitted = 20

// mostOverlap is how many classes a table of overlaps shows.
const mostOverlap = 8

// write is the table for people.
func (js fitLifetimesJSON) write(w io.Writer) error {
	fmt.Fprintf(w, "%s of run times by class\n", js.Family)
	t := present.Table{Head: []string{"class", "jobs", "D", "median left at 1 min", "model", "at 1 h", "model", "parameters"}}
	hidden, jobs := 0, int64(0)
	for i, c := range js.Classes {
		if c.Fit == nil && i >= mostUnfitted {
			hidden++
			jobs += c.Jobs
			continue
		}
		if c.Fit == nil {
			t.Add(c.Class, present.Whole(c.Jobs), "-", "-", "-", "-", "-", c.Why)
			continue
		}
		minute, hour := c.at(lifetimes.MinuteAge), c.at(lifetimes.HourAge)
		t.Add(c.Class, present.Whole(c.Jobs), present.Fixed(c.Fit.KS.D, 4), present.Duration(minute.MedianData), present.Duration(minute.MedianModel),
			present.Duration(hour.MedianData), present.Duration(hour.MedianModel), parameterText(*c.Fit))
	}
	if err := t.WriteTable(w); err != nil {
		return err
	}
	if hidden > 0 {
		fmt.Fprintf(w, "and %d more classes, with %d jobs, that are not fitted\n", hidden, jobs)
	}
	if n := len(js.Overlap.Classes); n > 1 {
		shown := min(n, mostOverlap)
		fmt.Fprintf(w, "\nShare of a row's jobs that outlast the median of a column (%d of %d classes)\n", shown, n)
		t := present.Table{Head: append([]string{"class", "median"}, js.Overlap.Classes[:shown]...)}
		for i, name := range js.Overlap.Classes[:shown] {
			row := []string{name, present.Duration(js.Overlap.Medians[i])}
			for _, x := range js.Overlap.Longer[i][:shown] {
				row = append(row, fmt.Sprintf("%.1f%%", 100*float64(x)))
			}
			t.Add(row...)
		}
		if err := t.WriteTable(w); err != nil {
			return err
		}
	}
	if len(js.Drift) == 0 {
		return nil
	}
	fmt.Fprintln(w, "\nUniform-log by period; D and median also of the law of the period before")
	t = present.Table{Head: []string{"class", "period", "jobs", "intercept", "slope", "R2", "median", "D", "D of previous", "its median / jobs'"}}
	for _, d := range js.Drift {
		for _, s := range d.Steps {
			t.Add(d.Class, s.Period, present.Whole(s.Jobs), present.Fixed(s.Intercept, 3), present.Fixed(s.Slope, 4), present.Fixed(s.RSquared, 3),
				present.Duration(s.Median), present.Fixed(s.D, 3), present.Fixed(s.PreviousD, 3), present.Fixed(s.MedianRatio, 2))
		}
	}
	return t.WriteTable(w)
}

// at is the remaining lifetime at one of the ages.
func (c classLifetimeJSON) at(age float64) remainingJSON {
	for _, r := range c.Remaining {
		if float64(r.Age) == age {
			return r
		}
	}
	nan := stats.Number(math.NaN())
	return remainingJSON{MedianData: nan, MedianModel: nan}
}
